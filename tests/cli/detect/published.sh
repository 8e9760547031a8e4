# The predicates of the dissertation on its examples: Algorithms 7 to 10, Figures 1.4 to 1.6.
cd $ROOT/examples/detect
heddle detect --explain bank.std 'count(transfer) > 2'
echo "status $?"
heddle detect bank.std 'sum(amount) > 85'
echo "status $?"
heddle detect --explain elevator.std 'count(at("stop") by floor, dir) > 2'
echo "status $?"
heddle detect elevator.std 'count(at("stop") by floor, dir) > 3'
echo "status $?"
heddle detect --explain file.std 'at(t1, open) && at(t2, open)'
echo "status $?"
heddle detect --explain --model=loset file.std 'at(t1, open) && at(t2, open)'
echo "status $?"
heddle detect --explain $ROOT/tests/data/examples/fig1.2.std race
echo "status $?"
