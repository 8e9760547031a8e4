/* A race that the program calls benign. */
#include "annotations.h"
static long hits[2];
static void *counts(void *unused) {
    hits[1]++;
    return unused;
}
int main(void) {
#ifdef CLEAN
    AnnotateBenignRaceSized(__FILE__, __LINE__, hits, sizeof hits, "a statistic");
#else
    AnnotateBenignRace(__FILE__, __LINE__, hits, "the wrong one");
#endif
    run_two(counts, counts);
    return 0;
}
