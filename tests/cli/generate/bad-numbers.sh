# Numbers out of range, and what a family does not take: status 2 and one line.
try() { heddle generate "$@" >out 2>&1; echo "status $?: $(cat out)"; }
try grid 0
try grid 1 x
try grid -- -1
try grid 2 99999999999999999999
try grid 100001
try grid 1 2 3
try chains 2 7
try chains 2 8 --ring 2
try grid --ring 1
try poset 1
try bank 2 2 --accounts 1
try locks 2 20 --rwlocks 1001
try grid 100000 1000000
try like
try like nothing
try like conpool 5
try nothing
try "$(printf 'a\033b')"
try grid --seed -1
try grid --seed 18446744073709551616
try grid --to xml
try --json grid 2 2
ls
