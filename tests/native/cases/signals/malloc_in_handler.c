/* truth: fails or shaky.  The handler may interrupt malloc and call it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

pthread_t target;
void handle(int number) {
    (void)number;
    char *volatile text = malloc(7);
    free(text);
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
    char *volatile text = malloc(8);
    free(text);
    pthread_join(t, NULL);
    return 0;
}
