/* Fibers are not looked at. */
#include "annotations.h"
static void *nothing(void *unused) {
    return unused;
}
int main(void) {
#ifndef CLEAN
    void *first = __tsan_get_current_fiber(), *other = __tsan_create_fiber(0);
    __tsan_set_fiber_name(other, "other");
    __tsan_switch_to_fiber(other, 0);
    __tsan_switch_to_fiber(first, 0);
    __tsan_destroy_fiber(other);
#endif
    run_two(nothing, nothing);
    return 0;
}
