# In make test-long only.
try() {
    heddle test "$@"
    echo "status $?"
}
# structure NAME OPTIONS OPERATION ARGUMENTS
structure() {
    printf 'HEDDLE_LINEAR(%s, int%s) {}\n' "$1" "$2"
    printf 'HEDDLE_OPERATION(%s, %s%s) { return 0; }\nHEDDLE_MODEL(%s, %s) { return 0; }\n' "$1" "$3" "$4" "$1" "$3"
}
{
    echo '#include <heddle/linear.h>'
    structure box '' get ''
} >good.c
{
    echo '#include <heddle/linear.h>'
    structure threads ', "threads=9"' get ''
    structure calls ', "threads=7 operations=8"' get ''
    structure option ', "colour=red"' get ''
    structure domain '' get ', "1;2"'
    structure after ', "after=put"' get ''
    structure name '' a_name_of_forty_characters_and_one_more_xy ''
    echo 'HEDDLE_LINEAR(none, int) {}'
} >bad.c
heddle cc bad.c -o bad
try good.c --size=2
try good.c --size=8x1
try good.c --size=2x0
try good.c --clients=0
for name in threads calls option domain none after name; do
    try ./bad --filter=$name
done
# The model is wrong at once.
sed '/MODEL/s/return 0/return 1/' good.c >first.c
heddle test first.c | sed -n '/no order/,/cannot come/p'
heddle cc good.c -o good
./good --run box --client 'get() | put()'
echo "status $?"
./good --run box --client 'get(1)'
echo "status $?"
./good
gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$ROOT/include" good.c -o plain -pthread && ./plain
