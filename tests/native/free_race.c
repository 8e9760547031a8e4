/* Two threads are at it at the same time for sure: neither synchronises between its accesses to
 * `racy` and the end of a sleep.  Those to `locked` and `handed` are in an order that is known. */
//@ free
//@ guessed racy
//@ output 1
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int racy, locked, handed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    locked++;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
    racy = 1;
    usleep(20000);
    racy = 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    handed = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    handed += locked + racy;
    printf("%d\n", handed == 4);
    return 0;
}
