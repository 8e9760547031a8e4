/* A value that is sent with a signal is no structure of the program's.  truth: clean. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *other(void *unused) {
    sigset_t set;
    siginfo_t info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_value.sival_int == 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, other, NULL);
    pthread_sigqueue(thread, SIGUSR1, (union sigval){.sival_int = 5});
    pthread_join(thread, NULL);
}
