/* A handler changes a variable while its thread does.  Clean: the signal is blocked meanwhile, by
 * the calls of BSD. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <signal.h>

static volatile int changed, handled;

static void handle(int number) {
    changed += number;
    handled = 1;
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
    return changed == (handled ? 1 + SIGUSR1 : 1) ? 0 : 1;
}
