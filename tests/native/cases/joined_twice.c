/* A thread is joined by two others; with -DDETACHED it detaches itself, and is joined.  Both are
 * wrong, in whatever order: in some the join finds that the thread is gone, in others it waits for
 * its end, and finds it then. */
#include <pthread.h>
#include <time.h>

static pthread_t threads[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int seen;

static void look(int value) {
    if (pthread_mutex_trylock(&lock) == 0) {
        seen = value;
        pthread_mutex_unlock(&lock);
    }
}

static void *work(void *unused) {
#ifdef DETACHED
    pthread_detach(threads[0]);
#else
    look(1);
#endif
    return unused;
}

static void *join(void *unused) {
#ifndef DETACHED
    struct timespec until;
    look(2);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_timedjoin_np(threads[0], NULL, &until);
#endif
    return unused;
}

int main(void) {
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, join, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
