# Each waits for a lock that another of them holds.
cat >t.std <<'END'
a|acq(k)|
a|acq(l)|
a|rel(l)|
a|rel(k)|
b|acq(l)|
b|acq(k)|
b|rel(k)|
b|rel(l)|
END
check() {
    { printf '# heddle witness 1\n# claim: %s\n' "$1"; shift; printf '%s\n' "$@"; } >w.std
    heddle validate t.std w.std
    echo "status $?"
}
check 'deadlock 2 6' 'a|acq(k)|' 'b|acq(l)|'
check 'deadlock 6 2' 'b|acq(l)|' 'a|acq(k)|'
check 'deadlock 2 6' 'a|acq(k)|'
check 'deadlock 2 5' 'a|acq(k)|'
check 'deadlock 2 3' 'a|acq(k)|' 'b|acq(l)|'
check 'deadlock 2' 'a|acq(k)|' 'b|acq(l)|'
check 'deadlock 2 6' 'a|acq(k)|' 'a|acq(l)|' 'b|acq(l)|'
