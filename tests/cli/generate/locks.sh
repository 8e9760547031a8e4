heddle generate locks 3 40
echo '# everything'
heddle generate locks 4 60 --locks 2 --variables 3 --rwlocks 500 --waits 300 --barriers 100 \
    --semaphores 200 --seed 3
