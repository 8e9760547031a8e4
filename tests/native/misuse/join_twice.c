/* A thread is joined twice. */
#include <pthread.h>
static void *nothing(void *unused) {
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
#ifndef CLEAN
    pthread_join(thread, NULL);
#endif
    return 0;
}
