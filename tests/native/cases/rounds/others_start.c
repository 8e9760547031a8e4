// truth: right. The other thread, up to its first step, runs while this one is in its first round.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static volatile int own = 1;

static void *set(void *unused) {
    own = 2;
    done = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    while (!done)
        ;
    pthread_join(other, NULL);
}
