# Without a witness: is it a run?
printf 'a|acq(l)|\na|rel(l)|\n' >a.std
heddle validate a.std
printf 'a|acq(l)|\n' | heddle validate -
heddle convert a.std a.htr
heddle validate a.htr
printf 'a|w(x)|\n# heddle: incomplete lost=2\n' >b.std
heddle validate b.std
heddle validate -q b.std
