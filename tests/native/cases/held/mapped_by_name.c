#include "held.h"

static void *f(void *x) {
    int d = shm_open("/heddle_held_m", O_RDWR, 0600);
    volatile int *a = mmap(0, 4096, 3, MAP_SHARED, d, 0);
    int v = *a;
    *a = v + 1;
    return 0;
}
int main(void) {
    int d = shm_open("/heddle_held_m", O_RDWR | O_CREAT | O_TRUNC, 0600);
    ftruncate(d, 4096);
    int *a = mmap(0, 4096, 3, MAP_SHARED, d, 0);
    both(f, f);
    shm_unlink("/heddle_held_m");
    assert(*a == 2);
}
