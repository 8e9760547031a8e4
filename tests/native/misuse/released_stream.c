/* A thread closes a stream that another one reads. */
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *use(void *unused) {
    return getc(stream) == EOF ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    stream = fopen("/dev/zero", "r");
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    fclose(stream);
#else
    fclose(stream);
    pthread_join(thread, NULL);
#endif
    return 0;
}
