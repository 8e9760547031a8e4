// Variables that must be as they were when a run begins: what is printed depends on the order of
// the threads, and would depend on the runs before if they were not put back.  With APART the lock
// is not among them; with QUIET nothing is that decides about steps, so that only the output tells.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t here = PTHREAD_MUTEX_INITIALIZER, *mutex = &here;
#ifdef QUIET
static int *order, count, runs;
#else
static int order[8], count, runs;
#endif

static void *add(void *argument) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(mutex);
#ifdef QUIET
        order[++order[0]] = (int)(long)argument;
#else
        if (count < 8)
            order[count++] = (int)(long)argument;
#endif
        pthread_mutex_unlock(mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
#ifdef QUIET
    order = calloc(16, sizeof *order);
#endif
#if defined APART || defined QUIET
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
#endif
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
#ifdef QUIET
    count = order++[0];
#endif
    printf("%d,%d:", ++runs, count);
    for (int i = 0; i < count; i++)
        printf("%d", order[i]);
    return 0;
}
