// A thread goes round a loop of two reads.  Most runs in which it read both too early end in vain:
// another thread lets it go.  If both of these come before what they look for, none does, and it
// goes round for ever: the same round, after the same reads.
//@ case | deadlock
//@ case -DTWICE | deadlock
//@ case -DAT_LAST | complete
//@ case -DAT_LAST -DTWICE | complete
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int first_open, second_open, first, second;

static void *opens(void *unused) {
    atomic_store(&first_open, 1);
    atomic_store(&second_open, 1);
    return unused;
}

static void *lets_go(void *unused) {
    if (atomic_load(&first_open))
        atomic_store(&first, 1);
    return unused;
}

static void *lets_go_too(void *unused) {
    if (atomic_load(&second_open))
        atomic_store(&second, 1);
#ifdef AT_LAST
    else
        atomic_store(&second, 2);
#endif
    return unused;
}

static void await_both(void) {
    int one, two;
    do {
        one = atomic_load(&first);
        two = atomic_load(&second);
    } while (!one && !two);
}

static void *waits(void *unused) {
    await_both();
#ifdef TWICE
    await_both();
#endif
    return unused;
}

int main(void) {
    void *(*const all[])(void *) = {opens, lets_go, lets_go_too, waits};
    enum { COUNT = sizeof all / sizeof *all };
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
