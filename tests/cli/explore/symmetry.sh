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
for option in --algorithm=sdpor --symmetry --symmetry=other --symmetry=worker; do
    heddle explore $option -j1 --json i.hdm | jq -c '[.result.executions, [.verdict.rests_on[] | select(.code == "symmetry") | .text]]'
done
for option in --bound=preemptions=1 --random=10 --algorithm=epor --checkpoint=c --classes=reads \
    --algorithm=unfold; do
    heddle explore --symmetry $option m.hdm
    echo "status $?"
done
