# Threads 10 and T10 in one trace are not taken for one another.
printf '# heddle: thread 10\nT0|fork(10)|\nT10|w(x)|\n10|r(x)|\n' >a.std
heddle convert a.std a.htr
heddle convert a.htr - | diff - a.std && heddle info a.htr | sed -n 2p
