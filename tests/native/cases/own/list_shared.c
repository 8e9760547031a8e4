// truth: fails or shaky. The compiler does not announce what va_start writes.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static va_list list;

static void begin(int count, ...) {
#ifdef COPY
    va_list own;
    va_start(own, count);
    va_copy(list, own);
    va_end(own);
#else
    va_start(list, count);
#endif
}

static void *set(void *unused) {
    begin(3, 1, 2, 3);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    long first = *(volatile long *)&list;
    pthread_join(other, NULL);
    assert(first == 0);
}
