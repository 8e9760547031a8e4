// truth: fails. A new thread has the flags and the rounding of its creator at that moment.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static volatile double one = 1, three = 3;

static void *count(void *unused) {
    y = 1;
    x = 1;
    y = 2;
    return unused;
}

static void *look(void *unused) {
    int seen = y;
    if (fetestexcept(FE_INEXACT) && fegetround() == FE_UPWARD && seen == 1)
        z = 1;
    return unused;
}

int main(void) {
    pthread_t first, second;
    feclearexcept(FE_ALL_EXCEPT);
    pthread_create(&first, NULL, count, NULL);
    if (x) {
        fesetround(FE_UPWARD);
        one = one / three;
    }
    pthread_create(&second, NULL, look, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(!z);
}
