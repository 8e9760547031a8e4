/* A condition variable is destroyed twice. */
#include <pthread.h>
static pthread_cond_t condition;
int main(void) {
    pthread_cond_init(&condition, NULL);
    pthread_cond_destroy(&condition);
#ifdef CLEAN
    pthread_cond_init(&condition, NULL);
#endif
    pthread_cond_destroy(&condition);
    return 0;
}
