/* truth: fails or shaky.  The handler may interrupt malloc and call it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

pthread_t target;
char *volatile kept;
void handle(int number) {
    (void)number;
    kept = malloc(7);
    free(kept);
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
    kept = malloc(8);
    free(kept);
    pthread_join(t, NULL);
    return 0;
}
