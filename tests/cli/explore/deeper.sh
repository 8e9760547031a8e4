# Threads that never end: short runs are searched first, then longer ones, so that a thread that
# ends is seen with all the others do.
# In make test-long only.
cat >endless.hdm <<END
shared x, y, s;
thread a { while (1) { x = 1 - x; } }
thread b { while (1) { y = x; } }
thread c { local i, v; while (i < 2) { v = x; if (v) s = s + 1; i = i + 1; } assert (s != 2); }
END
heddle explore -q -j1 endless.hdm | sed -n '1p;/assertion/p'
cat >apart.hdm <<END
shared x, y;
thread a { while (1) { x = x + 1; } }
thread b { while (1) { y = y + 1; } }
END
heddle explore -q -j1 --json apart.hdm | jq -c '.verdict.why_not[].text'
# A thread with many steps that does end.
cat >long.hdm <<END
shared x[2], s;
thread a[2] { local i; while (i < 5000) { x[id] = x[id] + 1; i = i + 1; } s = s + 1; }
END
heddle explore -q -j1 --json long.hdm | jq -c '[.verdict.complete, .result.executions]'
heddle explore -q -j1 --json --depth=3000 long.hdm | jq -c '[.verdict.complete, .verdict.why_not[].text]'
