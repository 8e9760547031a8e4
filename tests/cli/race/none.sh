# Nothing to find: a common lock, what was read, forks and joins, atomics.
printf 'a|acq(l)|\na|w(x)|\na|rel(l)|\nb|acq(l)|\nb|w(x)|\nb|rel(l)|\n' >lock.std
printf 'a|w(x)|\na|aw(f=1)|\nb|ar(f=1)|\nb|w(x)|\n' >read.std
printf 'm|w(x)|\nm|fork(a)|\na|w(x)|\nm|join(a)|\nm|r(x)|\n' >join.std
printf 'a|aw(x)|\nb|armw(x)|\n' >atomic.std
for file in lock read join atomic; do
    heddle race $file.std
    echo "status $?"
done
