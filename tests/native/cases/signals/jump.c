/* truth: right or shaky.  The handler leaves by siglongjmp. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
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

sigjmp_buf place;
pthread_t target;
void handle2(int number) {
    siglongjmp(place, 1);
}
void *work(void *unused) {
    pthread_kill(target, SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    target = pthread_self();
    if (!sigsetjmp(place, 1)) {
        set(SIGUSR1, handle2, 0);
        pthread_create(&t, NULL, work, NULL);
        for (;;)
            pause();
    }
    exit(0);
}
