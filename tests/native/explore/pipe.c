// Two threads write to a pipe that main reads: their order is main's to see.  WRONG waits for a
// byte that nobody writes.
//@ case | executions=4 violations=2 naive
//@ case -DRIGHT | executions=4 naive
//@ case -DWRONG | executions=4 deadlocks=4 naive
//@ finds the first byte is that of the first thread
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int files[2];
static int before; /* plain: ordered by the pipe */

static void *first(void *unused) {
    before = 1;
    if (write(files[1], "1", 1) != 1)
        return NULL;
    return unused;
}

static void *second(void *unused) {
    if (write(files[1], "2", 1) != 1)
        return NULL;
    return unused;
}

int main(void) {
    pthread_t a, b;
    char bytes[3] = "";
    if (pipe(files) != 0)
        return 2;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    if (read(files[0], bytes, 1) != 1 || read(files[0], bytes + 1, 1) != 1)
        return 2;
#ifdef WRONG
    if (read(files[0], bytes + 2, 1) != 1)
        return 2;
#endif
    assert(before == 1);
#ifndef RIGHT
    assert(bytes[0] == '1' && "the first byte is that of the first thread");
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
