// expected: false(unreach-call) false(no-data-race); with -DFIXED: true
// Threads get the address of one variable as their number.
#include <assert.h>
#include <pthread.h>

int seen[2];

static void *work(void *number) {
#ifdef FIXED
    int me = (int)(long)number;
#else
    int me = *(int *)number;
#endif
    if (me < 2)
        seen[me] = 1;
    return NULL;
}

int main(void) {
    pthread_t all[2];
    static int i;
    for (i = 0; i < 2; i++)
#ifdef FIXED
        pthread_create(&all[i], NULL, work, (void *)(long)i);
#else
        pthread_create(&all[i], NULL, work, &i);
#endif
    pthread_join(all[0], NULL);
    pthread_join(all[1], NULL);
    assert(seen[0] && seen[1]);
    return 0;
}
