// expected: false(unreach-call); with -DFIXED: true
// Two inputs and one order of the threads show it.
#include <assert.h>
#include <heddle/mark.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *one(void *unused) {
    int chosen = (int)heddle_choose(0, 2);
    if (chosen == 2)
        atomic_store(&x, 1);
    return unused;
}

static void *other(void *unused) {
    int chosen = (int)heddle_choose(1, 4);
#ifdef FIXED
    if (chosen == 3 && atomic_load(&x))
        atomic_store(&y, 2);
#else
    if (chosen == 3 && atomic_load(&x))
        atomic_store(&y, 3);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&y) != 3);
    return 0;
}
