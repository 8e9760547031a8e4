#include "held.h"

#include <iostream>

static void *f(void *x) {
    std::cerr << "a";
    return 0;
}
static void *g(void *x) {
    std::cerr << "b";
    return 0;
}
int main() {
    int p[2], saved = dup(2);
    char text[2] = "";
    pipe(p);
    dup2(p[1], 2);
    both(f, g);
    read(p[0], text, 2);
    dup2(saved, 2);
#ifdef SWAP
    assert(text[0] == 'b');
#else
    assert(text[0] == 'a');
#endif
}
