/* A detached thread is joined. */
#include <pthread.h>
static void *nothing(void *unused) {
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
#ifndef CLEAN
    pthread_detach(thread);
#endif
    pthread_join(thread, NULL);
    return 0;
}
