/* An object is known by its address: another one orders nothing. */
#include "annotations.h"
static int data, flag, other;
static void *writer(void *unused) {
    data = 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return unused;
}
static void *reader(void *unused) {
    if (!__atomic_load_n(&flag, __ATOMIC_RELAXED))
        return unused;
#ifdef CLEAN
    WTFAnnotateHappensAfter(__FILE__, __LINE__, &flag);
#else
    WTFAnnotateHappensAfter(__FILE__, __LINE__, &other);
#endif
    return data == 1 ? &other : &flag;
}
int main(void) {
    run_two(writer, reader);
    return 0;
}
