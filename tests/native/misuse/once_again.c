/* The initialisation of a once asks for the same once, in a thread that nobody waits for. */
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void empty(void) {
}
static void again(void) {
#ifndef CLEAN
    pthread_once(&once, again);
#endif
}
static void *asks(void *unused) {
    (void)empty;
    pthread_once(&once, again);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, asks, NULL);
    pthread_detach(thread);
    return 0;
}
