/* A thread closes a descriptor for which another one polls. */
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int file;

static void *await(void *unused) {
    struct pollfd wanted = {.fd = file, .events = POLLIN};
    return poll(&wanted, 1, -1) == 1 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    file = eventfd(0, 0);
    pthread_create(&thread, NULL, await, NULL);
    eventfd_write(file, 1);
#ifdef CLEAN
    pthread_join(thread, NULL);
    close(file);
#else
    close(file);
    pthread_join(thread, NULL);
#endif
    return 0;
}
