/* A lock is destroyed while a thread may hold it. */
#include "annotations.h"
static int lock;
static void *holds(void *unused) {
    __tsan_mutex_pre_lock(&lock, 0);
    __tsan_mutex_post_lock(&lock, 0, 0);
    __tsan_mutex_pre_unlock(&lock, 0);
    __tsan_mutex_post_unlock(&lock, 0);
    return unused;
}
int main(void) {
    pthread_t thread;
    __tsan_mutex_create(&lock, __tsan_mutex_not_static);
    pthread_create(&thread, NULL, holds, NULL);
#ifndef CLEAN
    __tsan_mutex_destroy(&lock, 0);
#endif
    pthread_join(thread, NULL);
#ifdef CLEAN
    __tsan_mutex_destroy(&lock, 0);
#endif
    return 0;
}
