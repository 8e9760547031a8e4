/* Two threads call asctime, which has one text for all; gmtime has a result of its own. */
#include <pthread.h>
#include <time.h>
static void *print(void *unused) {
    struct tm parts = {.tm_mday = 1, .tm_year = 100};
    (void)asctime(&parts);
    return unused;
}
#ifdef CLEAN
static void *other(void *unused) {
    time_t moment = 1000000;
    (void)gmtime(&moment);
    return unused;
}
#else
#define other print
#endif
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, print, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
