# What runs from the start have: EF AF EG AG EU AU, of a poset and of a loset.
cat > cross.std <<'END'
T1|acq(a)|
T1|acq(b)|
T1|rel(b)|
T1|rel(a)|
T2|acq(b)|
T2|acq(a)|
T2|rel(a)|
T2|rel(b)|
END
for formula in 'EF(deadlock)' 'AF(done(T1) && done(T2))' 'AG(EF(done(T1)))' 'EG(!held(T1, a))' \
    'EU(!held(T2, b), done(T1))' 'AU(pos(T1) < 2, held(T1, b))' \
    'AG(!held(T1, b) || EF(done(T1)))' '!EF(deadlock) && pos(T1) == 0'; do
    for model in poset loset; do
        heddle detect --explain --model=$model cross.std "$formula"
        echo "status $?"
    done
done
# Where it is true.
heddle detect --model=loset --count cross.std '!EF(done(T1))'
heddle detect --model=loset --all cross.std '!EF(done(T1))'
heddle detect --model=loset --all --max=1 cross.std 'EG(true)'
heddle detect --model=loset --json cross.std 'AG(EF(done(T1)))' | sed 's/"seconds": [0-9.e-]*/"seconds": S/'
printf 'loset\nprocess P\nmark(a)\nprocess Q\nmark(b)\n' > two.loset
heddle detect two.loset 'AU(true, at(P, a)) && AG(EF(at(Q, b)))'
# Limits.
heddle generate grid 12 20 -o grid.std
heddle detect --time=0.3 grid.std 'AG(pos(T1) < 30 || EU(true, pos(T2) > 3))' | head -3
echo "status ${PIPESTATUS[0]}"
heddle detect --memory=64M grid.std 'AG(pos(T1) < 30 || EU(true, pos(T2) > 3))' | head -3
echo "status ${PIPESTATUS[0]}"
# What is wrong.
try() {
    heddle detect "$@"
    echo "status $?"
}
try cross.std 'EF(pos(T1)'
try cross.std 'EF(pos(T1))'
try cross.std 'EF()'
try cross.std 'EU(true)'
try cross.std 'AG(true, false)'
try cross.std 'EF(true) == true'
try cross.std 'count(EF(done())) > 1'
try cross.std 'AG(pos(T9) == 0)'
try cross.std --definitely 'EF(true)'
try cross.std --model=loset --class=feasible 'EF(true)'
try cross.std --online 'EF(true)'
heddle slice cross.std 'pos(T1) > 1' -o steps.loset > slice.txt
try steps.loset 'EF(true)'
