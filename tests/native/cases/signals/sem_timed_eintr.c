/* truth: fails.  sem_timedwait ends with EINTR. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

atomic_int hits;
void handle(int number) {
    (void)number;
    hits++;
}
void set(int number, void (*to)(int), int flags) {
    struct sigaction action = {.sa_handler = to, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

sem_t sem;
pthread_t waiter;
void *work(void *unused) {
    pthread_kill(waiter, SIGUSR1);
    sem_post(&sem);
    return unused;
}
int main(void) {
    pthread_t t;
    waiter = pthread_self();
    sem_init(&sem, 0, 0);
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    int result = sem_timedwait(&sem, &(struct timespec){4000000000, 0});
    assert(result == 0 || errno == ETIMEDOUT);
    pthread_join(t, NULL);
    return 0;
}
