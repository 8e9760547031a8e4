// Locks of streams that are held over a point.
//@ case -DLOCKED | complete executions=6
//@ case -DPRINTS | complete
//@ case -DNESTED | complete
//@ case -DTRY_LOOP | complete
//@ case -DABBA | deadlock
//@ case -DCOOKIE | complete opt=--accept=unseen-access:structures
//@ case -DFLUSHES | complete
//@ case -DBLOCKED | hang once within=4 says=is_blocked_inside_the_C_library
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;

static ssize_t put(void *unused, const char *bytes, size_t size) {
    (void)unused;
    (void)bytes;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return (ssize_t)size;
}

static void *work(void *argument) {
#if defined LOCKED
    for (int i = 0; i < 2; i++) {
        flockfile(stream);
        pthread_mutex_lock(&mutex);
        fputs("x\n", stream);
        pthread_mutex_unlock(&mutex);
        funlockfile(stream);
    }
#elif defined NESTED
    flockfile(stream);
    flockfile(stream);
    fputs("x\n", stream);
    funlockfile(stream);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    funlockfile(stream);
#elif defined TRY_LOOP
    while (ftrylockfile(stream))
        ;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    funlockfile(stream);
#elif defined COOKIE
    fprintf(stream, "%p\n", argument);
#else
    if (argument) {
        flockfile(stream);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        funlockfile(stream);
        return NULL;
    }
#if defined PRINTS
    fprintf(stream, "x\n");
#elif defined ABBA
    pthread_mutex_lock(&mutex);
    flockfile(stream);
    funlockfile(stream);
    pthread_mutex_unlock(&mutex);
#else
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#if defined BLOCKED
    fflush(NULL); /* which waits for every stream: that is not seen */
#else
    fflush(stream);
#endif
#endif
#endif
    (void)argument;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    stream = stdout;
#if defined COOKIE
    stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
    setvbuf(stream, NULL, _IONBF, 0);
#endif
    (void)put;
    pthread_create(&a, NULL, work, &a);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
