#include "held.h"

#include <sys/timerfd.h>

/* A timer that was disarmed never expires. */
static int d;
static void *f(void *x) {
    struct itimerspec span = {{0, 0}, {0, 0}};
    timerfd_settime(d, 0, &span, NULL);
    return 0;
}
static void *g(void *x) {
    unsigned long count = 0;
    read(d, &count, 8);
    return 0;
}
int main(void) {
    struct itimerspec span = {{0, 0}, {5, 0}};
    d = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(d, 0, &span, NULL);
    both(f, g);
}
