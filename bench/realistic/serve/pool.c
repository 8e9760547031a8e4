/* Workers that take connections from a list. */
#include <stdlib.h>

#include "serve.h"

typedef struct task {
    connection *connection;
    unsigned long generation;
    struct task *next;
} task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t submitted = PTHREAD_COND_INITIALIZER;
static task *first, **last = &first;
static bool stopping;
#if BUG == 7
static int waiting;
#endif
static pthread_t threads[MOST_WORKERS];
static int thread_count;
static task_function *function;

static task *take_task(void) {
    task *t;
    pthread_mutex_lock(&lock);
    while (!first && !stopping) {
#if BUG == 7
        waiting++; /* bug 7 */
#endif
        pthread_cond_wait(&submitted, &lock); /* bug 7 */
#if BUG == 7
        waiting--; /* bug 7 */
#endif
    }
    t = first;
    if (t) {
        first = t->next;
        if (!first)
            last = &first;
    }
    pthread_mutex_unlock(&lock);
    return t;
}

static void *work(void *unused) {
    task *t;
    while ((t = take_task()) != NULL) {
        function(t->connection, t->generation);
        free(t);
    }
    return unused;
}

void pool_start(int workers, task_function *f) {
    function = f;
    thread_count = workers;
    for (int i = 0; i < workers; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            abort();
}

void pool_submit(connection *c, unsigned long generation) {
    task *t = malloc(sizeof *t);
    if (!t)
        abort();
    *t = (task){.connection = c, .generation = generation};
#if BUG == 7
    bool wake = waiting > 0; /* bug 7 */
#else
    bool wake = true;
#endif
    pthread_mutex_lock(&lock);
    *last = t;
    last = &t->next;
    if (wake)
        pthread_cond_signal(&submitted);
    pthread_mutex_unlock(&lock);
}

/* What was submitted is still done. */
void pool_stop(void) {
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_broadcast(&submitted);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
}
