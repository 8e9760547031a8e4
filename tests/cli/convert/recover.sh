# What is whole of a file that was cut off: blocks are 32,768 events.
heddle generate grid 3 30000 -o a.std
heddle convert a.std a.htr
size=$(stat -c %s a.htr)
for cut in 1 60 100; do
    head -c $((size - cut)) a.htr >cut.htr
    heddle convert cut.htr b.std
    echo "status $?"
    heddle convert --recover cut.htr b.std
    echo "status $?"
    grep -c '|' b.std
    tail -n 1 b.std
    cmp <(head -n 65536 a.std) <(head -n 65536 b.std)
    rm b.std
done
ls
