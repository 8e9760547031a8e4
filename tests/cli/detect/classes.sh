# Each class of predicates: what it is called, what is done, and that going through all
# states, on one thread or two, finds the same state and the same number.
cp $ROOT/examples/detect/bank.std $ROOT/examples/detect/file.std .
ask() {
    heddle detect --explain "$@" >quick.txt
    sed -n '/class\|algorithm\|because\|state  /p' quick.txt
    grep '  state  ' quick.txt >one.txt
    for threads in 1 2; do
        heddle detect --algorithm=quicklex --threads=$threads "$@" | grep '  state  ' | cmp - one.txt
    done
    heddle detect --count "$@" >count.txt
    heddle detect --count --algorithm=lex "$@" | cmp - count.txt
    cat count.txt
    echo
}
ask bank.std 'at(T1, transfer) && at(T3, done)'
ask bank.std 'pos(T1) - pos(T2) > 3'
ask bank.std 'pos(T1) > 3 && pos(T2) > 2'
ask bank.std 'sum(amount) > 60 && !held(a)'
ask bank.std 'count(at(transfer) by amount) > 1'
ask bank.std '(at(T1, transfer) || at(T2, transfer)) && T3.amount > T4.amount'
ask bank.std 'at(T1, transfer) && pos(T2) * pos(T3) > 6'
ask bank.std 'pos(T2) * pos(T3) > 6'
ask bank.std 'mutex(transfer, done)'
ask bank.std 'min(pos()) > 3 && max(pos()) < 5'
ask bank.std 'all(done()) && pos(T1) < 5'
# Marks alone: the same answers, of far fewer states.
heddle detect --only=marks --count bank.std 'count(transfer) > 2'
heddle detect --count bank.std 'count(transfer) > 2'
heddle detect --only=marks bank.std 'count(transfer) > 2' | sed -n 1,2p
heddle detect --only=marks bank.std 'held(a)'
echo "status $?"
# Who comes first initialises: no race with that, unless it is asked for.
printf '%s\n' 'M|fork(T)|' 'M|acq(l)|' 'M|w(x)|' 'M|rel(l)|' 'T|acq(l)|' 'T|rel(l)|' 'T|w(x)|' >init.std
heddle detect --model=loset init.std race
heddle detect --model=loset init.std 'race(all)' | sed -n 1,2p
heddle detect --count --model=loset init.std 'race(all)'
# Races are counted in blocks, with the same result.
heddle generate poset 4 40 --probability 300 --lag 20 --seed 2 | sed 's/w(x[0-9]*=0)/w(x)/' >race.std
ask race.std race
