# Every run: by the last state, by intervals, by a search, which shows a run that avoids it.
cat >a.std <<'END'
a|mark(start)|1
b|mark(start)|2
a|send(s)|3
b|recv(s)|4
a|mark(end)|5
b|mark(end)|6
END
heddle detect --definitely --explain a.std 'at(a, start) && at(b, start)'
echo "status $?"
heddle detect --definitely --explain a.std 'pos(a) >= 2 && pos(b) >= 1'
echo "status $?"
heddle detect --definitely --explain -o w.std a.std 'count(start) > 1'
echo "status $?"
heddle validate a.std w.std
heddle detect --definitely --explain a.std 'count(start) > 0'
echo "status $?"
heddle detect --definitely --model=loset $ROOT/examples/race/opposite.std 'done(a)'
echo "status $?"
