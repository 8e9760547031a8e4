// C11: threads, a mutex with a try, call_once, a condition.
//@ outcomes 0:1,0 0:1,1
#include <stdio.h>
#include <threads.h>

mtx_t lock;
once_flag once = ONCE_FLAG_INIT;
int runs, busy;

static void initialise(void) {
    runs++;
}

static int work(void *unused) {
    (void)unused;
    call_once(&once, initialise);
    mtx_lock(&lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    thrd_create(&thread, work, NULL);
    call_once(&once, initialise);
    busy = mtx_trylock(&lock) == thrd_busy;
    if (!busy)
        mtx_unlock(&lock);
    thrd_join(thread, NULL);
    printf("%d,%d", runs, busy);
    return 0;
}
