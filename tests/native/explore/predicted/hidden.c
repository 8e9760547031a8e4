// What threads do depends on something that nobody sees.
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4 };

static atomic_int first, second;

__attribute__((noinline, no_sanitize("thread"))) static int count_calls(void) {
    static int calls;
    return ++calls;
}

static void *work(void *unused) {
    atomic_fetch_add(&first, 0); // finds the same whoever comes first
    atomic_store(&second, count_calls());
    return unused;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
