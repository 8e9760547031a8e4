/* truth: fails.  The handler takes a mutex that its thread may have. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

pthread_t target;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void handle(int number) {
    (void)number;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
void *work(void *unused) {
    pthread_kill(target, SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    target = pthread_self();
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
