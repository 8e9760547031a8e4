# A page is written as long as there is time, and a moment more: then schedules are left out, and the
# page and a warning say so.  Thousands of races are found one after the other, and the time is never
# enough for all.
# In make test-long only.
for thread in a b; do
    for i in $(seq 4000); do
        echo "$thread|w(x$i)|$thread.c:$i"
    done
done >many.std
heddle check --time=1 -o out --html=page.html many.std >text 2>said
echo "status $?"
grep -c -e '^heddle: .*page.html: no time was left to write the schedule of [0-9,]* findings$' said
[ $(grep -o -e 'left out: no time was left to write it' page.html | wc -l) -gt 10 ]
echo "said in the page: $?"
heddle check --time=100 --ask=race -o out --html=page.html "$ROOT"/examples/detect/bank.std >text 2>said
grep -c -e 'left out' page.html said
true
