/* A thread is detached after it was joined. */
#include <pthread.h>
static void *nothing(void *unused) {
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
#ifndef CLEAN
    pthread_join(thread, NULL);
#endif
    pthread_detach(thread);
    return 0;
}
