/* A thread is joined by one thread and detached by another. */
#include <pthread.h>

static pthread_t worker;

static void *work(void *unused) {
    return unused;
}

static void *give_up(void *unused) {
#ifndef CLEAN
    pthread_detach(worker);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&thread, NULL, give_up, NULL);
    pthread_join(worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
