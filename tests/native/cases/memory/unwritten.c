// Memory of the heap is read before anything is written there: with -DGOOD it is written first.
// -DCALLOC, -DCOPY, -DPADDING, -DLIBRARY, -DREALLOC: nothing is wrong.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    int first;
    long second;
} block;

static block *shared;
static long seen;

static void *use(void *unused) {
    seen = shared->second;
    return unused;
}

int main(void) {
    pthread_t thread;
    block *other = malloc(sizeof *other);
    shared = malloc(sizeof *shared);
#if defined CALLOC
    shared = calloc(1, sizeof *shared);
#elif defined COPY /* the copy of what was not written is no use of it */
    memcpy(shared, other, sizeof *shared);
#elif defined PADDING
    shared->second = 0;
    other->first = 1;
    seen = *(long *)(void *)other & 1; /* with the bytes after `first` */
#elif defined LIBRARY
    FILE *file = fmemopen((char[16]){0}, 16, "r");
    shared->second = 1;
    if (fread(shared, 1, sizeof *shared, file) != sizeof *shared)
        return 1;
    fclose(file);
#elif defined REALLOC
    shared->second = 0;
    shared = realloc(shared, 64);
#elif defined GOOD
    shared->second = 0;
#endif
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    free(other);
    free(shared);
    return (int)seen;
}
