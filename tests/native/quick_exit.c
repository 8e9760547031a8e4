/* _exit in the middle. */
//@ free
//@ exit 1
//@ stderr exit status 9
//@ lines w4(x=5)  1
#include <unistd.h>

static volatile int x;

int main(void) {
    x = 5;
    _exit(9);
}
