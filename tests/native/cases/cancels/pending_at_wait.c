/* truth: fails.  A wait for a condition gives the mutex back before it acts on a cancellation that
 * came before it: others get in meanwhile. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int others;

static void give(void *unused) {
    (void)unused;
    assert(!others);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cancel(pthread_self());
    others = 0;
    pthread_cleanup_push(give, NULL);
    pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    others = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
