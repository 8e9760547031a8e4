/* A structure that the C library returns, to a local variable.  truth: clean. */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *other(void *unused) {
    div_t parts = div(7, 2);
    struct in_addr address = {0};
    assert(inet_ntoa(address)[0] == '0');
    pthread_mutex_lock(&lock);
    sum += parts.quot;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    other(NULL);
    pthread_join(thread, NULL);
    assert(sum == 6);
}
