/* Two threads call gmtime, which has one result for all. */
#include <pthread.h>
#include <time.h>
static int hours[2];
static void *convert(void *which) {
    int number = *(int *)which;
    time_t moment = 1000000 + number * 7200;
#ifdef CLEAN
    struct tm own, *parts = gmtime_r(&moment, &own);
#else
    struct tm *parts = gmtime(&moment);
#endif
    hours[number] = parts->tm_hour;
    return NULL;
}
int main(void) {
    static int numbers[] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, convert, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
