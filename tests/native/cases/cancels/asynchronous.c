/* truth: fails or shaky.  The thread may be cancelled between any two instructions. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int before, after;
void *work(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    before = 1;
    after = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(before == after);
    return 0;
}
