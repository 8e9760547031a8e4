/* truth: fails.  The signal waits while it is blocked, then the default action kills. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

sem_t sent;
void *work(void *main_thread) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    sem_post(&sent);
    return NULL;
}
int main(void) {
    pthread_t t, self = pthread_self();
    sigset_t set;
    sem_init(&sent, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, &self);
    sem_wait(&sent);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    pthread_join(t, NULL);
    return 0;
}
