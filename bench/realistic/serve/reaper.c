/* Looks now and then for connections that are idle. */
#include <stdlib.h>
#include <time.h>

#include "serve.h"

enum { PERIOD = 20 * 1000 * 1000 }; /* nanoseconds */

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool stop;

static void *reap(void *unused) {
    struct timespec until;
    pthread_mutex_lock(&lock);
    while (!stop) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PERIOD;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&ended, &lock, &until);
        pthread_mutex_unlock(&lock);
        table_round();
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

void reaper_start(void) {
    if (pthread_create(&thread, NULL, reap, NULL))
        abort();
}

void reaper_stop(void) {
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
