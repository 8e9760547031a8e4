// A byte after a block of the heap is read: the last one that an element of the same size would
// have there.  -DNEXT: another block comes after it.
#include <stdlib.h>

static volatile char seen;

int main(void) {
    volatile char *block = malloc(SIZE);
#ifdef NEXT
    volatile char *next = malloc(SIZE);
    next[0] = 0;
#endif
    block[SIZE - 1] = 0;
#ifdef GOOD
    seen = block[SIZE - 1];
#else
    seen = block[SIZE + SIZE - 1];
#endif
    return 0;
}
