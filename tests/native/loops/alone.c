// What the last thread reads, once it is alone, is no step: which of two writes it finds must be
// explored all the same, also where executions are told apart by what reads find.
//@ case -DSTORES | fails once opt=--algorithm=unfold
//@ case -DSTORES | fails
//@ case -DLOCKED | fails once opt=--algorithm=unfold
//@ case -DUPDATES | complete once opt=--algorithm=unfold
#include <pthread.h>
#include <stdlib.h>

static int word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int value) {
#if defined STORES
    __atomic_store_n(&word, value, __ATOMIC_SEQ_CST);
#elif defined UPDATES
    __atomic_fetch_add(&word, value, __ATOMIC_SEQ_CST);
#else
    pthread_mutex_lock(&lock);
    word = value;
    pthread_mutex_unlock(&lock);
#endif
}

static void *one(void *unused) {
    put(1);
    return unused;
}

static void *two(void *unused) {
    put(2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    (void)lock;
    pthread_create(&a, NULL, two, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (word == 2)
        abort();
    return 0;
}
