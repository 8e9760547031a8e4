// truth: right. Libraries are closed, and unmapped, while another thread is there.
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counts(void *unused) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    static const char *const names[] = {"libresolv.so.2", "libanl.so.1"};
    for (int i = 0; i < 2; i++) {
        char text[16];
        pthread_t thread;
        void *library = dlopen(names[i], RTLD_NOW);
        assert(library);
        pthread_create(&thread, NULL, counts, NULL);
        dlclose(library);
        counts(NULL);
        pthread_join(thread, NULL);
        snprintf(text, sizeof text, "%d", count);
        assert(count == 2 * (i + 1));
    }
    return 0;
}
