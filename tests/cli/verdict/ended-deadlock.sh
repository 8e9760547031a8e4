# Of a run that ended in a deadlock, what other orders of its events lead to is not known: only
# the question for deadlocks is answered by such an end.
cat >run.std <<END
main|fork(a)|m.c:3
main|w(x)|m.c:4
main|acq(k)|m.c:5
a|mark(x)|a.c:1
a|acq(l)|a.c:1
# heddle: ended deadlock
# heddle: next main|acq(l)|m.c:6
# heddle: next a|acq(k)|a.c:2
END
heddle convert run.std run.htr
for file in run.std run.htr; do
    for question in race nondet states deadlock; do
        heddle $question $file >out 2>&1; echo "$question: $?"
    done
    heddle detect $file 'at(a, x) && at(main, x)' >out 2>&1; echo "detect: $?"
    heddle slice $file 'pos(a) > 0' -o out.loset >out 2>&1; echo "slice: $?"
    heddle check --ask=race $file >out 2>&1; echo "check: $?"
done
heddle race run.std | grep -e search
heddle race --json run.std | grep -o '"why_not": [^]]*]'
heddle detect --online -e 'at(a, x) && at(main, x)' run.std | grep -e complete; echo "status ${PIPESTATUS[0]}"
heddle deadlock --json run.std | grep -o '"why_not": [^]]*]'
heddle race --json run.std | heddle report - >out; echo "report: $?"
