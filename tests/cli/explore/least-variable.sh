# Of several variables at the same two lines the least in memory is told, whatever was met first:
# by every algorithm, with any number of workers; and one that is suppressed stands for no other.
cat > two.c << 'END'
#include <pthread.h>
static int cell[3];
static void up(int *to) {
    *to += 1;
}
static void *one(void *none) {
    up(&cell[2]), up(&cell[0]), up(&cell[1]);
    return none;
}
static void *two(void *none) {
    up(&cell[1]), up(&cell[0]), up(&cell[2]);
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
heddle cc -g -o two two.c
for how in "" "-j 2" "-a odpor" "-a unfold" "-a unfold -j 3"; do
    heddle explore -q --find=race --stop=never $how ./two | grep -o 'race: .*' |
        grep -o 'cell\[.\]' | sort | uniq -c
done
for rules in 0 01 012; do
    echo $rules | grep -o . | sed 's/.*/variable:cell\\[&\\]/' > rules
    for how in "-a sdpor" "-a unfold"; do
        heddle explore -q --find=race --stop=never --suppressions=rules $how ./two > out
        echo "without $rules: status $?"
        grep -o 'race: .*' out | grep -o 'cell\[.\]' | sort | uniq -c
    done
done
