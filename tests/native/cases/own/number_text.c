// truth: fails. All calls of l64a have one text.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *converts(void *unused) {
    l64a(77777);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, converts, NULL);
    const char *text = l64a(123456);
    char first = text[0];
    pthread_join(thread, NULL);
    assert(text[0] == first);
    return 0;
}
