/*
 * Connections in memory.  A wire has a pipe in each direction, and belongs to both ends: who hangs
 * up last frees it.
 */
#include <stdlib.h>
#include <string.h>

#include "serve.h"

typedef struct half {
    char bytes[WIRE_SIZE];
    size_t first, count;
    bool closed; /* by who writes */
} half;

struct wire {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    half halves[2]; /* to the client, to the server */
    bool gone[2];   /* the client, the server */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    wire *waiting[BACKLOG];
    int first, count;
    bool closed;
} listener = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

wire *wire_connect(void) {
    wire *w = NULL;
    pthread_mutex_lock(&listener.lock);
    while (listener.count == BACKLOG && !listener.closed)
        pthread_cond_wait(&listener.changed, &listener.lock);
    if (!listener.closed) {
        w = calloc(1, sizeof *w);
        if (!w)
            abort();
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->changed, NULL);
        listener.waiting[(listener.first + listener.count++) % BACKLOG] = w;
        pthread_cond_broadcast(&listener.changed);
    }
    pthread_mutex_unlock(&listener.lock);
    return w;
}

wire *wire_accept(void) {
    wire *w = NULL;
    pthread_mutex_lock(&listener.lock);
    while (listener.count == 0 && !listener.closed)
        pthread_cond_wait(&listener.changed, &listener.lock);
    if (listener.count > 0) {
        w = listener.waiting[listener.first];
        listener.first = (listener.first + 1) % BACKLOG;
        listener.count--;
        pthread_cond_broadcast(&listener.changed);
    }
    pthread_mutex_unlock(&listener.lock);
    return w;
}

void wire_stop_listening(void) {
    pthread_mutex_lock(&listener.lock);
    listener.closed = true;
    pthread_cond_broadcast(&listener.changed);
    pthread_mutex_unlock(&listener.lock);
}

/* False: the other end has hung up. */
bool wire_write(wire *w, bool server, const char *bytes, size_t size) {
    half *to = &w->halves[!server];
    bool good;
    pthread_mutex_lock(&w->lock);
    while (size > 0 && !w->gone[!server]) {
        size_t at = (to->first + to->count) % WIRE_SIZE, piece = WIRE_SIZE - to->count;
        if (piece == 0) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        if (piece > size)
            piece = size;
        if (piece > WIRE_SIZE - at)
            piece = WIRE_SIZE - at;
        memcpy(to->bytes + at, bytes, piece);
        to->count += piece;
        bytes += piece;
        size -= piece;
        pthread_cond_broadcast(&w->changed);
    }
    good = size == 0;
    pthread_mutex_unlock(&w->lock);
    return good;
}

size_t wire_read(wire *w, bool server, char *bytes, size_t size) {
    half *from = &w->halves[server];
    size_t piece;
    pthread_mutex_lock(&w->lock);
    while (from->count == 0 && !from->closed)
        pthread_cond_wait(&w->changed, &w->lock);
    piece = from->count < size ? from->count : size;
    if (piece > WIRE_SIZE - from->first)
        piece = WIRE_SIZE - from->first;
    memcpy(bytes, from->bytes + from->first, piece);
    from->first = (from->first + piece) % WIRE_SIZE;
    from->count -= piece;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return piece;
}

void wire_hang_up(wire *w, bool server) {
    bool last;
    pthread_mutex_lock(&w->lock);
    w->gone[server] = true;
    w->halves[0].closed = w->halves[1].closed = true;
    last = w->gone[!server];
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (last) {
        pthread_mutex_destroy(&w->lock);
        pthread_cond_destroy(&w->changed);
        free(w);
    }
}
