/* truth: right.  What the joined thread has sent was handled. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int hits;
void handle(int number) {
    (void)number;
    hits++;
}
void *work(void *main_thread) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}
int main(void) {
    pthread_t t, self = pthread_self();
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, &self);
    pthread_join(t, NULL);
    assert(hits == 1);
    return 0;
}
