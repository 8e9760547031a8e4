/* truth: clean.  The thread writes to a variable of main that main reads when it has joined it:
 * no step, and no part of what main is while it waits in a loop. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int turn;

static void *work(void *sum) {
    for (int i = 1; i <= 2; i++) {
        while (turn != 1)
            sched_yield();
        *(int *)sum += i;
        turn = 2;
    }
    return NULL;
}

int main(void) {
    int sum = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &sum);
    for (int i = 1; i <= 2; i++) {
        turn = 1;
        while (turn != 2)
            sched_yield();
    }
    pthread_join(thread, NULL);
    assert(sum == 3);
    return 0;
}
