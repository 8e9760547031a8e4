# Saved schedules are witnesses that validate accepts, of final reads too.
printf 'm|w(x=1)|\na|r(x=1)|\nb|w(x=2)|\n' >t.std
heddle nondet t.std -o w.std
echo "status $?"
for file in w.std w.std.2; do
    cat $file
    heddle validate t.std $file
    echo "status $?"
done
heddle nondet t.std -o -
echo "status $?"
