// No update of an atomic counter is lost, whatever the schedule.
//@ case -DN=2 | executions=2 violations=0 naive
//@ case -DN=4 | executions=24 violations=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int counter;

static void *add(void *unused) {
    atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}
