// expected: false(unreach-call) false(no-data-race); with -DFIXED: true
// The second phase reads what the first one wrote, with no barrier between.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t all;
int part[2];

static void *work(void *number) {
    long me = (long)number;
    part[me] = 1;
#ifdef FIXED
    pthread_barrier_wait(&all);
#endif
    assert(part[1 - me] == 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&all, NULL, 2);
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
