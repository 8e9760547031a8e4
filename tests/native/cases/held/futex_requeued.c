#include "futex.h"

static _Atomic int other;
static void *f(void *x) {
    word = 1;
    syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1L, &other, 1);
    wake_at(&other, FUTEX_WAKE_PRIVATE, 1, 0);
    return 0;
}
static void *g(void *x) {
    while (!word)
        wait_at(&word, FUTEX_WAIT_PRIVATE, 0, 0);
    return 0;
}
int main(void) {
    both(f, g);
}
