/* truth: fails.  A cancellation point: the thread may end there, before it sets done. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

atomic_int done;
int pair[2];
void *work(void *unused) {
    send(pair[0], "x", 1, 0);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    void *result;
    pthread_join(t, &result);
    assert(done);
    return 0;
}
