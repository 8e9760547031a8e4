#include "held.h"

char *buf[2];
size_t size[2];
static void *f(void *x) {
    FILE *s = open_memstream(&buf[0], &size[0]);
    fputs("abc", s);
    fclose(s);
    return 0;
}
static void *g(void *x) {
    FILE *s = open_memstream(&buf[1], &size[1]);
    fputs("abcd", s);
    fclose(s);
    return 0;
}
int main(void) {
    both(f, g);
    assert(size[0] == 3 && size[1] == 4 && !strcmp(buf[0], "abc"));
}
