// The exit status depends on the order.
//@ case | executions=2 violations=1 naive
//@ finds exit status 3
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;

static void *set(void *unused) {
    x = 3;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    int seen = x;
    pthread_join(thread, NULL);
    return seen;
}
