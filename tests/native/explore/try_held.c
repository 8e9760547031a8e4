/* A try finds the lock taken, then the program ends before the lock is given back.  A thread that
 * still waits for the lock cannot take it where the try was: a search that puts it there asks for a
 * step that is not possible. */
//@ case | naive
//@ case -DREADERS | naive
#include <pthread.h>
#include <stdlib.h>

#ifdef READERS
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE pthread_rwlock_wrlock(&lock)
#define HOLD pthread_rwlock_rdlock(&lock)
#define TRY pthread_rwlock_trywrlock(&lock)
#define GIVE pthread_rwlock_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE pthread_mutex_lock(&lock)
#define HOLD pthread_mutex_lock(&lock)
#define TRY pthread_mutex_trylock(&lock)
#define GIVE pthread_mutex_unlock(&lock)
#endif
static pthread_cond_t nothing = PTHREAD_COND_INITIALIZER;

static void *try_and_leave(void *unused) {
    if (TRY == 0)
        GIVE;
    exit(0);
    return unused;
}

static void *signal_and_take(void *unused) {
    pthread_cond_signal(&nothing);
    TAKE;
    GIVE;
    return unused;
}

static void *hold(void *unused) {
    HOLD;
    GIVE;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, try_and_leave, NULL);
    pthread_create(&threads[1], NULL, signal_and_take, NULL);
    pthread_create(&threads[2], NULL, hold, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
