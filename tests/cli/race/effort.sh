# Pairs that only locks order, in a trace with weaker memory orders: how many are looked at depends on
# the effort, and --summary lists none of those that are left.
awk 'BEGIN {
    print "main|fork(a)|\nmain|fork(b)|\nmain|aw.relaxed(z=1)|"
    for (i = 1; i <= 300; i++) {
        printf "a|w(x%d=1)|a.c:%d\na|acq(l)|\na|w(f%d=1)|\na|rel(l)|\n", i, i, i
        printf "b|acq(l)|\nb|r(f%d=1)|\nb|rel(l)|\nb|r(x%d=1)|b.c:%d\n", i, i, i
    }
    for (i = 0; i < 100000; i++)
        print "a|r(own=0)|"
}' >long.std
heddle race --summary long.std; echo "status $?"
heddle race long.std | grep -c '^unproved, on'
heddle race --effort=4000 long.std | grep -E '^long|unproved  '; echo "status ${PIPESTATUS[0]}"
heddle race --effort=0 long.std | grep -E '^long|unproved  '; echo "status ${PIPESTATUS[0]}"
