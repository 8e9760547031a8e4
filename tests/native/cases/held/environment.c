#include "held.h"

static void *f(void *x) {
    setenv("A", "1", 1);
    return 0;
}
static void *g(void *x) {
    assert(!getenv("A"));
    return 0;
}
int main(void) {
    both(f, g);
}
