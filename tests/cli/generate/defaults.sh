# Every family with its initial numbers, by checksum: a trace never changes.
for family in grid forkjoin chains product subsets partitions permutations handover bank poset locks; do
    echo "$family $(heddle generate $family | cksum)"
done
