// A thread tests a flag without the lock and waits after that: the wake-up in between is lost. Many
// rounds go well before.
#include "find.h"
enum { ROUNDS = 12 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int flag, rounds;

static void *sleeper(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        atomic_fetch_add(&rounds, 1);
        pthread_mutex_unlock(&lock);
    }
    if (!atomic_load(&flag)) { // wrong: without the lock
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&ready, &lock);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *waker(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        atomic_fetch_add(&rounds, 1);
        pthread_mutex_unlock(&lock);
    }
    atomic_store(&flag, 1);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    start(0, sleeper);
    start(1, waker);
    join_all(2);
    return 0;
}
