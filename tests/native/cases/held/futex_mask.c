#include "futex.h"

/* No bit is in both masks. */
static void *f(void *x) {
    word = 1;
    wake_at(&word, FUTEX_WAKE_BITSET, 1, 2);
    return 0;
}
static void *g(void *x) {
    while (!word)
        wait_at(&word, FUTEX_WAIT_BITSET, 0, 1);
    return 0;
}
int main(void) {
    both(f, g);
}
