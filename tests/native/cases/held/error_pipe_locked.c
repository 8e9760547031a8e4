#include "held.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *x) {
    pthread_mutex_lock(&m);
    write(2, "ab", 1);
    write(2, "b", 1);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    int p[2], saved = dup(2);
    char text[5] = "";
    pipe(p);
    dup2(p[1], 2);
    both(f, f);
    read(p[0], text, 4);
    dup2(saved, 2);
    assert(!strcmp(text, "abab"));
}
