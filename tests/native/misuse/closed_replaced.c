/* A thread puts another file in the place of one to which another thread may be writing. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *use(void *unused) {
    return write(file, "x", 1) == 1 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_WRONLY);
    int other = open("/dev/null", O_WRONLY);
#ifdef CLEAN
    dup2(other, file);
#endif
    pthread_create(&thread, NULL, use, NULL);
#ifndef CLEAN
    dup2(other, file);
#endif
    pthread_join(thread, NULL);
    return 0;
}
