/* Threads that use a structure: N of them do `client`, then main does `finish`.  No call but those
 * of threads, atomics and assertions, so that other tools can explore the programs, too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static void client(int id);
static void finish(void);

static int numbers[N];

static void *run_client(void *argument) {
    client(*(int *)argument);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run_client, &numbers[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    finish();
    return 0;
}
