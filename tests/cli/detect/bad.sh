# A predicate that is wrong is pointed at; bad usage is one line.  Always status 2.
printf 'a|w(x=1)|1\nb|w(x)|2\na|mark(m)|3\na|mark(n=1)|4\nb|mark(n=2)|5\na|acq(l)|6\n' >a.std
for predicate in '' '1' 'at(a, m' 'at(m)' 'at(a, q)' 'a.n + at(a, m) > 1' 'x > 1' 'a.x > 0 && b.x > 0' \
    'n > 1' 'c.n > 1' 'count(count(m) > 1) > 1' 'count(a.n > 1) > 1' 'a.n = 1' 'a.n & 1' '1 < 2 < 3' \
    'foo(a)' 'race(some)' '"open' '99999999999999999999 > 1' 'a.n > 1 $' 'held(k)' 'true true' '!a.n' \
    'any(pos())' 'sum(m)' 'mutex(m)' 'any(race || held(l))' 'count(at(m) by mutex(m, n)) > 1'; do
    heddle detect a.std "$predicate"
    echo $?
done
for words in '--class=viable' '--all --count' '--definitely --all' '--max=3' '--algorithm=diagram' \
    '--witness=-' '--count -o w.std' '--model=loset --class=feasible --definitely' '--threads=0'; do
    heddle detect $words a.std 'pos(a) > 1'
    echo $?
done
heddle detect a.std
echo $?
heddle detect missing.std 'pos(a) > 1'
echo $?
