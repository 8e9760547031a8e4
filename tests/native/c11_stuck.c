/* Waits of C11 are shown with where the program called them, not where the runtime did. */
//@ any-exit 0 1
//@ finds main waits for the end of main.1 at c11_stuck.c:20
//@ finds main.1 waits on condition ready at c11_stuck.c:13
#include <threads.h>

static mtx_t lock;
static cnd_t ready;

static int worker(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    cnd_wait(&ready, &lock);
    mtx_unlock(&lock);
    return 0;
}

static void join(thrd_t thread) {
    int result;
    thrd_join(thread, &result);
}

int main(void) {
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    thrd_create(&thread, worker, NULL);
    mtx_lock(&lock);
    cnd_signal(&ready);
    mtx_unlock(&lock);
    join(thread);
    return 0;
}
