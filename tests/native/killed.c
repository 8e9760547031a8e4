/* kill -9 loses nothing. */
//@ free
//@ exit 1
//@ stderr killed by signal 9
//@ lines w4(step=.*)  999
//@ lines w4(step.*)  1000
#include <signal.h>
#include <unistd.h>

static volatile int step;

int main(void) {
    for (int i = 0; i < 1000; i++)
        step = i;
    kill(getpid(), SIGKILL);
    return 0;
}
