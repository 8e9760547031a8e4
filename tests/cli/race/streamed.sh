# hb and shb of a file do not hold it in memory, and say the same as of a pipe, which is held.
heddle generate -q -o t.htr locks 4 100000 --variables=6 --seed=3
for method in hb shb; do
    heddle race --method=$method t.htr >of-file
    echo "status $?"
    heddle race --method=$method - <t.htr | sed 's/^-:/t.htr:/' >of-pipe
    grep -c '^race reported' of-file
    grep -q 'holding l' of-file && cmp of-file of-pipe
done
# 68 MiB of events.
heddle generate -q -o big.htr grid 4 750000
heddle race --memory=64M --method=hb --summary big.htr | head -1
heddle race --memory=64M --method=hb --summary - <big.htr
echo "status $?"
# The stacks of a recording: from its own tables, and of both events.
cp "$ROOT"/tests/fuzz/corpus/fuzz_binary/stacks-packed.htr .
heddle race --method=hb stacks-packed.htr | grep -A5 '^  first'
heddle race --method=hb --json stacks-packed.htr >of-file
heddle race --method=hb --json - <stacks-packed.htr >of-pipe
for i in of-file of-pipe; do jq -c '[.result, .findings]' $i >$i.findings; done
cmp of-file.findings of-pipe.findings
