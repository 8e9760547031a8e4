/* A handler and its thread change a variable; clean: the signal is blocked meanwhile, the old way. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <signal.h>

static int changed;

static void handle(int number) {
    changed += number;
}

static void *work(void *unused) {
#ifdef CLEAN
    int old = sigblock(sigmask(SIGUSR1));
#endif
    changed++;
#ifdef CLEAN
    sigsetmask(old);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return changed == 1 + SIGUSR1 ? 0 : 1;
}
