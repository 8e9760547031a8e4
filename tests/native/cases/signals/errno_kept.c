/* truth: right.  The handler keeps errno. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int hits;
void handle(int number) {
    (void)number;
    hits++;
}

pthread_t target;
void keep(int number) {
    int error = errno;
    close(-1);
    errno = error;
}
void *work(void *unused) {
    pthread_kill(target, SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t t;
    target = pthread_self();
    signal(SIGUSR1, keep);
    pthread_create(&t, NULL, work, NULL);
    errno = 0;
    if (open("/nowhere/at/all", O_RDONLY) < 0)
        assert(errno == ENOENT);
    pthread_join(t, NULL);
    return 0;
}
