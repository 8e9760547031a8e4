/* Two locks of the program's own, taken in two orders. */
#include "annotations.h"
static own_lock left, right;
static int sum;
static void both(own_lock *one, own_lock *other) {
    lock_own(one, 1);
    lock_own(other, 1);
    sum++;
    unlock_own(other, 1);
    unlock_own(one, 1);
}
static void *forth(void *unused) {
    both(&left, &right);
    return unused;
}
static void *back(void *unused) {
#ifdef CLEAN
    both(&left, &right);
#else
    both(&right, &left);
#endif
    return unused;
}
int main(void) {
    run_two(forth, back);
    return 0;
}
