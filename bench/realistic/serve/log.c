/* Lines for the log wait in a ring, from which a thread writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"

typedef struct log_ring {
    char lines[LOG_LINES][LINE_SIZE];
    unsigned long put, written;
    bool stop, verbose;
    pthread_t thread;
} log_ring;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static log_ring *ring;

static void *write_lines(void *argument) {
    log_ring *r = argument;
    char line[LINE_SIZE];
    pthread_mutex_lock(&lock);
    while (r->put > r->written || !r->stop) {
        if (r->put == r->written) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        memcpy(line, r->lines[r->written % LOG_LINES], sizeof line);
        pthread_mutex_unlock(&lock);
        if (r->verbose)
            fprintf(stderr, "%s\n", line);
        pthread_mutex_lock(&lock);
        r->written++;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void log_start(bool verbose) {
    ring = calloc(1, sizeof *ring);
    if (!ring)
        abort();
    ring->verbose = verbose;
    if (pthread_create(&ring->thread, NULL, write_lines, ring))
        abort();
}

void log_line(const char *method, const char *path, int status) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%d %.7s %.70s", status, method, path);
    pthread_mutex_lock(&lock);
    while (ring->put == ring->written + LOG_LINES) /* bug 9 */
        pthread_cond_wait(&changed, &lock);
    memcpy(ring->lines[ring->put++ % LOG_LINES], line, sizeof line); /* bug 9 */
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

unsigned long log_stop(void) {
    unsigned long written;
    pthread_mutex_lock(&lock);
    ring->stop = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(ring->thread, NULL);
    written = ring->written;
    free(ring);  /* bug 9 */
    ring = NULL; /* bug 9 */
    return written;
}
