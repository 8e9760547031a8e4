/* A thread is asked for its priority that was joined. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifdef CLEAN
    int policy;
    struct sched_param priority;
    pthread_getschedparam(thread, &policy, &priority);
    pthread_join(thread, NULL);
#else
    pthread_join(thread, NULL);
    int policy;
    struct sched_param priority;
    pthread_getschedparam(thread, &policy, &priority);
#endif
    return 0;
}
