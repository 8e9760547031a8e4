/* truth: right.  write may be called in a handler. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

pthread_t target;
void handle(int number) {
    (void)number;
    int error = errno;
    write(1, "handled\n", 8);
    errno = error;
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
