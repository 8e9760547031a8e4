# Not one whole block: nothing can be kept, nothing is written.
heddle generate grid 3 100 -o a.htr
for size in 3 16 30 100; do
    head -c $size a.htr >cut.htr
    heddle convert --recover cut.htr b.std
    echo "status $?"
done
ls
