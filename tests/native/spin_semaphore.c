/* Spin locks and semaphores, tried and timed. */
//@ output 4 ok
//@ events fork=2 join=2 post=3 take=4
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_spinlock_t spin;
static sem_t items;
static int count;

static void *worker(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_spin_lock(&spin);
        count++;
        pthread_spin_unlock(&spin);
    }
    sem_post(&items);
    return unused;
}

int main(void) {
    pthread_t thread[2];
    pthread_spin_init(&spin, 0);
    sem_init(&items, 0, 1);
    sem_wait(&items);
    assert(sem_trywait(&items) == -1 && errno == EAGAIN);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    assert(sem_timedwait(&items, &until) == -1 && errno == ETIMEDOUT);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        sem_wait(&items);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(pthread_spin_trylock(&spin) == 0);
    assert(pthread_spin_trylock(&spin) == EBUSY);
    pthread_spin_unlock(&spin);
    sem_post(&items);
    int value;
    assert(sem_getvalue(&items, &value) == 0 && value == 1);
    assert(sem_trywait(&items) == 0);
    sem_destroy(&items);
    printf("%d ok\n", count);
    return 0;
}
