# Binary files that were cut, changed, or are something else.
# So small a file is not compressed: names at 16, a block at 82, the end at 151.
printf 'main|fork(a)|m.c:3\na|w4(x=5)|a.c:1\nmain|join(a)|m.c:4\nmain|r4(x=5)|m.c:5\n' |
    heddle convert -t binary - a.htr
size=$(stat -c %s a.htr)
change() { # of a.htr, the byte at $1 is now $2
    cp a.htr b.htr
    printf "$2" | dd of=b.htr bs=1 seek="$1" conv=notrunc status=none
}
try() {
    heddle convert b.htr c.std
    echo "status $?"
    heddle info b.htr >/dev/null
    echo "status $?"
}
head -c 10 a.htr >b.htr; try
head -c 20 a.htr >b.htr; try
head -c 60 a.htr >b.htr; try
head -c $((size - 1)) a.htr >b.htr; try
{ cat a.htr; echo; } >b.htr; try
change 1 X; try
change 8 '\011'; try
change 12 X; try
change 16 X; try
change 18 X; try
change 23 '\377'; try
change 45 '\377'; try
change 140 '\377'; try
change 175 '\377'; try
{ head -c 16 a.htr; head -c 1000 /dev/zero | tr '\0' '\252'; } >b.htr; try
{ head -c 8 a.htr; head -c 1000 /dev/zero; } >b.htr; try
head -c 1000 /dev/zero >b.htr; try
ls
