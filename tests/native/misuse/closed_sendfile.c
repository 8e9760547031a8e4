/* A thread closes the file that another one sends. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <unistd.h>

static int file;
static int other;

static void *use(void *unused) {
    return sendfile(other, file, NULL, 1) < 0 ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    file = open("/dev/zero", O_RDONLY);
    other = open("/dev/null", O_WRONLY);
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
