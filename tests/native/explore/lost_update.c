// Two threads increment a plain counter: the shared word is found by the first runs.
//@ case -DN=2 | executions=4 violations=2 naive
//@ case -DN=3 | violations=some
//@ finds lost_update.c:32: assertion failed: counter == N
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int counter;

static void *add(void *unused) {
    int seen = counter;
    counter = seen + 1;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    int unshared[N];
    for (int i = 0; i < N; i++)
        unshared[i] = i;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        unshared[i]++;
    }
    printf("%d\n", counter + unshared[0]);
    /* Not in the loop: one place for the failure. */
    if (counter < 0)
        return 1;
    assert(counter == N);
    return 0;
}
