/* A thread closes the file into which another one moves what is in a pipe. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;
static int from[2];

static void *use(void *unused) {
    return splice(from[0], NULL, file, NULL, 1, 0) == 1 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(from) != 0 || write(from[1], "x", 1) != 1)
        return 1;
    file = open("/dev/null", O_WRONLY);
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
