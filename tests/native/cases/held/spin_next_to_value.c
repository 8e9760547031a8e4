/* What lies next to a spin lock in one word is not the lock. */
#include "held.h"

struct {
    pthread_spinlock_t lock;
    int value;
} a;
static void *f(void *x) {
    pthread_spin_lock(&a.lock);
    a.value++;
    pthread_spin_unlock(&a.lock);
    return 0;
}
int main(void) {
    pthread_spin_init(&a.lock, 0);
    both(f, f);
    assert(a.value == 2);
}
