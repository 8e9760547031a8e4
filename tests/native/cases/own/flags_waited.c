// truth: right. Flags that another thread's computation sets are that thread's.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static volatile double one = 1, three = 3;

static void *divide(void *unused) {
    one = one / three;
    done = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    feclearexcept(FE_ALL_EXCEPT);
    pthread_create(&other, NULL, divide, NULL);
    while (!done)
        ;
    assert(!fetestexcept(FE_INEXACT));
    pthread_join(other, NULL);
    assert(!fetestexcept(FE_INEXACT));
}
