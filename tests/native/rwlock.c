/* A read-write lock: readers together, a writer alone. */
//@ free
//@ output ok
//@ events fork=4 join=4 acq=4 tryacq=1 rel=5 racq=4 tryracq=1 rrel=5
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, readers;
static int together;

static void *reader(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_rdlock(&lock);
        int now = __atomic_add_fetch(&readers, 1, __ATOMIC_SEQ_CST);
        if (now == 2)
            __atomic_store_n(&together, 1, __ATOMIC_SEQ_CST);
        assert(value % 2 == 0);
        __atomic_sub_fetch(&readers, 1, __ATOMIC_SEQ_CST);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *writer(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_wrlock(&lock);
        assert(__atomic_load_n(&readers, __ATOMIC_SEQ_CST) == 0);
        value++;
        value++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, i < 2 ? reader : writer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert(value == 8);
    puts("ok");
    return 0;
}
