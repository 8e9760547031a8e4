// A round that changes whether the thread can be cancelled is not one for nothing.
//@ case | fails
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int word;

static void *writes(void *unused) {
    atomic_store(&word, 1);
    atomic_store(&word, 2);
    return unused;
}

static void *waits(void *unused) {
    int found, before;
    while ((found = atomic_load(&word)) != 2)
        if (found == 1)
            pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    if (before == PTHREAD_CANCEL_DISABLE)
        abort();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waits, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
