/* fclose closes the descriptor, too. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int file;

static void *use(void *unused) {
    char byte;
    return pread(file, &byte, 1, 0) >= 0 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    FILE *stream = fopen("/dev/null", "r");
    if (!stream)
        return 1;
    file = fileno(stream);
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
