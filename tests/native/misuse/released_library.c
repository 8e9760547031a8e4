/* A thread closes a library in which another one looks for a name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

static void *library;

static void *use(void *unused) {
    return dlsym(library, "crypt") ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    library = dlopen("libcrypt.so.1", RTLD_NOW);
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    dlclose(library);
#else
    dlclose(library);
    pthread_join(thread, NULL);
#endif
    return 0;
}
