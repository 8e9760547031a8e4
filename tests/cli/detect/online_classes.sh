# Online, predicates of a class take polynomial time: 16 threads of 82 events.
# In make test-long only.
awk 'BEGIN {
    seed = 7
    for (i = 0; i < 82; i++)
        for (t = 0; t < 16; t++) {
            seed = (seed * 1103 + 12345) % 65536
            r = int(seed / 64) % 100
            v = int(seed / 8) % 5
            c = "c" (int(seed / 512) % 4)
            if (r < 30) printf "T%d|mark(a)|\n", t
            else if (r < 60) printf "T%d|mark(b)|\n", t
            else if (r < 80) printf "T%d|mark(x=%d)|\n", t, v
            else if (r < 90) { printf "T%d|send(%s)|\n", t, c; n[c]++ }
            else if (n[c] > 0) { printf "T%d|recv(%s)|\n", t, c; n[c]-- }
            else printf "T%d|mark(y=%d)|\n", t, v
        }
}' </dev/null >wide.std
ask() {
    heddle detect --online "$@" >answer
    local status=$?
    head -1 answer
    echo "status $status"
}
ask wide.std 'all(at(a)) && T1.x > 9'
ask wide.std 'all(at(a)) || all(at(b))'
ask wide.std 'sum(x) > 64'
ask wide.std 'count(a) > 12'
ask wide.std 'count(a) > 12 && count(b) > 3'
ask wide.std 'at(T1, a) && at(T2, b) && sum(x) > 64'
ask wide.std 'count(at(a) by x) > 15'
ask --model=loset --class=consistent wide.std 'sum(x) > 64'

echo '-- one that has no class is stopped'
ask --time=0.3 wide.std 'min(x) * max(x) == 7 && count(a) > 3'
timeout 0.5 heddle detect --online wide.std 'min(x) * max(x) == 7 && count(a) > 3' | sed -n 2p
