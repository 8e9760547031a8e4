#include "futex.h"

/* A private futex and a shared one are two. */
static void *f(void *x) {
    word = 1;
    wake_at(&word, FUTEX_WAKE_PRIVATE, 1, 0);
    return 0;
}
static void *g(void *x) {
    while (!word)
        wait_at(&word, FUTEX_WAIT, 0, 0);
    return 0;
}
int main(void) {
    both(f, g);
}
