/* A thread gets a name after it was joined. */
#define _GNU_SOURCE
#include <pthread.h>

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
#ifdef CLEAN
    pthread_setname_np(thread, "late");
    pthread_join(thread, NULL);
#else
    pthread_join(thread, NULL);
    pthread_setname_np(thread, "late");
#endif
    return 0;
}
