# A whole file needs no recovery and is not called incomplete; a text has none.
printf 't|w(x)|\n' >a.std
heddle convert --recover a.std a.htr
heddle convert --recover a.htr -
