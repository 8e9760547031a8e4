/* How far the work is: counts under one lock, and a thread that reports them now and then. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pack.h"

enum { PERIOD = 10 * 1000 * 1000 }; /* nanoseconds */

struct progress {
    pthread_t thread;
    pthread_cond_t ended;
    bool stop, verbose;
    int reports, length;
    queue *queue;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t bytes_read, bytes_packed, bytes_written;

void progress_read(size_t bytes) {
    pthread_mutex_lock(&lock); /* bug 5 */
    bytes_read += bytes;
    pthread_mutex_unlock(&lock);
}

void progress_packed(size_t bytes) {
#if BUG == 6
    bytes_packed += bytes; /* bug 6 */
#else
    pthread_mutex_lock(&lock);
    bytes_packed += bytes;
    pthread_mutex_unlock(&lock);
#endif
}

void progress_written(size_t bytes) {
    pthread_mutex_lock(&lock);
    bytes_written += bytes;
    pthread_mutex_unlock(&lock);
}

size_t progress_bytes_packed(void) {
    size_t bytes;
    pthread_mutex_lock(&lock);
    bytes = bytes_packed; /* bug 6 */
    pthread_mutex_unlock(&lock);
    return bytes;
}

static void report(progress *p) {
    p->reports++;
    if (p->verbose)
        fprintf(stderr, "%zu bytes read, %zu packed, %zu written, %d blocks wait\n", bytes_read,
                bytes_packed, bytes_written, p->length); /* bug 6 */
}

static void *work(void *argument) {
    progress *p = argument;
    struct timespec until;
    pthread_mutex_lock(&lock);
    while (!p->stop) { /* bug 7 */
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PERIOD;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&p->ended, &lock, &until); /* bug 7 */
#if BUG == 5
        p->length = queue_length(p->queue); /* bug 5 */
#else
        pthread_mutex_unlock(&lock);
        int length = queue_length(p->queue);
        pthread_mutex_lock(&lock);
        p->length = length;
#endif
        report(p); /* bug 7 */
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

progress *progress_start(queue *q, bool verbose) {
    progress *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    pthread_cond_init(&p->ended, NULL);
    p->queue = q;
    p->verbose = verbose;
    if (pthread_create(&p->thread, NULL, work, p))
        abort();
    return p;
}

void progress_stop(progress *p) {
    pthread_mutex_lock(&lock);
    p->stop = true;
    pthread_cond_signal(&p->ended);
    pthread_mutex_unlock(&lock);
#if BUG == 7
    pthread_detach(p->thread);
#else
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->ended);
#endif
    free(p); /* bug 7 */
}
