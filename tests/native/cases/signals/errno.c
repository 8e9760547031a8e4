/* truth: fails or shaky.  The handler changes errno between a call and the look at it. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

pthread_t target;
void handle(int number) {
    (void)number;
    close(-1);
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
    errno = 0;
    if (open("/nowhere/at/all", O_RDONLY) < 0)
        assert(errno == ENOENT);
    pthread_join(t, NULL);
    return 0;
}
