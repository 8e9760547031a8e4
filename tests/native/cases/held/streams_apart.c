/* Two streams of two files: what one thread does there is independent of the other. */
#include "held.h"

static FILE *one, *other;
static void print(FILE *stream) {
    for (int i = 0; i < 3; i++) {
        fprintf(stream, "a%d", i);
        fflush(stream);
    }
}
static void *f(void *x) {
    print(one);
    return 0;
}
static void *g(void *x) {
    print(other);
    return 0;
}
int main(void) {
    one = fopen("one.txt", "w");
    other = fopen("other.txt", "w");
    both(f, g);
    fclose(one);
    fclose(other);
}
