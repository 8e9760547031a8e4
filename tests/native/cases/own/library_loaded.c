// truth: fails. Whether a library is loaded depends on who loads it.
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void *loads(void *unused) {
    dlopen("libresolv.so.2", RTLD_LAZY);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, loads, NULL);
    assert(!dlopen("libresolv.so.2", RTLD_LAZY | RTLD_NOLOAD));
    pthread_join(thread, NULL);
    return 0;
}
