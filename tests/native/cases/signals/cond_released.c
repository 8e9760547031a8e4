/* truth: right or shaky.  Giving the mutex back and waiting is one step: no handler comes between,
 * so that the notification finds the thread. */
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_set;

static void handle(int number) {
    (void)number;
}

static void *await(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_set)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, await, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_mutex_lock(&mutex);
    is_set = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
