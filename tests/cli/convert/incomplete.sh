# Lost events are told, and stay told.
printf 't|w(x)|\n# heddle: incomplete lost=1234\n' >a.std
heddle convert a.std a.htr
heddle convert a.htr -
printf 't|w(x)|\n# heddle: incomplete lost=0\n' | heddle convert - -
heddle convert --quiet a.htr -
