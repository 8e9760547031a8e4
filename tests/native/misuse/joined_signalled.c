/* A thread is joined while another one may be sending it a signal. */
#include <pthread.h>
#include <signal.h>

static pthread_t worker;

static void *work(void *unused) {
    return unused;
}

static void *ask(void *unused) {
    pthread_kill(worker, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&thread, NULL, ask, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    pthread_join(worker, NULL);
#else
    pthread_join(worker, NULL);
    pthread_join(thread, NULL);
#endif
    return 0;
}
