/*
 * A race that ThreadSanitizer does not see: one thread sets `ready` and then takes the lock.
 * The other takes the lock much later, and then reads `ready`.  In every ordinary run the lock
 * orders the two accesses, but only by chance.
 *
 * With FIXED both accesses are under the lock.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 8 };

static pthread_mutex_t Log = PTHREAD_MUTEX_INITIALIZER;
static int ready, lines;

static void *publish(void *argument) {
    (void)argument;
#ifdef FIXED
    pthread_mutex_lock(&Log);
    ready = 1;
#else
    ready = 1;
    pthread_mutex_lock(&Log);
#endif
    lines++;
    pthread_mutex_unlock(&Log);
    return NULL;
}

static void *look(void *argument) {
    usleep(20000);
    pthread_mutex_lock(&Log);
    lines++;
#ifdef FIXED
    *(int *)argument = ready;
    pthread_mutex_unlock(&Log);
#else
    pthread_mutex_unlock(&Log);
    *(int *)argument = ready;
#endif
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int seen[MOST] = {0}, others = count > 1 ? atoi(words[1]) : 2;
    if (others < 2 || others > MOST)
        return 2;
    pthread_create(&threads[0], NULL, publish, NULL);
    for (int i = 1; i < others; i++)
        pthread_create(&threads[i], NULL, look, &seen[i]);
    for (int i = 0; i < others; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
