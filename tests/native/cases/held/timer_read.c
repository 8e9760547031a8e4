#include "held.h"

#include <poll.h>
#include <sys/timerfd.h>

/* The system ends the wait, so there is no deadlock. */
static void *f(void *x) {
    int d = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec span = {{0, 0}, {1, 0}};
    unsigned long count = 0;
    timerfd_settime(d, 0, &span, NULL);
    struct pollfd wanted = {d, POLLIN, 0};
    assert(poll(&wanted, 1, -1) == 1);
    assert(read(d, &count, 8) == 8 && count == 1);
    return 0;
}
static void *g(void *x) {
    return 0;
}
int main(void) {
    both(f, g);
}
