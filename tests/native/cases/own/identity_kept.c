// truth: fails or shaky. The C library gives the second thread the thread-local memory of the
// first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static __thread int own;
static _Atomic uintptr_t owner;

static void *takes(void *unused) {
    assert(atomic_load(&owner) != (uintptr_t)&own);
    atomic_store(&owner, (uintptr_t)&own);
    return unused;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, takes, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
