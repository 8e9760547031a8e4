# Step by step, with what changes; up to a step; the verdict only.
cat >publish.hdm <<END
shared ready, data;
thread writer { ready = 1; data = 42; }
thread reader { await (ready == 1); assert (data == 42); }
END
heddle explore -o w.std publish.hdm >/dev/null
run() { heddle replay "$@"; echo "status $?"; }
run publish.hdm w.std
run publish.hdm w.std --to=2
run publish.hdm w.std --to=3 --quiet
run publish.hdm w.std --to=99 --quiet
run --quiet publish.hdm w.std
run --quiet publish.hdm - <w.std
run --quiet - w.std <publish.hdm
run - -
run --to=0 publish.hdm w.std
run publish.hdm
run none.hdm w.std
run publish.hdm none.std
run publish.hdm .
