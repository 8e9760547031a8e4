/* A thread closes the directory in which another one opens a file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *use(void *unused) {
    return openat(file, "null", O_RDONLY) < 0 ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    file = open("/dev", O_RDONLY | O_DIRECTORY);
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
