# A choice of thousands: each way once, and its own time is not spent on looking which are left.
# In make test-long only.
cat >ways.hdm <<'M'
shared x;
thread a { local c; c = choose(0, 4095); x = c; }
thread b { x = 1; }
M
for algorithm in odpor epor; do
    heddle explore -a $algorithm ways.hdm | grep -E 'search|executions'
done
# One whose ways other steps find, too, in time.
cat >more.hdm <<'M'
shared x;
thread b { x = 1; assert (x != 7); }
thread a { local c; x = 3; c = choose(0, x + 65000); x = c; }
thread d { x = 2; }
M
for algorithm in odpor epor epor-sh; do
    timeout 20 heddle explore -a $algorithm --stop=never --time=0.2 more.hdm >out
    echo "status $?"
    grep -o 'stopped by the limit on time' out
done
