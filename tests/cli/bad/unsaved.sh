# What was found is told even if its witness cannot be saved, also after the time is up.
cat >model.hdm <<'END'
shared x;
thread w[9] { local i; while (i < 4) { x = x + 1; i++; } assert(x > 9); }
END
heddle generate locks 4 3000 --variables=10 --locks=5 -o locks.htr
try() {
    "$@" >answer 2>said
    echo "status $?: $(cat said)"
    grep -cE 'fails: a schedule|"message"' answer
}
try heddle explore --stop=never --time=0.5 -o /dev/full model.hdm
try heddle explore -o none/witness.std model.hdm
try heddle deadlock --json -o /dev/full locks.htr
try heddle race --json -o none/witness.std locks.htr
try heddle nondet --json -o /dev/full locks.htr
ls | grep none
echo done
