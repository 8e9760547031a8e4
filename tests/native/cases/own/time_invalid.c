// truth: right. A wrong time is refused at once, whatever there is to wait for.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *posts(void *unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    const struct timespec wrong = {1, 1000000000};
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, posts, NULL);
    assert(sem_timedwait(&semaphore, &wrong) == -1 && errno == EINVAL);
    assert(pthread_rwlock_timedrdlock(&lock, &wrong) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&lock, &wrong) == EINVAL);
    pthread_join(thread, NULL);
    return 0;
}
