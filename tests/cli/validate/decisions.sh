# Claims that keep decisions: which reads matter.
check() { # the claim, the events of the schedule
    claim=$1
    shift
    {
        echo "# heddle witness 1"
        echo "# claim: $claim"
        for n in "$@"; do sed -n "${n}p" trace.std; done
    } >witness
    heddle validate trace.std witness 2>&1 | head -1
}
cat >trace.std <<END
a|w(x=1)|
b|r(x=1)|
b|w.certain(y=1)|
c|r(y=1)|
c|mark(here)|
a|w(z=1)|
b|w.certain(z=2)|
END
echo "a read before nothing but certain events"
check 'reordering, decisions kept' 2
check 'reordering' 2
check 'reordering, decisions kept' 2 3
check 'race 6 7, decisions kept' 1 2 3
check 'race 6 7, decisions kept' 2 3 1
sed -i 's/b|w.certain(z/b|w(z/' trace.std
check 'race 6 7, decisions kept' 2 3 1
check 'race 6 7, decisions kept' 1 2 3
echo "what it wrote is read, and that read matters or not"
check 'reordering, decisions kept' 2 3 4
check 'reordering, decisions kept' 2 3 4 5
check 'reordering, decisions kept' 1 2 3 4 5
check 'reordering, decisions kept' 4 2 3
check 'reordering, decisions kept' 4 5
cat >trace.std <<END
m|fork(a)|
m|w(x=1)|
a|r(x=1)|
a|w(y=1)|
m|join(a)|
m|rmw(x=2)|
m|w(y=2)|
END
echo "an event that is not certain, in the schedule or next after it"
check 'reordering, decisions kept' 1 3 2
check 'reordering, decisions kept' 1 3 4
sed -i s/w/w.certain/ trace.std
echo "a thread that is joined"
check 'reordering, decisions kept' 1 3 4 2
check 'reordering, decisions kept' 1 3 4 2 5
echo "an atomic read"
cat >trace.std <<END
a|aw(x=1)|
b|ar(x=1)|
END
check 'reordering, decisions kept' 2
check 'reordering, decisions kept' 1 2
echo "claims that cannot"
check 'unordered 1 2, decisions kept' 1
check 'state a=1, decisions kept' 1
check 'reordering, reads let go, decisions kept' 1
check 'recorded deadlock, decisions kept' 1
