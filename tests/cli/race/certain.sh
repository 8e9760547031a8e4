# A race that is shown only because a read need not see what it saw.
trace() {
    cat <<END
main|fork(a)|
main|fork(b)|
a|w(z=1)|a.c:1
a|acq(l)|a.c:2
a|w(x=1)|a.c:3
a|rel(l)|a.c:4
b|acq(l)|b.c:1
b|r(x=1)|b.c:2
b|rel.certain(l)|b.c:3
b|w.certain(z=2)|b.c:4
END
}
trace >certain.std
heddle race -o witness certain.std
echo "status $?"
heddle validate certain.std witness
heddle convert certain.std certain.htr
heddle race certain.htr | head -1
heddle convert certain.htr - | diff certain.std - && echo same
# The read feeds a decision: it is kept.
sed 's/^b|rel.certain/b|rel/' certain.std | heddle race - | head -1
sed 's/^b|w.certain/b|w/' certain.std | heddle race - | head -1
# What was written after it is read where that matters: it is kept.
cat >feeds.std <<END
main|fork(a)|
main|fork(b)|
a|w(z=1)|a.c:1
a|acq(l)|a.c:2
a|w(x=1)|a.c:3
a|rel(l)|a.c:4
b|acq(l)|b.c:1
b|r(x=1)|b.c:2
b|w.certain(y=1)|b.c:3
b|rel.certain(l)|b.c:4
a|acq(l)|a.c:5
a|r(y=1)|a.c:6
a|rel(l)|a.c:7
a|w(v=1)|a.c:8
b|w.certain(v=2)|b.c:5
b|w.certain(z=2)|b.c:6
END
heddle race --all feeds.std | grep -e ' race' -e event -e because
# Bad words.
for op in 'ar.certain(x)' 'tryacq.certain(l)' 'fork.certain(b)' 'w.sure(x)'; do
    echo "a|$op|" | heddle info -
done
