/* A lock is taken twice by one thread: only one that was created so can be. */
#include "annotations.h"
static int lock;
static void *twice(void *unused) {
    for (int i = 0; i < 2; i++) {
        __tsan_mutex_pre_lock(&lock, 0);
        __tsan_mutex_post_lock(&lock, 0, 0);
    }
    for (int i = 0; i < 2; i++) {
        __tsan_mutex_pre_unlock(&lock, 0);
        __tsan_mutex_post_unlock(&lock, 0);
    }
    return unused;
}
int main(void) {
#ifdef CLEAN
    __tsan_mutex_create(&lock, __tsan_mutex_write_reentrant);
#else
    __tsan_mutex_create(&lock, 0);
#endif
    run_two(twice, twice);
    __tsan_mutex_destroy(&lock, 0);
    return 0;
}
