/*
 * A cache of documents.  Who gets a document has a reference to it, and gives it back; a document
 * that is dropped from the cache is freed with its last reference.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static document *documents;
static int count;
static unsigned long now;

/* Stands for the file system: pages /0.html to /9.html, of different sizes. */
static document *load(const char *path) {
    document *d;
    if (path[0] != '/' || path[1] < '0' || path[1] > '9' || strcmp(path + 2, ".html") != 0)
        return NULL;
    d = calloc(1, sizeof *d);
    if (!d)
        abort();
    snprintf(d->path, sizeof d->path, "%s", path);
    d->size = (size_t)snprintf(d->body, sizeof d->body, "<p>page %c</p>", path[1]);
    return d;
}

static document *find(const char *path) {
    document *d = documents;
    while (d && strcmp(d->path, path) != 0) /* bug 3 */
        d = d->next;
    return d;
}

/* Gives back the reference; the lock is held. */
static void drop(document *d) {
    if (--d->references == 0) /* bug 2 */
        free(d);              /* bug 2 bug 3 */
}

/* Drops the document that was not used for longest; the lock is held. */
static void evict(void) {
    document **oldest = &documents;
    for (document **at = &documents; *at; at = &(*at)->next)
        if ((*at)->used < (*oldest)->used)
            oldest = at;
    document *d = *oldest;
    *oldest = d->next;
    count--;
    drop(d);
}

static document *insert(document *d) {
    d->references = 2;
    d->used = ++now;
    d->next = documents;
    documents = d;
    if (++count > CACHED)
        evict();
    return d;
}

static document *take(document *d) {
    d->references++; /* bug 2 bug 3 */
    d->used = ++now; /* bug 3 */
    return d;
}

document *cache_get(const char *path) {
    document *d, *fresh;
    pthread_mutex_lock(&lock);
    d = find(path);
#if BUG == 3
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (d)
        take(d);
    pthread_mutex_unlock(&lock);
    stats_cache(d != NULL);
    if (d)
        return d;
    fresh = load(path);
    if (!fresh)
        return NULL;
    pthread_mutex_lock(&lock);
#if BUG != 4
    d = find(path); /* another thread may have loaded it by now */
#endif
    if (d) {
        take(d);
        free(fresh);
    } else {
        d = insert(fresh);
    }
    pthread_mutex_unlock(&lock);
    return d;
}

void cache_put(document *d) {
#if BUG == 2
    drop(d);
#else
    pthread_mutex_lock(&lock);
    drop(d);
    pthread_mutex_unlock(&lock);
#endif
}

int cache_count(void) {
    int documents_now;
    pthread_mutex_lock(&lock);
    documents_now = count;
    pthread_mutex_unlock(&lock);
    return documents_now;
}

/* No path is there twice. */
void cache_check(void) {
    pthread_mutex_lock(&lock);
    for (document *d = documents; d; d = d->next)
        for (document *other = d->next; other; other = other->next)
            assert(strcmp(d->path, other->path) != 0 && "a page is in the cache once"); /* bug 4 */
    pthread_mutex_unlock(&lock);
}

void cache_free(void) {
    pthread_mutex_lock(&lock);
    while (documents)
        evict();
    pthread_mutex_unlock(&lock);
}
