# A recorded trace: both stacks, of a race and of a deadlock, in the answer.
cp "$ROOT"/examples/races/running.c "$ROOT"/examples/deadlocks/philosophers.c .
heddle cc -g -O1 -o running running.c
heddle record -q -o run.htr ./running 2 >/dev/null
heddle race --json run.htr | jq -c '[.findings[0].places[].stack[0] | [.function, .file, .line]]'
heddle cc -g -O1 -o philosophers philosophers.c
heddle record -q -o phil.htr ./philosophers 3 >/dev/null
heddle deadlock --json phil.htr | jq -c '[.findings[0].places[].stack[0].function]'
