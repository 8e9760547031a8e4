// truth: fails. Flags that another thread's computation sets are not seen here.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>

static volatile double one = 1, three = 3;

static void *divide(void *unused) {
    one = one / three;
    return unused;
}

int main(void) {
    pthread_t other;
    feclearexcept(FE_ALL_EXCEPT);
    pthread_create(&other, NULL, divide, NULL);
    pthread_join(other, NULL);
    assert(fetestexcept(FE_INEXACT));
}
