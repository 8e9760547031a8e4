# Scopes change places; both rules of a reordering are kept.
cat >t.std <<'END'
t1|acq(l)|
t1|w(x)|
t1|rel(l)|
t2|acq(l)|
t2|r(x)|
t2|rel(l)|
END
check() {
    { printf '# heddle witness 1\n# claim: %s\n' "$1"; shift; printf '%s\n' "$@"; } >w.std
    heddle validate t.std w.std
    echo "status $?"
}
check reordering 't1|acq(l)|' 't1|w(x)|'
check reordering
check 'reordering, reads kept' 't1|acq(l)|' 't1|w(x)|' 't1|rel(l)|' 't2|acq(l)|' 't2|r(x)|'
check 'reordering, reads let go' 't2|acq(l)|' 't2|r(x)|' 't2|rel(l)|' 't1|acq(l)|'
check reordering 't2|acq(l)|' 't2|r(x)|' 't2|rel(l)|' 't1|acq(l)|'
check reordering 't1|acq(l)|' 't2|acq(l)|'
check 'reordering, reads let go' 't1|acq(l)|' 't2|acq(l)|'
