// Lazy initialisation whose first look is without the lock: the pointer is seen before what it
// points to is set.
//@ case | violations=some naive
//@ case -DRIGHT | violations=0 naive
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int value;
int *instance;

static int *get(void) {
    int *it = instance;
    if (!it) {
        pthread_mutex_lock(&lock);
        it = instance;
        if (!it) {
            it = &value;
#ifdef RIGHT
            value = 7;
            instance = it;
#else
            instance = it;
            value = 7;
#endif
        }
        pthread_mutex_unlock(&lock);
    }
    return it;
}

static void *use(void *unused) {
    assert(*get() == 7);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
