/* truth: fails or shaky.  The handler may interrupt printf and call it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

pthread_t target;
void handle(int number) {
    (void)number;
    printf("handled\n");
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
    printf("main\n");
    pthread_join(t, NULL);
    return 0;
}
