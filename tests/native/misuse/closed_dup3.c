/* A thread closes a descriptor that another one makes a third of. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *use(void *unused) {
    return dup3(file, 20, O_CLOEXEC) < 0 ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    file = open("/dev/zero", O_RDONLY);
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
