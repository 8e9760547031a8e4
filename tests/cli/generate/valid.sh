# What is generated is a run, with every option and many seeds.
for seed in 1 2 3 4 5 6 7 8; do
    heddle generate locks 6 400 --locks 3 --variables 2 --rwlocks 500 --waits 500 --barriers 100 \
        --semaphores 200 --seed $seed | heddle validate -
    heddle generate bank 5 20 --accounts 2 --seed $seed | heddle validate -
    heddle generate poset 5 500 --seed $seed | heddle validate -
done | sort | uniq -c | sed 's/^ *//'
