/*
 * A small server that never ends: a listener queues requests, workers take them and commit each
 * to a journal, one at a time.  An urgent request, one in a thousand, is committed without the
 * journal's lock, so two workers can be in "commit" at once.  A test sees this only if two threads
 * meet by chance; heddle sees it in any run in which they could have met:
 *
 *     heddle cc -o server server.c
 *     heddle detect --online -e 'count(commit) > 1' -- ./server
 *
 * ./server N ends after N requests.
 */
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 3, PLACES = 16, RARE = 1000 };

typedef struct request {
    long number; /* 0: no more come */
    int urgent;
} request;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    request waiting[PLACES];
    int first, count;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .filled = PTHREAD_COND_INITIALIZER,
           .emptied = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static long journal; /* entries */

static void put(request it) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == PLACES)
        pthread_cond_wait(&queue.emptied, &queue.lock);
    queue.waiting[(queue.first + queue.count++) % PLACES] = it;
    heddle_note("waiting", queue.count);
    pthread_cond_signal(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
}

static request take(void) {
    pthread_mutex_lock(&queue.lock);
    while (!queue.count)
        pthread_cond_wait(&queue.filled, &queue.lock);
    request it = queue.waiting[queue.first];
    queue.first = (queue.first + 1) % PLACES;
    queue.count--;
    pthread_cond_signal(&queue.emptied);
    pthread_mutex_unlock(&queue.lock);
    return it;
}

static void commit(request it) {
    if (!it.urgent)
        pthread_mutex_lock(&journal_lock);
    HEDDLE_MARK("commit");
    journal++;
    HEDDLE_MARK("idle");
    if (!it.urgent)
        pthread_mutex_unlock(&journal_lock);
}

static void *work(void *unused) {
    for (request it = take(); it.number; it = take())
        commit(it);
    return unused;
}

int main(int argc, char **argv) {
    long last = argc > 1 ? atol(argv[1]) : -1;
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (long n = 1; last < 0 || n <= last; n++)
        put((request){n, n % RARE == 0});
    for (int i = 0; i < WORKERS; i++)
        put((request){0, 0});
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    printf("%ld entries\n", journal);
}
