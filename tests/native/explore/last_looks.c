// What the last thread finds once it is alone: a word (W), a block (USE), or that a block was freed
// (FREE), by a thread that did so in other runs.  Few runs show both; they must not be computed from
// runs that show one each.
//@ case -DW | executions=136 violations=34
//@ case -DUSE | executions=136 violations=34
//@ case -DSTORE | executions=136 violations=34
//@ case -DFREE | executions=136 violations=34
//@ case -DBOTH | executions=18 violations=some races=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int a, b, n;
static int *p, w;
static volatile int sink;

static void *other(void *unused) {
    atomic_fetch_add(&n, 1);
    atomic_store(&n, atomic_load(&n) + 1);
    return unused;
}

#ifdef BOTH
static int *_Atomic shared;
static void *work(void *unused) {
    int *q = shared;
    if (q) {
        shared = NULL;
        free(q);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    shared = malloc(16);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    work(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
#else
static void *work(void *unused) {
    int old = n;
    n = old + 1;
    if (a == 0) {
#ifdef W
        w = 1;
#else
        free(p);
#endif
    }
    b = 1;
    n = n + 1;
    return unused;
}

static void *count(void *unused) {
    int old = n;
    n = old + 1;
    n = n + 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    p = malloc(16);
    p[0] = 1;
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, count, NULL);
    a = 1;
    int found = b;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (found == 0) {
#ifdef W
        assert(w == 0);
#elif defined FREE
        free(p);
#elif defined STORE
        p[0] = 2;
#else
        sink = p[0];
#endif
    }
    (void)other;
    return 0;
}
#endif
