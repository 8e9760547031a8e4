/* A thread closes the end of a pipe into which another one copies what is in a second pipe. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;
static int from[2];

static void *use(void *unused) {
    return tee(from[0], file, 1, 0) == 1 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    int to[2];
    if (pipe(from) != 0 || pipe(to) != 0 || write(from[1], "x", 1) != 1)
        return 1;
    file = to[1];
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    close(file);
#else
    close(file);
    pthread_join(thread, NULL);
#endif
    return 0;
}
