#include "held.h"

char *buf;
size_t size;
static void *f(void *x) {
    FILE *s = open_memstream(&buf, &size);
    fputs("abc", s);
    fclose(s);
    return 0;
}
static void *g(void *x) {
    size_t n = *(volatile size_t *)&size;
    assert(n == 0 || n == 3 || 1);
    assert(n != 3);
    return 0;
}
int main(void) {
    both(f, g);
}
