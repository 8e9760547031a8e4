// expected: false(no-data-race); with -DFIXED: true
// Double-checked initialisation with a plain flag.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int table;
#ifdef FIXED
atomic_int made;
#else
int made;
#endif

static void *use(void *unused) {
    if (!made) {
        pthread_mutex_lock(&lock);
        if (!made) {
            table = 5;
            made = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return table == 5 ? unused : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
