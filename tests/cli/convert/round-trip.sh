# Text to binary and back, byte for byte.
heddle generate locks 5 2000 --rwlocks 300 --waits 200 --barriers 50 --semaphores 100 -o a.std
heddle generate bank 3 20 -o b.std
heddle generate like conpool -o c.std
for name in a b c; do
    heddle convert $name.std $name.htr
    heddle convert $name.htr again.std
    cmp $name.std again.std && head -c 4 $name.htr | tail -c 3 && echo
done
