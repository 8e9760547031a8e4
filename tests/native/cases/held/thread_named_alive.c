#define _GNU_SOURCE
#include "held.h"

/* A thread that waits for its name, and one that names itself. */
static sem_t named;
static void *f(void *x) {
    sem_wait(&named);
    return 0;
}
static void *g(void *x) {
    assert(pthread_setname_np(pthread_self(), "g") == 0);
    return 0;
}
int main(void) {
    pthread_t one, other;
    char name[16];
    sem_init(&named, 0, 0);
    pthread_create(&one, NULL, f, NULL);
    pthread_create(&other, NULL, g, NULL);
    assert(pthread_setname_np(one, "aa") == 0);
    assert(pthread_getname_np(one, name, sizeof name) == 0 && !strcmp(name, "aa"));
    sem_post(&named);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
