# Every event, hold, must-edge and counter, as JSON.
cat >trace.std <<'END'
main|fork(a)|m.c:1
a|acq(l)|a.c:1
a|w(x=5)|a.c:2
a|mark(floor=3)|a.c:3
a|rel(l)|a.c:4
a|racq(rw)
END
heddle convert --to=perfetto trace.std out.json
jq -c '(.traceEvents[] | select(.ph == "M") | [.pid, .tid, .name, .args.name]),
    (.traceEvents[] | select(.ph != "M") | [.ph, .pid, .tid, .ts, .dur, .name, .id, .args])' out.json
heddle convert --to=perfetto --json trace.std again.json | jq -c .result
cmp out.json again.json
heddle convert --to=perfetto trace.std - | cmp - out.json
heddle convert --to=neither trace.std x.json
echo $?
