# Threads that go round for ever, though each of them has its turns.
cat >back.hdm <<END
shared a, b;
thread one { local done; while (!done) { a = 1; if (b) a = 0; else done = 1; } a = 0; }
thread two { local done; while (!done) { b = 1; if (a) b = 0; else done = 1; } b = 0; }
END
heddle explore -q -j1 -o back.witness back.hdm | sed -n '1p;/^  states/p;/livelock/,$p'
heddle replay back.hdm back.witness | tail -n 1
heddle explore -q -j1 --json back.hdm | jq -c '.findings[] | [.rule, .claim, .cycle, .strategy]'
# Without the last step it is not there yet.
sed 's/^# claim: livelock/# claim: stuck/' back.witness >wrong.witness
heddle replay -q back.hdm wrong.witness
sed '/^# schedule/s/ two:0$//; /^# steps/s/6/5/; $d' back.witness >wrong.witness
heddle replay -q back.hdm wrong.witness
# Philosophers who put their first fork down again.
cat >forks.hdm <<END
mutex sticks[3];
thread philosopher[3] {
  local got;
  while (!got) {
    lock sticks[id];
    got = try lock sticks[(id + 1) % 3];
    if (!got) unlock sticks[id];
  }
  unlock sticks[id];
  unlock sticks[(id + 1) % 3];
}
END
heddle explore -q -j1 forks.hdm | sed -n '1p;/^  states/p;/livelock/p'
# It never ends, as it is meant to; all states are searched.
cat >server.hdm <<END
shared turn, rounds;
thread ping { while (1) { await (turn == 0); turn = 1; } }
thread pong { while (1) { await (turn == 1); rounds = 1 - rounds; turn = 0; } }
invariant (turn < 2);
END
heddle explore -q -j1 server.hdm | sed -n '1p;/^  states/p'
# A fair schedule gives the lock to who asks for it, and then it ends.
cat >poll.hdm <<END
shared done;
mutex m;
thread polls { local seen; while (!seen) { lock m; seen = done; unlock m; } }
thread sets { lock m; done = 1; unlock m; }
END
heddle explore -q -j1 poll.hdm | sed -n '1p;/^  states/p'
# Another choice leads out.
cat >choice.hdm <<END
shared x;
thread a { local v; v = 1; while (v) { x = 1 - x; v = choose(0, 1); } }
END
heddle explore -q -j1 choice.hdm | sed -n '1p;/^  states/p'
