# Stacks are written block by block, and dropped when they are; those of the last events are right.
cat >many.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum, late;
__attribute__((noinline)) static void add(long *to) {
    ++*to;
}
__attribute__((noinline)) static void deep(int more) {
    if (more)
        deep(more - 1);
    else
        add(&late);
}
static void *work(void *none) {
    for (int i = 0; i < 12000; i++) {
        pthread_mutex_lock(&lock);
        add(&sum);
        pthread_mutex_unlock(&lock);
    }
    deep(3);
    return none;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    return 0;
}
C
heddle cc -g -O1 -fno-optimize-sibling-calls -o many many.c
heddle record -q -o run.htr ./many
heddle convert run.htr again.htr
heddle convert again.htr third.htr
heddle info again.htr | head -1
for i in run again third; do
    heddle race --method=hb --json $i.htr | jq -c '.findings[] | [.places[].stack | map([.function, .line])]' >$i
done
cat again
cmp run again
cmp run third
