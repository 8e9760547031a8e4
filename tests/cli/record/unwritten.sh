# A read of a block of the heap that nothing has written is noted; what calloc and realloc give,
# and what another size of access wrote, is not.
cat > reads.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair {
    int one, other;
    long both;
};
static struct pair *shared;
static char *text;
static void *sum(void *unused) {
    volatile long all = shared->one;
    all += shared->other;
    return unused;
}
int main(void) {
    pthread_t thread;
    volatile long seen;
    struct pair *zero = calloc(1, sizeof *zero);
    long *grown = malloc(2 * sizeof *grown);
    shared = malloc(sizeof *shared);
    text = malloc(8);
    memset(text, 0, 8);
    shared->one = 0;
    grown[0] = grown[1] = 0;
    grown = realloc(grown, 100);
    pthread_create(&thread, NULL, sum, NULL);
    pthread_join(thread, NULL);
    seen = zero->both + grown[1] + text[3] + *(int *)text;
    seen = shared->other; /* told once */
    (void)seen;
}
END
heddle cc -g -O1 -o reads reads.c
heddle record -o reads.htr ./reads
