// A null pointer in one order of two steps only; the runs after it go on.
//@ case | executions=2 violations=1 naive
//@ finds killed by signal 11
#include <pthread.h>
#include <stddef.h>

int value = 3;
int *pointer = &value;

static void *clear(void *unused) {
    pointer = NULL;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    int seen = *pointer;
    pthread_join(thread, NULL);
    return seen - 3;
}
