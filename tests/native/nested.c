/* Nested functions whose address is taken: gcc puts code for them on the stack of the thread. */
//@ only gcc
//@ flags -Wl,--no-warn-execstack
//@ output 4 5
//@ seeds 2
#include <pthread.h>
#include <stdio.h>

static int sums[2];

static void *worker(void *argument) {
    int who = (int)(long)argument;
    int add(int more) {
        return who + more;
    }
    int (*volatile function)(int) = add;
    sums[who] = function(4);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", sums[0], sums[1]);
    return 0;
}
