# The slice of a trace for a predicate: its states are those of the predicate.
for t in T1 T2; do for i in 1 2 3; do echo "$t|mark(open)|"; echo "$t|mark(close)|"; done; done > files.std
heddle slice files.std 'at(T1, open) && at(T2, open)' -o both.loset
echo "status $?"
cat both.loset
heddle states --list both.loset
heddle detect --count files.std 'at(T1, open) && at(T2, open)' | head -1
# Not regular: a disjunction has the states between, too.
heddle slice files.std 'pos(T1) == 1 && pos(T2) == 0 || pos(T1) == 0 && pos(T2) == 2' -o either.loset
heddle states --list either.loset
heddle slice --json files.std 'pos(T1) + pos(T2) == 3' -o sum.loset | sed 's/"seconds": [0-9.e-]*/"seconds": S/'
heddle states sum.loset | head -1
heddle detect --count files.std 'pos(T1) + pos(T2) == 3' | head -1
# Only the empty state.
heddle slice files.std 'pos(T1) + pos(T2) == 0' -o none.loset | head -3
heddle states none.loset | head -1
heddle slice files.std 'pos(T1) > 6'
echo "status $?"
# Messages, a barrier and waits of both sides: as many states as the predicate has.
heddle generate locks 3 60 --seed 5 --waits=100 --barriers=100 -o locks.std
for p in 'pos(T1) > 3 && pos(T2) < 12' '!held(T1, l1) && pos(T2) > 2' 'pos(T1) > 3'; do
    heddle slice locks.std "$p" -o locks.loset | head -2 | tail -1
    heddle states locks.loset | sed 's/.*: \([0-9,]*\) .*/\1 in the slice/; q'
    heddle detect --count locks.std "$p" | sed 's/.*: \([0-9,]*\) .*/\1 of the predicate/; q'
done
heddle slice files.std 'at(T1' -o x.loset
echo "status $?"
heddle slice files.std 'at(T1, open)' -o x.std
echo "status $?"
heddle slice --json files.std 'at(T1, open)'
echo "status $?"
heddle slice both.loset 'at(T1, open)'
echo "status $?"
heddle generate grid 12 20 -o grid.std
heddle slice --time=0.2 grid.std 'pos(T1) * pos(T2) == 7' -o big.loset | head -1
echo "status ${PIPESTATUS[0]}"
ls big.loset
# What a slice cannot tell.
printf 'T1|w(x=1)|\nT2|w(x=2)|\n' >both.std
heddle slice both.std 'pos(T1) == 1' -o race.loset | head -1
heddle detect race.loset race
echo "status $?"
printf '# heddle: incomplete lost=3\nT1|mark(P)|\n' >lost.std
heddle slice lost.std 'pos(T1) == 1' -o lost.loset
echo "status $?"
# What the trace says of its run, the slice says too.
{ cat files.std; echo '# heddle: ended signal 11'; echo '# heddle: unseen f libf.so'; echo '# heddle: doubt threads:openmp one thread'; } >ended.std
heddle slice ended.std 'at(T1, open) && at(T2, open)' -o ended.loset >out; echo "status $?"
grep heddle: ended.loset
heddle detect ended.loset 'at(T1, close)' >out; echo "status $?"
heddle states ended.loset | grep -A 4 search
heddle slice files.std 'at(T1, open) && at(T2, open)' -o both.loset >out
heddle detect both.loset 'at(T1, close)' >out; echo "status $?"
echo '# heddle: ended exit 0' >>both.loset
heddle detect both.loset 'at(T1, close)' >out; echo "status $?"
