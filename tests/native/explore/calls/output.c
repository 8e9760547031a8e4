// Output by the C library and past it, and how far it goes: each run has its own from the
// start, in one process (--reset=memory) as in many.
//@ outcomes 0:one,2.4,6 0:1.0,2
//@ options --reset=fork
//@ outcomes 0:one,2.4,6 0:1.0,2
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

atomic_int count;

static void *add(void *argument) {
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
    if (seen == 1) {
        char text[] = "one,";
        struct iovec pieces[] = {{text, 2}, {text + 2, 2}};
        if (writev(STDOUT_FILENO, pieces, 2) != 4)
            return NULL;
    }
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    long before = (long)lseek(STDOUT_FILENO, 0, SEEK_CUR);
    printf("%d.", atomic_load(&count));
    fflush(stdout);
    printf("%ld,%ld", before, (long)lseek(STDOUT_FILENO, 0, SEEK_CUR));
    return 0;
}
