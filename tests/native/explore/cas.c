// A compare-and-swap that fails only reads: two that fail are in no order.
//@ case -DN=2 | naive
//@ case -DN=3 | violations=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int owner, owners;

static void *take(void *unused) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&owner, &nobody, 1))
        atomic_fetch_add(&owners, 1);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(owners == 1);
    return 0;
}
