// Half of a block is written, a relaxed flag says so, and who sees the flag frees the block, -DSET
// writes all of it, or -DOTHER the other half.  With -DGOOD the flag is released and acquired.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef GOOD
enum { SAYS = memory_order_release, SEES = memory_order_acquire };
#else
enum { SAYS = memory_order_relaxed, SEES = memory_order_relaxed };
#endif

static int *halves;
static atomic_int flag;

static void *write_half(void *unused) {
    halves[1] = 5;
    atomic_store_explicit(&flag, 1, SAYS);
    return unused;
}

static void *end_it(void *unused) {
    if (atomic_load_explicit(&flag, SEES))
#if defined SET
        memset(halves, 1, 2 * sizeof *halves);
#elif defined OTHER
        halves[0] = 7;
#else
        free(halves);
#endif
    return unused;
}

int main(void) {
    pthread_t writer, other;
    halves = calloc(2, sizeof *halves);
    pthread_create(&writer, NULL, write_half, NULL);
    pthread_create(&other, NULL, end_it, NULL);
    pthread_join(writer, NULL);
    pthread_join(other, NULL);
    return 0;
}
