# Suppressions of ThreadSanitizer: parts of names of variables, functions and files, whole stacks.
cat > two.c << 'END'
#include <pthread.h>
int hits, misses;
static void count(int *which) {
    ++*which;
}
static void lose(int *which) {
    ++*which;
}
static void outer_hits(void) {
    count(&hits);
}
static void *work(void *none) {
    outer_hits();
    lose(&misses);
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
heddle cc -O0 -g -o two two.c
heddle record -q -o run.htr ./two
for rule in race:outer race_top:outer race_top:coun 'race:^hits$' 'race:^it' 'race:m*ses' race:two.c deadlock:two \
    mutex:two variable:hits; do
    echo "$rule" > rules
    heddle race -q --suppressions=rules run.htr > out
    echo "$rule: status $?, $(grep -c 'data race\|^race' out) $(sed -n 's/^.*: \([0-9]* races\?\|no race\).*/\1/p' out | head -1)"
    grep -e '\[suppress' -e '^  suppressed' out
done
echo 'races:x' > rules
heddle race --suppressions=rules run.htr
echo "status $?"
