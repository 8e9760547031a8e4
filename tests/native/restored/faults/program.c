// Variables that must be as they were when a run begins: what is printed depends on the order of
// the threads, and would depend on the runs before if they were not put back.  With APART the lock
// is not among them, so that every schedule goes on being possible.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t here = PTHREAD_MUTEX_INITIALIZER, *mutex = &here;
static int count;
static int order[8];

static void *add(void *argument) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(mutex);
        if (count < 8)
            order[count++] = (int)(long)argument;
        pthread_mutex_unlock(mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
#ifdef APART
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
#endif
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d:", count);
    for (int i = 0; i < count; i++)
        printf("%d", order[i]);
    return 0;
}
