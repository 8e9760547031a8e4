// truth: right. Another thread clears its own flags only.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static volatile double one = 1, three = 3;

static void *clear(void *unused) {
    feclearexcept(FE_ALL_EXCEPT);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, clear, NULL);
    one = one / three;
    while (!done)
        ;
    assert(fetestexcept(FE_INEXACT));
    pthread_join(other, NULL);
}
