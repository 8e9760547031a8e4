# Larger ones, by checksum: many steps of the generator.
heddle generate bank 8 500 --accounts 20 --seed 18446744073709551615 | cksum
heddle generate poset 12 20000 --probability 700 --seed 5 | cksum
heddle generate locks 8 20000 --locks 9 --variables 30 --rwlocks 300 --waits 100 --barriers 20 \
    --semaphores 50 --seed 5 | cksum
