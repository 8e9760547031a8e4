/* Cancelled while it waits for a condition, sleeps, or asks. */
//@ output cleaned 3
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void unlock(void *mutex) {
    printf("cleaned ");
    pthread_mutex_unlock(mutex);
}

static void *in_wait(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
    return unused;
}

static void *in_sleep(void *unused) {
    for (;;)
        sleep(1000);
    return unused;
}

static void *in_test(void *unused) {
    __atomic_store_n(&waiting, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        __atomic_load_n(&waiting, __ATOMIC_SEQ_CST);
        pthread_testcancel();
    }
    return unused;
}

int main(void) {
    void *(*function[3])(void *) = {in_wait, in_sleep, in_test};
    pthread_t thread[3];
    int cancelled = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, function[i], NULL);
    while (!__atomic_load_n(&waiting, __ATOMIC_SEQ_CST))
        ;
    sleep(1);
    for (int i = 0; i < 3; i++)
        pthread_cancel(thread[i]);
    for (int i = 0; i < 3; i++) {
        void *value;
        pthread_join(thread[i], &value);
        cancelled += value == PTHREAD_CANCELED;
    }
    assert(pthread_mutex_trylock(&lock) == 0);
    printf("%d\n", cancelled);
    return 0;
}
