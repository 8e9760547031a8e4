# A state: so many events of each thread.
printf 't1|acq(l)|\nt1|w(x)|\nt1|rel(l)|\nt2|acq(l)|\nt2|r(x)|\n' >t.std
check() {
    { printf '# heddle witness 1\n# claim: %s\n' "$1"; shift; printf '%s\n' "$@"; } >w.std
    heddle validate t.std w.std
    echo "status $?"
}
check 'state t1=2, reads kept' 't1|acq(l)|' 't1|w(x)|'
check 'state t2=2, reads let go' 't2|acq(l)|' 't2|r(x)|'
check 'state, reads kept'
check 'state t2=2, reads kept' 't2|acq(l)|' 't2|r(x)|'
check 'state t1=1, reads kept' 't1|acq(l)|' 't1|w(x)|'
check 'state t1=2 t2=1, reads kept' 't1|acq(l)|' 't1|w(x)|'
check 'state t1=2, reads let go' 't1|acq(l)|' 't1|w(x)|' 't2|acq(l)|'
