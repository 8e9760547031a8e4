# Accesses of a free run whose order was guessed: told, counted, and kept by both formats.
cat >g.std <<END
T1|w4(x=1)|a.c:1
# heddle: guessed
T1|w4(x=2)|a.c:2
# heddle: guessed unexplained
T2|r4(x=3)|a.c:3
T2|acq(l)|a.c:4
# heddle: guessed
T2|rel(l)|a.c:5
END
heddle info g.std
heddle info --json g.std | tr ',' '\n' | grep -e guessed -e unexplained
heddle convert -q g.std g.htr
heddle convert -q g.htr - | grep -v '^# heddle: guessed$' | grep -B1 -A1 guessed
heddle convert -q g.htr - | grep -c guessed
heddle race --summary g.htr 2>&1
heddle race --json -q g.htr | tr ',{' '\n\n' | grep -A2 '"order"'
