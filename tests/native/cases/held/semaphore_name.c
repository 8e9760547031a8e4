#include "held.h"

static void *f(void *x) {
    sem_unlink("/heddle_held_a");
    return 0;
}
static void *g(void *x) {
    sem_t *s = sem_open("/heddle_held_a", 0);
    assert(s != SEM_FAILED);
    return 0;
}
int main(void) {
    sem_unlink("/heddle_held_a");
    sem_t *s = sem_open("/heddle_held_a", O_CREAT, 0600, 1);
    assert(s != SEM_FAILED);
    both(f, g);
    sem_unlink("/heddle_held_a");
}
