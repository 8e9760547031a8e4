// truth: right. What a handler computes leaves no flag and no rounding mode.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>

static volatile double one = 1, three = 3;
static volatile int handled;

static void handle(int number) {
    one = one / three;
    fesetround(FE_UPWARD);
    handled = number;
}

int main(void) {
    signal(SIGUSR1, handle);
    feclearexcept(FE_ALL_EXCEPT);
    pthread_kill(pthread_self(), SIGUSR1);
    assert(handled && !fetestexcept(FE_INEXACT) && fegetround() == FE_TONEAREST);
}
