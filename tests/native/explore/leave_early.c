// main ends without waiting: the other thread's steps are cut off anywhere, and one of them
// fails.
//@ case | executions=4 violations=1 naive
//@ finds assertion failed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;

static void *work(void *unused) {
    atomic_store(&x, 1);
    assert(atomic_load(&x) == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
