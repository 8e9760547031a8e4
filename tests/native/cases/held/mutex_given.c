/* It is made while threads run, given to the other, and destroyed by the last. */
#include "held.h"

struct box {
    pthread_mutex_t lock;
    int value, users;
} * _Atomic given;
static void drop(struct box *b) {
    pthread_mutex_lock(&b->lock);
    int left = --b->users;
    pthread_mutex_unlock(&b->lock);
    if (!left) {
        pthread_mutex_destroy(&b->lock);
        free(b);
    }
}
static void *f(void *x) {
    struct box *b = malloc(sizeof *b);
    pthread_mutex_init(&b->lock, 0);
    b->value = 0;
    b->users = 2;
    given = b;
    drop(b);
    return 0;
}
static void *g(void *x) {
    struct box *b = given;
    if (b)
        drop(b);
    return 0;
}
int main(void) {
    both(f, g);
}
