# Blocks that are not serializable by two variables: the example, each way that two accesses
# conflict, locks, one report for one defect, what a witness must say.
cp "$ROOT/examples/blocks/range.c" .
heddle cc -g -O1 -o range range.c
heddle record -q -o range.htr ./range
heddle race range.htr | head -1
heddle race --blocks -o witness range.htr | sed -n '1p;/^atomicity/,/because/p'
heddle replay -q ./range witness
echo "status $?"
heddle cc -g -O1 -DFIXED -o fixed range.c
heddle record -q -o fixed.htr ./fixed
heddle race --blocks fixed.htr | sed -n '1p;/^  violations/,$p'

echo; echo "== reads and writes on either side; halves by two threads do not count"
cat >cases.std <<END
main|w(a=0)|m.c:1
main|w(b=0)|m.c:2
main|w(c=0)|m.c:3
main|fork(t)|m.c:4
main|fork(u)|m.c:5
main|fork(v)|m.c:6
main|fork(w)|m.c:7
t|begin(outer)|t.c:1
t|begin(inner)|t.c:2
t|w(a=1)|t.c:3
t|end()|t.c:4
t|r(b=0)|t.c:5
t|r(c=0)|t.c:6
t|end()|t.c:7
u|r(a=1)|u.c:1
u|w(b=2)|u.c:2
v|r(a=1)|v.c:1
w|w(c=2)|w.c:1
END
heddle race --blocks -o w cases.std | sed '/schedule/,$d'
heddle validate cases.std w
heddle race --blocks --all --summary cases.std | sed -n '/^  violations/p'

echo; echo "== one hold covers the block, or not"
cat >held.std <<END
t|begin(b)|t.c:1
t|acq(l)|t.c:2
t|r(x=0)|t.c:3
t|r(y=0)|t.c:4
t|rel(l)|t.c:5
t|end(b)|t.c:6
u|w(x=1)|u.c:1
u|acq(l)|u.c:2
u|w(y=1)|u.c:3
u|rel(l)|u.c:4
END
heddle race --blocks held.std | sed -n '1p;/asked/p'
sed 's/^t|r(y/t|rel(l)|t.c:7\nt|acq(l)|t.c:8\n&/' held.std | heddle race --blocks - | sed -n '1p;/asked/p'

echo; echo "== one variable says it already"
cat >once.std <<END
t|begin(b)|t.c:1
t|r(x=0)|t.c:2
t|r(y=0)|t.c:3
t|r(y=0)|t.c:4
t|end(b)|t.c:5
u|w(x=1)|u.c:1
u|w(y=1)|u.c:2
END
heddle race --blocks once.std | grep '^atom\|^  [fbs][a-z]*  *event'

echo; echo "== suppressed for one variable, not for another one at the same places"
cat >places.std <<END
t|begin(b)|t.c:1
t|r(x=0)|t.c:2
t|r(y=0)|t.c:3
t|r(z=0)|t.c:3
t|end(b)|t.c:5
u|w(x=1)|u.c:1
u|w(y=1)|u.c:2
u|w(z=1)|u.c:2
END
heddle race --blocks --summary places.std | grep '^  violations'
echo 'variable:y' >rules
heddle race --blocks --suppressions=rules places.std | grep '^atom\|^  [fbs][a-z]*  *event'

echo; echo "== as JSON, read again"
heddle race --blocks --json cases.std >cases.json
grep -o '"first": [0-9]*, "between": [0-9]*, "second": [0-9]*, "back": [0-9]*' cases.json
heddle report cases.json | sed -n '/^1\./,/found by/p'
heddle view --html=page.html cases.json && grep -c '"back": *16' page.html
heddle view --html=again.html cases.std w && grep -c '"back": *16' again.html

echo; echo "== a witness that claims too much"
for claim in '10 15 16 13' '10 16 15 12' '10 17 16 12' '10 15 16 99' '10 15 0 12' '10 15 16 12 12' '11 15 16 12'; do
    sed "s/atomicity [0-9 ]*/atomicity $claim/" w >wrong
    heddle validate cases.std wrong
done
