/* pthread_once runs once; the destructors of keys run in the thread that ends. */
//@ free
//@ output 1 3 ok
//@ events fork=3 join=3
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int initialised, destroyed;

static void initialise(void) {
    pthread_key_create(&key, NULL);
    sched_yield();
    initialised++;
}

static void destroy(void *value) {
    assert(*(int *)value == 7);
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
    free(value);
}

static pthread_key_t other;

static void *worker(void *unused) {
    pthread_once(&once, initialise);
    assert(initialised == 1);
    int *value = malloc(sizeof *value);
    *value = 7;
    pthread_setspecific(other, value);
    sched_yield();
    assert(pthread_getspecific(other) == value);
    return unused;
}

int main(void) {
    pthread_t thread[3];
    pthread_key_create(&other, destroy);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    printf("%d %d ok\n", initialised, destroyed);
    return 0;
}
