// A futex of the program's own: a wait that sleeps or finds another value.
//@ outcomes 0:1,0 0:1,11
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int word;

static void *waker(void *unused) {
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waker, NULL);
    long slept = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    int seen = word;
    int error = slept ? errno : 0;
    pthread_join(thread, NULL);
    printf("%d,%d", seen, error);
    return 0;
}
