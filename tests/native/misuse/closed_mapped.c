/* A thread closes a file that another one maps. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void *use(void *unused) {
    return mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ? unused : NULL;
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
