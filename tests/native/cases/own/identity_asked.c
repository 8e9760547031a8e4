// truth: fails or shaky. The C library gives the second thread the handle of the first.
#include <assert.h>
#include <pthread.h>

static pthread_t handles[2];

static void *asks(void *handle) {
    *(pthread_t *)handle = pthread_self();
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, asks, &handles[i]);
        pthread_join(thread, NULL);
    }
    assert(handles[0] != handles[1]);
    return 0;
}
