#include "futex.h"

/* A wake meets a wait with a bit in common, and one without a mask; and it wakes one if it is to
 * wake none. */
static void *f(void *x) {
    word = 1;
    wake_at(&word, FUTEX_WAKE_BITSET_PRIVATE, 1, 6);
    return 0;
}
static void *g(void *x) {
    while (!word)
        wait_at(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, 3);
    return 0;
}
static _Atomic int second;
static void *h(void *x) {
    second = 1;
    wake_at(&second, FUTEX_WAKE, 0, 0);
    return 0;
}
static void *i(void *x) {
    while (!second)
        wait_at(&second, FUTEX_WAIT_BITSET, 0, 4);
    return 0;
}
int main(void) {
    both(f, g);
    both(h, i);
}
