// C11: a lock and a wait with time limits, a recursive lock, a thread that nobody joins.
//@ outcomes 0:0,0 0:0,4 0:4,4
#include <stdio.h>
#include <threads.h>
#include <time.h>

mtx_t lock, again;
cnd_t ready, over;
int ended;

static int signaller(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    cnd_signal(&ready);
    ended = 1;
    cnd_broadcast(&over);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec until;
    mtx_init(&lock, mtx_timed);
    mtx_init(&again, mtx_plain | mtx_recursive);
    cnd_init(&ready);
    cnd_init(&over);
    mtx_lock(&again);
    mtx_lock(&again);
    mtx_unlock(&again);
    mtx_unlock(&again);
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    thrd_create(&thread, signaller, NULL);
    thrd_detach(thread);
    int got = mtx_timedlock(&lock, &until);
    if (got == thrd_timedout)
        mtx_lock(&lock);
    int ends = ended ? thrd_timedout : cnd_timedwait(&ready, &lock, &until);
    while (!ended)
        cnd_wait(&over, &lock);
    mtx_unlock(&lock);
    printf("%d,%d", got, ends);
    return 0;
}
