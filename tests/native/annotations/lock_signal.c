/* What the code of a lock does to its own memory is no race; what it calls is code like others. */
#include "annotations.h"
static int lock, queue, calls;
static void *signals(void *unused) {
    __tsan_mutex_pre_signal(&lock, 0);
    queue++;
#ifndef CLEAN
    __tsan_mutex_pre_divert(&lock, 0);
    calls++;
    __tsan_mutex_post_divert(&lock, 0);
#endif
    __tsan_mutex_post_signal(&lock, 0);
    return unused ? &calls : NULL;
}
int main(void) {
    run_two(signals, signals);
    return 0;
}
