/*
 * SyncBench of the Java Grande suite, a subject of Sinha et al.: threads increment one counter, in
 * a synchronized method, then in a synchronized block of another object, as often as they are told
 * to.  Each thread adds up what it saw.
 *
 *   synch_bench [THREADS [TIMES]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 64 };

static pthread_mutex_t method_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t block_lock = PTHREAD_MUTEX_INITIALIZER;
static int method_counter, block_counter;
static int threads = 15, times = 4;
static int done[MOST];

static int method(void) {
    pthread_mutex_lock(&method_lock);
    int value = ++method_counter;
    pthread_mutex_unlock(&method_lock);
    return value;
}

static void *worker(void *argument) {
    int own = (int)(size_t)argument, sum = 0;
    for (int i = 0; i < times; i++)
        sum += method();
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&block_lock);
        sum += ++block_counter;
        pthread_mutex_unlock(&block_lock);
    }
    done[own] = sum;
    return NULL;
}

int main(int count, char **words) {
    pthread_t made[MOST];
    if (count > 1)
        threads = atoi(words[1]);
    if (count > 2)
        times = atoi(words[2]);
    if (threads < 1 || threads > MOST || times < 1)
        return 2;
    for (int i = 0; i < threads; i++)
        pthread_create(&made[i], NULL, worker, (void *)(size_t)i);
    int sum = 0, whole = threads * times;
    for (int i = 0; i < threads; i++) {
        pthread_join(made[i], NULL);
        sum += done[i];
    }
    return sum != whole * (whole + 1);
}
