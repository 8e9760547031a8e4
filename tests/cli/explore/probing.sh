# Threads that go round two slots until one is free.  A thread that found both taken would be where it
# was: that round is no execution.
cat >probing.hdm <<END
shared slots[2];
thread worker[3] {
    local i;
    i = id / 2;
    while (cas(slots[i], 0, 1) == false)
        i = (i + 1) % 2;
    slots[i] = 0;
}
END
for algorithm in sdpor odpor epor; do
    heddle explore --json -a $algorithm probing.hdm | jq -c '.result | [.executions, .blocked, .covered]'
done
