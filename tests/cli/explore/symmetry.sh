# Threads that do the same, up to permutation; what --symmetry is not for.
cat >m.hdm <<'END'
shared x = 0;
mutex m;
thread worker[4] { lock m; x = x + 1; unlock m; }
END
heddle explore --symmetry -j1 --json m.hdm | jq -c '.result.executions, [.verdict.rests_on[] | select(.code == "symmetry")]'
cat >i.hdm <<'END'
shared x[3], sum = 0;
thread worker[3] { local v; x[id] = 1; v = sum; sum = v + 1; }
END
for option in --algorithm=sdpor --symmetry --symmetry=worker; do
    heddle explore $option -j1 --json i.hdm
done | jq -c '[.result.executions, [.verdict.rests_on[] | select(.code == "symmetry") | .text]]'
for option in --bound=preemptions=1 --random=10 --algorithm=epor --checkpoint=c --classes=reads \
    --algorithm=unfold; do
    heddle explore --symmetry $option m.hdm
    echo "status $?"
done
# All three may read 0 before one of them writes; whether their first step writes depends on that.
cat >c.hdm <<'END'
shared x = 0, done = 0;
thread worker[3] { local v; v = cas(x, 1, 1); v = x; x = v + 1; done = done + 1; }
thread last { await (done == 3); assert (x != 1); }
END
for option in '' --symmetry; do heddle explore --algorithm=sdpor $option -j1 c.hdm | head -1; done
