#include "held.h"

static void *f(void *x) {
    printf("a");
    return 0;
}
static void *g(void *x) {
    puts("b");
    return 0;
}
int main(void) {
    static char *text;
    static size_t size;
    stdout = open_memstream(&text, &size);
    both(f, g);
    fflush(stdout);
#ifdef SWAP
    assert(text[0] == 'b');
#else
    assert(text[0] == 'a');
#endif
}
