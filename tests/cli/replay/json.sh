cat >publish.hdm <<END
shared ready, data;
thread writer { ready = 1; data = 42; }
thread reader { await (ready == 1); assert (data == 42); }
END
heddle explore -o w.std publish.hdm >/dev/null
heddle replay --json publish.hdm w.std >out
echo "status $?"
heddle replay --json --to=1 publish.hdm w.std >>out
heddle explore -D N=2 -o p.std "$ROOT/examples/models/philosophers.hdm" >/dev/null
heddle replay --json "$ROOT/examples/models/philosophers.hdm" p.std >>out
sed -i 's/ready = 1; data/data = 1; ready = 1; data/' publish.hdm
heddle replay --json publish.hdm w.std >>out
sed -i '/^writer/d; /^reader/d' w.std
sed -i 's/data = 1; ready/ready/; s/assert (data == 42)/assert (data == 0)/' publish.hdm
heddle replay --json publish.hdm w.std >>out
jq -nc 'def answer(what): input | what;
    answer(keys_unsorted, .command, .complete, .result, .findings),
    answer(.complete, .result.verdict, (.result.steps | length), .findings),
    answer(.findings),
    answer(.result.verdict, .result.reason, .findings), inputs' out
