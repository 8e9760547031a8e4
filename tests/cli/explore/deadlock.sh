# Who waits for what: locks and their holders, conditions with their values, a
# thread that waits for itself.
heddle explore "$ROOT/examples/models/philosophers.hdm" -D N=2 | sed '/^$/,$!d'
cat >self.hdm <<END
shared go = 3;
mutex m;
thread self { lock m; lock m; }
thread other { await (go == 4 && go > 1); }
thread third { lock m; unlock m; await (go < 0); }
END
heddle explore --algorithm=naive --stop=never self.hdm | sed -n '/who waits/,/replay/p'
