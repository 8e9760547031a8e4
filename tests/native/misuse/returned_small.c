/* A variable of a function that has returned is used, in a frame of a few bytes. */
#include <pthread.h>

static int *kept;

__attribute__((noinline)) static void keep(void) {
    int value = 1;
#ifdef CLEAN
    static int lasting;
    kept = &lasting;
#else
    kept = &value;
#endif
    *(volatile int *)kept = value;
}

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    keep();
    int seen = *(volatile int *)kept;
    pthread_join(thread, NULL);
    return seen == 42;
}
