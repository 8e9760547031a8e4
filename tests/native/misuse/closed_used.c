/* A thread closes a descriptor that another one may be reading from. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *use(void *unused) {
    char byte;
    if (read(file, &byte, 1) < 0)
        return unused;
    return NULL;
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
