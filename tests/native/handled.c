/* A handler of a bad read that leaves by a jump. */
//@ output caught 3 ok
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static int counted;
static int *volatile nowhere = (int *)16;

static void caught(int signal) {
    (void)signal;
    counted++;
    siglongjmp(back, 1);
}

int main(void) {
    signal(SIGSEGV, caught);
    for (volatile int i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0)
            counted += *nowhere;
    printf("caught %d ok\n", counted);
    return 0;
}
