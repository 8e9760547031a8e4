/* A release adds to those before it: who acquires after two of them is after both. */
#include "annotations.h"
static int one, two, count;
static void *first(void *unused) {
    one = 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &count);
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return unused;
}
static void *second(void *unused) {
    two = 1;
#ifdef CLEAN
    WTFAnnotateHappensBefore(__FILE__, __LINE__, &count);
#endif
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return unused;
}
static void *third(void *unused) {
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) < 2)
        return unused;
    AnnotateHappensAfter(__FILE__, __LINE__, &count);
    return one + two == 2 ? NULL : &count;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, third, NULL);
    run_two(first, second);
    pthread_join(thread, NULL);
    return 0;
}
