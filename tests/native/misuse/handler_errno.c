/* A signal handler changes errno and does not put it back. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void handler(int number) {
    int before = errno;
    (void)number;
    close(-1);
#ifdef CLEAN
    errno = before;
#else
    (void)before;
#endif
}
static void *interrupted(void *unused) {
    raise(SIGUSR1);
    return unused;
}
int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, interrupted, NULL);
    pthread_join(thread, NULL);
    return 0;
}
