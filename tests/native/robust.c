/* A robust mutex whose holder ends with it, joined with a time limit; unlocked by one who does
 * not hold it; given up for good. */
//@ output 130 0 131 1 1
//@ events acq=4 rel=4 fork=2 join=2
//@ free
//@ not-emulated qemu gives no robust mutex back
//@ no-race
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock, checked;
static int guarded, refused;

static void *ends(void *unused) {
    pthread_mutex_lock(&lock);
    guarded++;
    refused = pthread_mutex_unlock(&checked);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_STALLED);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, ends, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 100;
    while (pthread_timedjoin_np(thread, NULL, &until) != 0)
        until.tv_sec += 100;
    int told = pthread_mutex_lock(&lock);
    guarded++;
    pthread_mutex_consistent(&lock);
    int mended = pthread_mutex_unlock(&lock);
    pthread_create(&thread, NULL, ends, NULL);
    while (pthread_tryjoin_np(thread, NULL) == EBUSY)
        usleep(100);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    int given_up = pthread_mutex_lock(&lock);
    printf("%d %d %d %d %d\n", told, mended, given_up, refused, guarded == 3);
    return 0;
}
