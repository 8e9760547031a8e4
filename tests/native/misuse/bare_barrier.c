/* A barrier is used that was never initialised. */
#include <pthread.h>
static pthread_barrier_t barrier;
int main(void) {
#ifdef CLEAN
    pthread_barrier_init(&barrier, NULL, 1);
#endif
    pthread_barrier_wait(&barrier);
    return 0;
}
