# An incomplete trace is called so.
printf 't|w(x)|\n# heddle: incomplete lost=1234\n' >a.std
heddle info a.std | head -n 1
heddle convert -q a.std a.htr
heddle info a.htr | head -n 1
