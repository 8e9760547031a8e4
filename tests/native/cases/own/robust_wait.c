// truth: fails. The mutex that a wait takes again is one whose owner died.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *dies(void *unused) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_create(&thread, NULL, dies, NULL);
    int error = pthread_mutex_lock(&lock);
    if (error == 0)
        while (!done && !error)
            error = pthread_cond_wait(&changed, &lock);
    else
        error = 0;
    assert(error != EOWNERDEAD);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
