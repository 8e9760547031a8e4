/* Two threads join the same one. */
#include <pthread.h>
static pthread_t thread;
static void *nothing(void *unused) {
    return unused;
}
static void *joins(void *unused) {
#ifndef CLEAN
    pthread_join(thread, NULL);
#endif
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_create(&other, NULL, joins, NULL);
    pthread_join(thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
