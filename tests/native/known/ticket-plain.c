// expected: false(unreach-call) false(no-data-race); with -DFIXED: true
// The next ticket is drawn without an atomic operation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int served;
#ifdef FIXED
atomic_int next_ticket;
#else
int next_ticket;
#endif
int drawn[2];

static void *draw(void *number) {
    long me = (long)number;
    drawn[me] = next_ticket++;
    atomic_fetch_add(&served, 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, draw, (void *)0);
    pthread_create(&b, NULL, draw, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(drawn[0] != drawn[1]);
    return 0;
}
