#include "held.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>

static void *f(void *x) {
    int d = timerfd_create(CLOCK_MONOTONIC, 0), e = epoll_create1(0);
    struct itimerspec span = {{5, 0}, {5, 0}};
    struct epoll_event event = {.events = EPOLLIN}, got;
    epoll_ctl(e, EPOLL_CTL_ADD, d, &event);
    timerfd_settime(d, 0, &span, NULL);
    assert(epoll_wait(e, &got, 1, -1) == 1);
    return 0;
}
static void *g(void *x) {
    return 0;
}
int main(void) {
    both(f, g);
}
