/* truth: fails or shaky.  The timer may call the handler before the thread looks. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

volatile sig_atomic_t rung;
void handle(int number) {
    (void)number;
    rung = 1;
}
void *work(void *unused) {
    assert(!rung);
    return unused;
}
int main(void) {
    pthread_t t;
    signal(SIGALRM, handle);
    alarm(1);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
