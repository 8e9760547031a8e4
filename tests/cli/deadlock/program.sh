# A program that can hang, and one that takes its locks under a gate.
cp "$ROOT"/examples/deadlocks/philosophers.c .
heddle cc -g -O1 -o philosophers philosophers.c
heddle cc -g -O1 -DGATE -o gate philosophers.c
heddle deadlock -o witness ./philosophers 3
echo "status $?"
heddle replay -q ./philosophers witness 3
echo "status $?"
heddle deadlock ./gate 3
echo "status $?"
heddle deadlock --json ./philosophers 3 >before.json
heddle deadlock --summary --baseline=before.json ./philosophers 3
echo "status $?"
heddle deadlock --all ./philosophers
heddle deadlock --time=3 "$ROOT/examples/race/gate.std"
