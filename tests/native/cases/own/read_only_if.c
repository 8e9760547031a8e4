// No race: the second variable is read only if the first says that it was written.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int busy = 1;
static int result;

static void *works(void *unused) {
    result = 1;
    atomic_store(&busy, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, works, NULL);
    if (!atomic_load(&busy) && !result)
        abort();
    return pthread_join(thread, NULL);
}
