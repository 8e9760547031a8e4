/* Client requests of Helgrind: what they say orders the two threads. */
#include "annotations.h"
#include <valgrind/helgrind.h>
static int data, flag;
static void *writer(void *unused) {
    data = 1;
#ifdef CLEAN
    ANNOTATE_HAPPENS_BEFORE(&flag);
#endif
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return unused;
}
static void *reader(void *unused) {
    if (!__atomic_load_n(&flag, __ATOMIC_RELAXED))
        return unused;
    ANNOTATE_HAPPENS_AFTER(&flag);
    return data == 1 ? NULL : &flag;
}
int main(void) {
    run_two(writer, reader);
    return 0;
}
