/* truth: right or shaky.  A handler does not end a wait on a condition. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

atomic_int hits;
void handle(int number) {
    (void)number;
    hits++;
}
void set(int number, void (*to)(int), int flags) {
    struct sigaction action = {.sa_handler = to, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;
pthread_t waiter;
void *work(void *unused) {
    pthread_kill(waiter, SIGUSR1);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t t;
    waiter = pthread_self();
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        assert(pthread_cond_wait(&changed, &lock) == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
