//@ case -DBEFORE=0 | executions=50
//@ case -DBEFORE=62 | executions=50 only=sdpor plain
//@ case -DBEFORE=63 | executions=50 only=odpor plain
//@ case -DBEFORE=70 | executions=50
//@ case -DBEFORE=150 -DLOSES | executions=4 violations=some slow
/* Three threads after others that have ended: the search is the same, whatever their numbers. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, flag, last;

static void *end(void *unused) {
    return unused;
}

static void *increment(void *unused) {
#ifdef LOSES
    int value = count;
    count = value + 1;
#else
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    __atomic_fetch_add(&last, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST))
        __atomic_store_n(&last, 7, __ATOMIC_SEQ_CST);
#endif
    return unused;
}

static void *raise_flag(void *unused) {
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
#ifndef LOSES
    pthread_mutex_lock(&lock);
    count += 2;
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    for (int i = 0; i < BEFORE; i++) {
        pthread_create(&a, NULL, end, NULL);
        pthread_join(a, NULL);
    }
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, raise_flag, NULL);
    pthread_create(&c, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
#ifdef LOSES
    assert(count == 2);
#endif
    return 0;
}
