// truth: clean. Each round sets the thread-specific value that the thread has.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static pthread_key_t key;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_key_create(&key, NULL);
    pthread_create(&other, NULL, set, NULL);
    while (!flag)
        pthread_setspecific(key, &key);
    pthread_join(other, NULL);
    void *value = pthread_getspecific(key);
    assert(!value || value == &key);
}
