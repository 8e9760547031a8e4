# A witness that is stuck, and parameters that come from it.
cp "$ROOT/examples/models/philosophers.hdm" .
heddle explore -D N=2 -o w.std philosophers.hdm >/dev/null
cat w.std
heddle replay philosophers.hdm w.std
echo "status $?"
heddle info w.std | head -1
heddle validate w.std
heddle validate w.std w.std
echo "status $?"
printf 'thread t { await (false); }\n' >never.hdm
heddle explore -o n.std never.hdm >/dev/null
cat n.std
heddle replay never.hdm n.std
echo "status $?"
