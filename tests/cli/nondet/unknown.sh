# A limit that stops the solver is said; status 3 where nothing was found.
{
    echo 'a|w(x=1)|'
    for i in $(seq 1500); do echo 'm|mark(step)|'; done
    echo 'b|w(x=2)|'
} >t.std
heddle nondet --effort=1 t.std
echo "status $?"
heddle nondet --effort=1 --json t.std |
    jq -ce '[.complete, .result.unknown, .result.unknown_reads, .findings]'
heddle nondet --summary t.std | head -1
