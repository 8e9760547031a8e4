/* What was benign ends with the block. */
#include "annotations.h"
static int *shared;
static void *counts(void *unused) {
    ++*shared;
    return unused;
}
int main(void) {
    shared = calloc(1, sizeof *shared);
#ifndef CLEAN
    AnnotateBenignRace(__FILE__, __LINE__, shared, "a statistic");
    free(shared);
    shared = calloc(1, sizeof *shared);
#else
    AnnotateBenignRace(__FILE__, __LINE__, shared, "a statistic");
#endif
    run_two(counts, counts);
    return 0;
}
