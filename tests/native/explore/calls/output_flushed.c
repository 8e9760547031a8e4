// What is in a buffer comes out if it is flushed before the process ends; who flushes may print
// nothing itself.
//@ options --find=outcome
//@ outcomes 0: 0:a 0:b 0:ab 0:ba
//@ options --find=outcome --reset=fork
//@ outcomes 0: 0:a 0:b 0:ab 0:ba
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *flush(void *unused) {
    fflush(stdout);
    return unused;
}

static void *finish(void *stream) {
    fclose(stream);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    FILE *other = fdopen(dup(STDOUT_FILENO), "w");
    setvbuf(other, NULL, _IOFBF, 64);
    fputs("a", stdout);
    fputs("b", other);
    pthread_create(&threads[0], NULL, flush, NULL);
    pthread_create(&threads[1], NULL, finish, other);
    pthread_detach(threads[0]);
    pthread_detach(threads[1]);
    _exit(0);
}
