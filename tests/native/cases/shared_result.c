/* The result of gmtime is the same memory for all threads.  Calls are ordered by a lock, which is
 * not held where the result is used; with -DALONE one thread calls, and all is well. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hours[2];

static void *convert(void *number) {
    int which = *(int *)number;
    time_t moment = 1000000 + which * 7200;
    pthread_mutex_lock(&lock);
    struct tm own, *parts = &own;
#ifdef ALONE
    if (which)
        gmtime_r(&moment, &own);
    else
#endif
        parts = gmtime(&moment);
    pthread_mutex_unlock(&lock);
    hours[which] = parts->tm_hour;
    return NULL;
}

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, convert, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return hours[0] + hours[1] > 46;
}
