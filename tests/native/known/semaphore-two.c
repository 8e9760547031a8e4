// expected: false(unreach-call) false(no-data-race); with -DFIXED: true
// A semaphore with a unit too many as a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t free_places;
int inside;
#ifdef FIXED
enum { PLACES = 1 };
#else
enum { PLACES = 2 };
#endif

static void *work(void *unused) {
    sem_wait(&free_places);
    inside++;
    assert(inside == 1);
    inside--;
    sem_post(&free_places);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&free_places, 0, PLACES);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
