# Ctrl-C: nothing found so far is no verdict.
# In make test-long only.
heddle generate grid 12 12 -o grid.std
heddle detect --algorithm=lex grid.std 'pos(T1) > 11 && pos(T2) * pos(T3) < 0' >out &
# Until it has a handler it ignores the signal, as jobs in the background do.
while sleep 1 && kill -INT $! 2>/dev/null; do
    for i in $(seq 40); do kill -0 $! 2>/dev/null && sleep 0.1; done
done
wait $!
echo "status $?"
cat out
