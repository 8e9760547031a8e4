/* A thread joins itself. */
#include <pthread.h>
static void *joins(void *unused) {
#ifndef CLEAN
    pthread_join(pthread_self(), NULL);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, joins, NULL);
    pthread_join(thread, NULL);
    return 0;
}
