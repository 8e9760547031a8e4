/* A lock of one's own over the futex call. */
//@ free
//@ output 6 ok
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word; /* 0 free, 1 taken, 2 taken and waited for */
static int count;

static void lock(void) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&word, &expected, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *worker(void *unused) {
    for (int i = 0; i < 3; i++) {
        lock();
        count++;
        unlock();
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d ok\n", count);
    return 0;
}
