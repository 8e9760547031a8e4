/* By its annotations, a thread gives back a lock that it does not have. */
#include "annotations.h"
static own_lock lock;
static void *gives(void *unused) {
#ifdef CLEAN
    lock_own(&lock, 1);
#else
    unseen_take(&lock, 1);
#endif
    unlock_own(&lock, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, gives, NULL);
    pthread_join(thread, NULL);
    return 0;
}
