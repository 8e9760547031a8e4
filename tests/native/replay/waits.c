/* A thread waits in a loop of reads.  The failure comes late in the search, when the loop is known
 * to be one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other;

static void *wait_for_it(void *unused) {
    while (flag != 2)
        ;
    assert(other != 3);
    return unused;
}

static void *change(void *unused) {
    for (int i = 1; i <= 4; i++)
        other = i;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait_for_it, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    flag = 1;
    flag = 2;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
