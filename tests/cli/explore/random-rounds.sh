# Random runs of a program with loops that try again: what is learnt of the loops does not start
# them over, so that nearly all runs are among those that were asked for.
cat >stack.c <<END
#include <pthread.h>
#include <stdatomic.h>
static atomic_int head, next[4];
static void push(int node) {
    int old = atomic_load(&head);
    do
        atomic_store(&next[node], old);
    while (!atomic_compare_exchange_weak(&head, &old, node));
}
static int pop(void) {
    int node = atomic_load(&head);
    while (node && !atomic_compare_exchange_weak(&head, &node, atomic_load(&next[node])))
        ;
    return node;
}
static void *work(void *number) {
    push((int)(long)number);
    pop();
    return 0;
}
int main(void) {
    pthread_t thread[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], 0);
    return 0;
}
END
heddle cc -O1 -o stack stack.c
for how in --random=400 '--pct=3 --random=400'; do
    heddle explore -q --no-race --json $how ./stack |
        jq -c '[.result.executions + .result.blocked + .result.cut, .result.executed < 1200]'
done
