/* truth: right or shaky.  A descriptor takes a pending signal. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/signalfd.h>
#include <unistd.h>

sigset_t set;
atomic_int got;
void *work(void *unused) {
    struct signalfd_siginfo info = {0};
    int file = signalfd(-1, &set, 0);
    read(file, &info, sizeof info);
    got = (int)info.ssi_signo;
    return unused;
}
int main(void) {
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, work, NULL);
    kill(getpid(), SIGUSR1);
    pthread_join(t, NULL);
    assert(got == SIGUSR1);
    return 0;
}
