# A trace that needs more than --memory: one line, status 2, nothing left behind.
# In make test-long only.
printf 'T0|w(x)|\n' >a.std
awk 'BEGIN {
    name = sprintf("%400s", "")
    gsub(/ /, "n", name)
    for (i = 0; i < 200000; i++) printf "T0|w(%s%x)|\n", name, i
}' >many.std
for command in info validate race "convert many.htr" "convert --to=text many.txt"; do
    set -- $command
    name=$1
    shift
    if [ "$name" = convert ]; then
        set -- many.std "$@"
    else
        set -- many.std
    fi
    heddle "$name" --memory=64M "$@" >output
    echo "$name: status $?"
done
ls
heddle info --memory=600M many.std | head -3
heddle info --memory=1 a.std >output
echo "status $?"
heddle info --quiet --memory=63M a.std >output
echo "status $?"
for size in 0 M 1.5G 12X ''; do
    heddle info --memory="$size" many.std
    echo "status $?"
done
