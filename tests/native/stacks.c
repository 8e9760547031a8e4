/* Stacks of events: recursion, several threads, and a longjmp over functions that never end.
 * A write to depth[] says how deep it is. */
//@ output 3 done
//@ seeds 4
//@ depth depth\[\d\]  main|worker
//@ stack w4(bottom=7)  recurse recurse recurse worker
//@ stack w4(landed=1)  jumper main
//@ stack w4(after=2)  main
//@ stack acq(lock)  worker
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

#define APART __attribute__((noinline))

enum { WORKERS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int depth[WORKERS + 1];
static volatile int bottom, landed, after;
static int done;
static jmp_buf place;

APART static void recurse(int who, int deep, int most) {
    depth[who] = deep;
    if (deep < most) {
        recurse(who, deep + 1, most);
        depth[who] = deep;
        if (deep % 2)
            recurse(who, deep + 1, most - 1);
    } else if (most == 4 && who == 1)
        bottom = 7;
    depth[who] = deep;
}

static void *worker(void *argument) {
    int who = (int)(long)argument;
    depth[who] = 1;
    recurse(who, 2, 4 + 2 * (who - 1));
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    depth[who] = 1;
    return NULL;
}

APART static void dive(int deep) {
    depth[0] = deep;
    if (deep < 9)
        dive(deep + 1);
    if (depth[0] == 9)
        longjmp(place, 1);
    depth[0] = deep;
}

APART static void jumper(void) {
    if (!setjmp(place))
        dive(3);
    landed = 1;
    depth[0] = 2;
}

int main(void) {
    pthread_t threads[WORKERS];
    depth[0] = 1;
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
    jumper();
    depth[0] = 1;
    jumper();
    after = 2;
    depth[0] = 1;
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    printf("%d done\n", done);
    return 0;
}
