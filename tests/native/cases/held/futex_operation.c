#include "futex.h"

/* What is not simulated is said. */
static void *f(void *x) {
    syscall(SYS_futex, &word, FUTEX_WAKE_OP_PRIVATE, 1, 1L, &word,
            FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0));
    return 0;
}
static void *g(void *x) {
    return 0;
}
int main(void) {
    both(f, g);
}
