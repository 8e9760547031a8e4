/* A thread closes the end of a pipe to which another one may be writing.  Clean: what is read from
 * the pipe was written before, and two threads may write to one descriptor. */
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *send_byte(void *unused) {
    return write(ends[1], "x", 1) == 1 ? NULL : unused;
}

int main(void) {
    pthread_t one, other;
    char byte;
    if (pipe(ends))
        return 1;
    pthread_create(&one, NULL, send_byte, NULL);
    pthread_create(&other, NULL, send_byte, NULL);
#ifdef CLEAN
    for (int i = 0; i < 2; i++)
        if (read(ends[0], &byte, 1) != 1)
            return 1;
#else
    if (read(ends[0], &byte, 1) != 1)
        return 1;
#endif
    close(ends[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
