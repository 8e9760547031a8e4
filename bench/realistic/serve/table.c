/*
 * The connections that are open.  The table's lock protects which places are taken, the lock of
 * a place what is there.  Who needs both takes the table's lock first.
 *
 * A place is used again; its generation says for which connection.
 */
#include <assert.h>
#include <stdio.h>

#include "serve.h"

enum { IDLE_ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static connection places[CONNECTIONS];
static int open_now;

void table_open(void) {
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_mutex_init(&places[i].lock, NULL);
}

static connection *find_free(void) {
    for (int i = 0; i < CONNECTIONS; i++)
        if (!places[i].open)
            return &places[i];
    return NULL;
}

connection *table_add(wire *w, unsigned long *generation) {
    connection *c;
    pthread_mutex_lock(&lock);
    while (!(c = find_free()))
        pthread_cond_wait(&left, &lock);
    pthread_mutex_lock(&c->lock);
    c->wire = w;
    c->open = true;
    c->busy = c->timed_out = false;
    c->idle = c->served = 0;
    *generation = ++c->generation;
    open_now++;
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(&lock);
    return c;
}

/* A request is being answered: the connection is not idle. */
void table_begin(connection *c) {
    pthread_mutex_lock(&c->lock);
    c->busy = true;
    pthread_mutex_unlock(&c->lock);
}

void table_end(connection *c) {
    pthread_mutex_lock(&c->lock);
    c->busy = false;
    c->idle = 0;
    c->served++;
    pthread_mutex_unlock(&c->lock);
}

/* Nothing is done if that connection is gone already. */
void table_remove(connection *c, unsigned long generation) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&c->lock);
#if BUG == 5
    (void)generation;
    if (c->open) { /* bug 5 */
#else
    if (c->open && c->generation == generation) {
#endif
        wire_hang_up(c->wire, true); /* bug 5 */
        c->open = false;
        c->wire = NULL;
        open_now--;
        pthread_cond_broadcast(&left);
    }
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(&lock);
}

/* The reaper's: connections that did nothing since the last rounds are told to end. */
void table_round(void) {
    connection *late[CONNECTIONS];
    unsigned long generation[CONNECTIONS];
    int count = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        connection *c = &places[i];
        pthread_mutex_lock(&lock);
        pthread_mutex_lock(&c->lock);
        if (c->open && !c->busy && !c->timed_out && ++c->idle > IDLE_ROUNDS) {
            late[count] = c;
            generation[count++] = c->generation;
        }
        pthread_mutex_unlock(&c->lock);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < count; i++) {
        connection *c = late[i];
        pthread_mutex_lock(&c->lock);
#if BUG == 5
        if (c->open) {                                                                /* bug 5 */
            assert(c->generation == generation[i] && "the connection that was idle"); /* bug 5 */
#else
        if (c->open && !c->busy && c->generation == generation[i]) {
#endif
            c->timed_out = true;
        }
        pthread_mutex_unlock(&c->lock);
    }
}

/* A page with the connections that are open. */
int table_report(char *to, size_t room) {
    int size = 0;
#if BUG != 6
    pthread_mutex_lock(&lock);
#endif
    for (int i = 0; i < CONNECTIONS; i++) {
        connection *c = &places[i];
        pthread_mutex_lock(&c->lock); /* bug 6 */
#if BUG == 6
        pthread_mutex_lock(&lock); /* bug 6 */
#endif
        if (c->open)
            size +=
                snprintf(to + size, room - (size_t)size, "%d of %d: %u\n", i, open_now, c->served);
#if BUG == 6
        pthread_mutex_unlock(&lock);
#endif
        pthread_mutex_unlock(&c->lock);
    }
#if BUG != 6
    pthread_mutex_unlock(&lock);
#endif
    return size;
}

void table_wait_empty(void) {
    pthread_mutex_lock(&lock);
    while (open_now > 0)
        pthread_cond_wait(&left, &lock);
    pthread_mutex_unlock(&lock);
}

void table_free(void) {
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_mutex_destroy(&places[i].lock);
}
