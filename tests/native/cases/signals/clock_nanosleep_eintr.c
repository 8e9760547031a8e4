/* truth: fails.  clock_nanosleep returns EINTR. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

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
    int result = clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){1, 0}, NULL);
    assert(result == 0);
    pthread_join(t, NULL);
    return 0;
}
