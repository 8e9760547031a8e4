// truth: fails. setjmp writes its buffer.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static jmp_buf buffer;

static void *set(void *unused) {
    setjmp(buffer);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    long first = *(volatile long *)buffer;
    pthread_join(other, NULL);
    assert(first == 0);
}
