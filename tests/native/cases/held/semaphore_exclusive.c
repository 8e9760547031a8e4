#include "held.h"

static void *f(void *x) {
    sem_t *s = sem_open("/heddle_held_b", O_CREAT | O_EXCL, 0600, 1);
    if (s != SEM_FAILED)
        return 0;
    return 0;
}
static void *g(void *x) {
    sem_t *s = sem_open("/heddle_held_b", O_CREAT | O_EXCL, 0600, 1);
    assert(s != SEM_FAILED);
    return 0;
}
int main(void) {
    sem_unlink("/heddle_held_b");
    both(f, g);
    sem_unlink("/heddle_held_b");
}
