try() {
    heddle test "$@"
    echo "status $?"
}
declare_box() {
    printf '#include <heddle/linear.h>\nHEDDLE_LINEAR(box, int%s) {}\n' "$1"
    printf 'HEDDLE_OPERATION(box, get%s) { return 0; }\nHEDDLE_MODEL(box, get) { return 0; }\n' "$2"
}
declare_box '' '' >good.c
declare_box ', "threads=9"' '' >threads.c
declare_box ', "threads=7 operations=8"' '' >calls.c
declare_box ', "colour=red"' '' >option.c
declare_box '' ', "1;2"' >domain.c
declare_box ', "after=put"' '' >after.c
printf '#include <heddle/linear.h>\nHEDDLE_LINEAR(box, int) {}\n' >none.c
declare_box '' '' | sed 's/get/a_name_of_forty_characters_and_one_more_xy/' >name.c
try good.c --size=2
try good.c --size=8x1
try good.c --size=2x0
try good.c --clients=0
try threads.c
try calls.c
try option.c
try domain.c
try none.c
try after.c
try name.c
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
