/* truth: right or shaky.  A worker that prints and sleeps until it is cancelled, and one cleanup.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

atomic_int ended;
void end(void *unused) {
    (void)unused;
    ended++;
}
void *work(void *unused) {
    pthread_cleanup_push(end, NULL);
    for (int i = 0; i < 2; i++) {
        printf("at work\n");
        sleep(1);
    }
    pthread_cleanup_pop(1);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sleep(3);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(ended == 1);
    return 0;
}
