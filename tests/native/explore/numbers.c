// Two threads create others: numbers and addresses mean the same in every schedule.
//@ case | executions=1 violations=0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *leaf(void *cell) {
    *(int *)cell += 1;
    return cell;
}

static void *branch(void *unused) {
    pthread_t thread;
    int *cell = malloc(sizeof *cell), local = 0;
    *cell = 0;
    pthread_create(&thread, NULL, leaf, unused ? cell : &local);
    pthread_join(thread, NULL);
    assert(*cell + local == 1);
    free(cell);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, branch, &thread);
    branch(NULL);
    pthread_join(thread, NULL);
    return 0;
}
