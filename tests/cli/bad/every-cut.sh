# A binary file cut anywhere is refused in one line; so is one with a byte changed.
heddle generate locks 2 20 -o a.htr
size=$(stat -c %s a.htr)
for ((i = 1; i < size; i += 7)); do
    head -c "$i" a.htr >b.htr
    heddle validate b.htr 2>err && echo "taken: $i"
    [ "$(wc -l <err)" = 1 ] || cat err
done
for ((i = 0; i < size; i += 11)); do
    cp a.htr b.htr
    byte=$(od -An -tu1 -j "$i" -N 1 a.htr)
    printf "\\x$(printf %x $((byte ^ 255)))" | dd of=b.htr bs=1 seek="$i" conv=notrunc status=none
    heddle validate b.htr 2>err && echo "taken: $i"
    [ "$(wc -l <err)" = 1 ] || cat err
done
echo done
