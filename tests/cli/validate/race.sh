# Two accesses that are both next.
printf 'm|fork(a)|\na|w(x)|\nm|r(x)|\na|acq(l)|\na|aw(y)|\na|rel(l)|\nm|ar(y)|\n' >t.std
check() {
    { printf '# heddle witness 1\n# claim: %s\n' "$1"; shift; printf '%s\n' "$@"; } >w.std
    heddle validate t.std w.std
    echo "status $?"
}
check 'race 2 3' 'm|fork(a)|'
check 'race 3 2' 'm|fork(a)|'
check 'race 2 3'
check 'race 2 3' 'm|fork(a)|' 'a|w(x)|'
check 'race 5 7' 'm|fork(a)|'
check 'race 2 4' 'm|fork(a)|'
check 'race 2 99' 'm|fork(a)|'
