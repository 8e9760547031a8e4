# Blocks that are not serializable: the four cases, nested blocks, locks, limits, files.
cat >cases.std <<END
main|w(a=0)|m.c:1
main|w(b=0)|m.c:2
main|w(c=0)|m.c:3
main|w(d=0)|m.c:4
t|begin(outer)|t.c:1
t|r(a=0)|t.c:2
t|r(a=0)|t.c:3
t|w(b=1)|t.c:4
t|begin(inner)|t.c:5
t|r(b=1)|t.c:6
t|r(c=0)|t.c:7
t|end()|t.c:8
t|w(c=1)|t.c:9
t|w(d=1)|t.c:10
t|w(d=2)|t.c:11
t|end()|t.c:12
t|r(a=0)|t.c:13
u|w(a=7)|u.c:1
u|w(b=7)|u.c:2
u|w(c=7)|u.c:3
u|r(d=2)|u.c:4
END
heddle race --blocks -o w cases.std
echo "status $?"
for i in w w.2 w.3 w.4; do heddle validate cases.std $i | head -1; done

echo; echo "== one hold covers the block, as long as it is the same"
cat >held.std <<END
main|w(x=0)|m.c:1
t|begin(b)|t.c:1
t|acq(l)|t.c:2
t|r(x=0)|t.c:3
t|r(x=0)|t.c:4
t|rel(l)|t.c:5
t|end(b)|t.c:6
u|acq(l)|u.c:1
u|w(x=1)|u.c:2
u|rel(l)|u.c:3
END
heddle race --blocks held.std
echo "status $?"
sed 's/^t|r(x=0)|t.c:4/t|rel(l)|t.c:7\nt|acq(l)|t.c:8\n&/' held.std >twice.std
heddle race --blocks --summary twice.std
echo "status $?"

echo; echo "== every event, suppressed, as JSON, read again"
heddle race --blocks --all --summary cases.std | grep violations
echo 'variable:x' >rules
heddle race --blocks --suppressions=rules twice.std | head -1
echo "status $?"
heddle race --blocks --json twice.std >twice.json
heddle report twice.json | sed -n '/^1\./,/found by/p'
heddle view --html=page.html twice.json && grep -c '"kind":"atomicity"\|"kind": "atomicity"' page.html

echo; echo "== nothing to ask, and what does not go together"
printf 't|w(x)|\nu|w(x)|\n' >none.std
heddle race --blocks none.std
echo "status $?"
heddle race --blocks --method=hb none.std
echo "status $?"

echo; echo "== a witness that claims too much"
sed 's/atomicity [0-9 ]*/atomicity 6 18 17/' w >wrong
heddle validate cases.std wrong | head -1
sed 's/atomicity [0-9 ]*/atomicity 6 18/' w >short
heddle validate cases.std short

echo; echo "== many blocks, one in another; a write after a read is asked about in the inner one"
{
    yes 't|begin()|' | head -5000
    printf '%s\n' 't|w(x)|t.c:1' 't|begin()|' 't|r(x)|t.c:2' 't|w(x)|t.c:3' 'u|w(x)|u.c:1'
} >deep.std
heddle race --blocks deep.std | sed -n '1p;/^  blocks/p;/^  [bfs][a-z]*  *event/p'
