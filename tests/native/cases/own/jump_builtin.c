// truth: fails or shaky. The compiler does not announce what __builtin_setjmp writes.
#include <assert.h>
#include <pthread.h>

static void *buffer[5];

static void *set(void *unused) {
    if (__builtin_setjmp(buffer))
        return unused;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    void *first = *(void *volatile *)buffer;
    pthread_join(other, NULL);
    assert(!first);
}
