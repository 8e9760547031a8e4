// expected: false(unreach-call); with -DFIXED: true
// Threads have numbers of the system that differ, and main has that of the process.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

pid_t first, second;

static void *keep(void *to) {
    *(pid_t *)to = (pid_t)syscall(SYS_gettid);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, keep, &first);
    pthread_create(&b, NULL, keep, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((pid_t)syscall(SYS_gettid) == getpid());
#ifdef FIXED
    assert(first != second && first != getpid());
#else
    assert(first == second);
#endif
    return 0;
}
