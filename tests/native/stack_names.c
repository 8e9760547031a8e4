/* Variables on stacks by name: arrays of structures that threads are given, a function that calls
 * itself, blocks, an inlined function, a thread's own, a lock. */
//@ seeds 4
//@ output 9 21
//@ free
//@ lines w4(jobs\[0\].done of main in main()=10)  1
//@ lines w4(jobs\[1\].done of main in main()=11)  1
//@ lines w4(jobs\[2\].done of main in main()=12)  1
//@ lines w8(jobs\[1\].sums\[1\] of main in main()=101)  1
//@ lines acq(lock of main in main())  3
//@ lines w4(.*own of main.2 in worker()=1)  1
//@ lines w4(mine.done of main in twice() at -.*=20)  1
//@ lines w4(mine.done of main in twice() at -.*=21)  1
//@ lines w4(.*inner of main in outer().*=30)  1
//@ lines w4(kept of main in inlined()=40)  1
#include <pthread.h>
#include <stdio.h>

#define APART __attribute__((noinline))

struct job {
    int number;
    volatile int done;
    volatile long sums[2];
    pthread_mutex_t *lock;
};

APART static void give(volatile int *to, int value) {
    *to = value;
}

static void *worker(void *argument) {
    struct job *job = argument;
    volatile int own;
    pthread_mutex_lock(job->lock);
    give(&own, job->number);
    job->sums[1] = 100 + own;
    job->done = 10 + job->number;
    pthread_mutex_unlock(job->lock);
    return NULL;
}

static void *finish(void *argument) {
    struct job *job = argument;
    job->done = job->number;
    return NULL;
}

APART static int twice(int number) {
    pthread_t thread;
    struct job mine = {.number = number};
    pthread_create(&thread, NULL, finish, &mine);
    int below = number < 21 ? twice(number + 1) : 0;
    pthread_join(thread, NULL);
    return below + mine.done - 20;
}

static void *set(void *argument) {
    give(argument, 30);
    return NULL;
}

static void *set_kept(void *argument) {
    give(argument, 40);
    return NULL;
}

APART static int outer(int number) {
    pthread_t thread;
    if (number) {
        volatile int inner;
        pthread_create(&thread, NULL, set, (void *)&inner);
        pthread_join(thread, NULL);
        return inner;
    }
    return 0;
}

static inline __attribute__((always_inline)) int inlined(void) {
    volatile int kept;
    pthread_t helper;
    pthread_create(&helper, NULL, set_kept, (void *)&kept);
    pthread_join(helper, NULL);
    return kept;
}

int main(void) {
    struct job jobs[3];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = (struct job){.number = i, .lock = &lock};
        pthread_create(&threads[i], NULL, worker, &jobs[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    int all = jobs[0].done + jobs[1].done + jobs[2].done - 25;
    printf("%d %d\n", all + twice(20), outer(1) + inlined() - 49);
    return 0;
}
