# The example: a recording, its blocks, and the witness replayed on the program.
cp "$ROOT/examples/blocks/account.c" .
heddle cc -g -O1 -o account account.c
heddle record -q -o account.htr ./account
heddle race account.htr | head -1
heddle race --blocks -o witness account.htr | sed -n '1p;/^atomicity/,/because/p'
heddle replay -q ./account witness
echo "status $?"
heddle cc -g -O1 -DFIXED -o fixed account.c
heddle record -q -o fixed.htr ./fixed
heddle race --blocks fixed.htr | head -5
heddle race --blocks ./account
echo "status $?"
