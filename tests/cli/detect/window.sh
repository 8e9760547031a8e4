# With a window events are forgotten, and the answer says so where that matters.
heddle generate chains 3 4000 --every 2 --ring 1 -o ring.std
heddle detect --online --explain ring.std 'pos(T1) > 3999 && pos(T2) < 3000'
echo "status $?"
heddle generate grid 2 300 -o grid.std
heddle detect --online --window=100 --explain grid.std 'pos(T1) == 3 && pos(T2) == 250'
echo "status $?"
heddle detect --online --window=100 grid.std 'pos(T1) == 250 && pos(T2) == 249'
echo "status $?"
heddle detect --online grid.std deadlock
echo "status $?"
