// The other objects: what is explored is what brute force finds, but for barriers, of which brute
// force counts the orders of arrival (tests/native/barriers has those).
//@ case -DSEMAPHORE | violations=0 naive
//@ case -DRWLOCK | violations=some naive
//@ case -DBARRIER | violations=0
//@ case -DONCE | violations=0 naive
//@ case -DRECURSIVE | violations=0 naive
//@ case -DSPIN | violations=some naive
//@ case -DTIMEDWAIT | violations=some naive
//@ case -DTRYJOIN | violations=some naive
//@ case -DSEMTRY | violations=some naive
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

int x;
sem_t semaphore;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_spinlock_t spin;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, recursive;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void init(void) {
    x++;
}

static void *work(void *unused) {
#if defined SEMAPHORE
    sem_wait(&semaphore);
    x++;
    sem_post(&semaphore);
#elif defined RWLOCK
    pthread_rwlock_rdlock(&rwlock);
    int seen = x;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    x = seen + 1;
    pthread_rwlock_unlock(&rwlock);
#elif defined BARRIER
    if (unused)
        x = 1;
    pthread_barrier_wait(&barrier);
    assert(x == 1);
#elif defined ONCE
    pthread_once(&once, init);
    assert(x == 1);
#elif defined RECURSIVE
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    x++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
#elif defined SPIN
    pthread_spin_lock(&spin);
    int seen = x;
    pthread_spin_unlock(&spin);
    pthread_spin_lock(&spin);
    x = seen + 1;
    pthread_spin_unlock(&spin);
#elif defined TIMEDWAIT
    struct timespec soon = {0};
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_mutex_lock(&lock);
    int error = 0;
    if (!x)
        error = pthread_cond_timedwait(&changed, &lock, &soon);
    pthread_mutex_unlock(&lock);
    assert(error != ETIMEDOUT);
#elif defined SEMTRY
    assert(sem_trywait(&semaphore) == 0);
    sem_post(&semaphore);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    sem_init(&semaphore, 0, 1);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_spin_init(&spin, 0);
#if defined TIMEDWAIT
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], NULL);
#elif defined TRYJOIN
    pthread_create(&threads[0], NULL, work, NULL);
    assert(pthread_tryjoin_np(threads[0], NULL) == 0);
#else
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, &x);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#if defined SEMAPHORE || defined RWLOCK || defined RECURSIVE || defined SPIN
    assert(x == 2);
#endif
#endif
    return 0;
}
