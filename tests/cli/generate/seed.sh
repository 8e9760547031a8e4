# The same seed gives the same trace, another one another; 1 is the initial one.
for family in 'bank 2 5' 'poset 4 50' 'locks 3 60' 'like conpool'; do
    heddle generate $family >a
    heddle generate $family --seed 1 >b
    heddle generate $family --seed 2 >c
    cmp a b && cmp -s a c || echo "$family: as it should be"
done
for family in 'grid 2 2' 'forkjoin 2 2' 'chains 2 4' 'product 2 2' 'handover 2 2'; do
    cmp <(heddle generate $family) <(heddle generate $family --seed 2) && echo "$family: no seed"
done
