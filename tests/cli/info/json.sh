# The keys that others read, and the numbers behind them.
cat >a.std <<'END'
a|acq(l)|1
a|acq(l)|
a|w(x=5)|2
a|rel(l)|
a|rel(l)|
b|tryfail(l)|
b|acq(l)|
b|r(x)|
b|rmw(y)|
b|rel(l)|
# heddle: incomplete lost=7
END
heddle info --json a.std >a.json 2>err
cat err
jq -e '(.command == "info" and .input.file == "a.std" and .complete == false),
    ((.heddle | type) == "string" and (.seconds | type) == "number"),
    (.findings == [])' a.json
jq -c '(.result | {format, events, lost, threads, variables, locks, conditions, barriers, channels,
    blocks, labels, locations, accesses, lock_events, reentrant, shared_variables}),
    (.result.kinds, .result.events_by_thread[], .result.hottest_locks[],
    .result.hottest_variables[])' a.json
