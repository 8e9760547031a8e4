// expected: false(no-deadlock); with -DFIXED: true
// Each waits for what the other gives only afterwards.
#include <pthread.h>
#include <semaphore.h>

sem_t left, right;

static void *one(void *unused) {
#ifdef FIXED
    sem_post(&right);
    sem_wait(&left);
#else
    sem_wait(&left);
    sem_post(&right);
#endif
    return unused;
}

static void *other(void *unused) {
    sem_wait(&right);
    sem_post(&left);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&left, 0, 0);
    sem_init(&right, 0, 0);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
