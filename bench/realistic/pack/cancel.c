/* A thread that waits for a signal which asks the program to stop. */
#include <signal.h>
#include <stdlib.h>

#include "pack.h"

static pthread_t thread;
#if BUG == 8
static bool request;
#else
static atomic_bool request;
#endif
static queue *to_close;

static void signals(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGUSR1); /* the work is done */
}

static void *wait_for_signal(void *unused) {
    sigset_t set;
    int number;
    signals(&set);
    for (;;) {
        if (sigwait(&set, &number))
            abort();
        if (number == SIGUSR1)
            return unused;
        request = true; /* bug 8 */
        queue_close(to_close);
        pool_close();
#if BUG != 4
        order_close();
#endif
    }
}

void cancel_start(queue *q) {
    sigset_t set;
    signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    to_close = q;
    if (pthread_create(&thread, NULL, wait_for_signal, NULL))
        abort();
}

bool cancelled(void) {
    return request; /* bug 8 */
}

void cancel_stop(void) {
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
}
