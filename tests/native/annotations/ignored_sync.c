/* Synchronisation that is to be ignored orders nothing. */
#include "annotations.h"
static int data, flag;
static void *writer(void *unused) {
    data = 1;
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
#ifdef CLEAN
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
#endif
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
#ifndef CLEAN
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
#endif
    return unused;
}
static void *reader(void *unused) {
    if (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        return unused;
    return data == 1 ? NULL : &flag;
}
int main(void) {
    run_two(writer, reader);
    return 0;
}
