#include "held.h"

int main(void) {
    int n = 0;
    void *f(void *x) {
        int v = n;
        n = v + 1;
        return 0;
    }
    both(f, f);
    assert(n == 2);
}
