// truth: right. A new thread has the name of the one that made it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static void *asks(void *unused) {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "parent") == 0);
    return unused;
}

int main(void) {
    const struct timespec wrong = {0, -1};
    pthread_t thread;
    sigset_t none;
    pthread_setname_np(pthread_self(), "parent");
    pthread_create(&thread, NULL, asks, NULL);
    sigemptyset(&none);
    assert(sigtimedwait(&none, NULL, &wrong) == -1 && errno == EINVAL);
    pthread_join(thread, NULL);
    return 0;
}
