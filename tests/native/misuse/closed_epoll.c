/* A thread closes a descriptor that another one adds to a set of epoll. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int file;
static int set;

static void *use(void *unused) {
    struct epoll_event wanted = {.events = EPOLLIN};
    return epoll_ctl(set, EPOLL_CTL_ADD, file, &wanted) != 0 ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    set = epoll_create1(0);
    file = eventfd(0, 0);
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
