/*
 * The kernel of a web crawler, as hedc of the paper's table 1: main puts pages into a queue,
 * workers take them with a condition variable and fetch them.
 *
 * A fetch that takes too long is cancelled by main, which writes the task's state without
 * the queue's lock; the worker writes it under the lock when it is done.  With FIXED the
 * cancellation takes the lock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 12, PAGES = 4 };
enum { QUEUED, FETCHING, FETCHED, CANCELLED };

typedef struct task {
    int page, state;
} task;

static pthread_mutex_t QueueLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t QueueFilled = PTHREAD_COND_INITIALIZER;
static task tasks[PAGES];
static int put, taken, closed;

static task *take_task(void) {
    task *found = NULL;
    pthread_mutex_lock(&QueueLock);
    while (taken == put && !closed)
        pthread_cond_wait(&QueueFilled, &QueueLock);
    if (taken < put) {
        found = &tasks[taken++];
        if (found->state == QUEUED)
            found->state = FETCHING;
    }
    pthread_mutex_unlock(&QueueLock);
    return found;
}

static void *fetch(void *argument) {
    task *t;
    (void)argument;
    while ((t = take_task()) != NULL) {
        pthread_mutex_lock(&QueueLock);
        if (t->state == FETCHING)
            t->state = FETCHED;
        pthread_mutex_unlock(&QueueLock);
    }
    return NULL;
}

static void cancel(task *t) {
#ifdef FIXED
    pthread_mutex_lock(&QueueLock);
#endif
    if (t->state != FETCHED)
        t->state = CANCELLED;
#ifdef FIXED
    pthread_mutex_unlock(&QueueLock);
#endif
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, fetch, NULL);
    for (int i = 0; i < PAGES; i++) {
        pthread_mutex_lock(&QueueLock);
        tasks[put++] = (task){.page = i, .state = QUEUED};
        pthread_cond_signal(&QueueFilled);
        pthread_mutex_unlock(&QueueLock);
    }
    cancel(&tasks[PAGES - 1]);
    pthread_mutex_lock(&QueueLock);
    closed = 1;
    pthread_cond_broadcast(&QueueFilled);
    pthread_mutex_unlock(&QueueLock);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
