# Losets while they grow: what is known at once, and what only of a whole trace.
cat >file.std <<END
t2|acq(l)|file.c:21
t2|mark(open)|file.c:22
t2|mark(close)|file.c:23
t2|rel(l)|file.c:24
t1|acq(l)|file.c:11
t1|mark(open)|file.c:12
t1|rel(l)|file.c:13
t1|mark(close)|file.c:14
END
heddle detect --online file.std 'mutex(open, open)'
heddle detect --online --model=loset file.std 'mutex(open, open)'
for class in consistent feasible lock-free strongly-feasible viable reachable; do
    heddle detect --online --model=loset --class=$class file.std 'mutex(open, open)' | sed -n 1,2p
    echo "$class: status ${PIPESTATUS[0]}"
done
# Feasible, and not reachable: the locks were taken in turn.
heddle detect --online --json --model=loset --class=feasible $ROOT/tests/data/examples/gap4.std 'true' |
    jq -c '[.result.class, .result.found, .findings[0].proved]'
heddle detect --online --model=loset --window=100 file.std 'mutex(open, open)'
echo "status $?"
heddle detect --online --model=loset --window=100 --class=feasible file.std 'race'
echo "status $?"
heddle detect --online --model=loset --window=100 --class=feasible file.std 'race(all)'
echo "status $?"
