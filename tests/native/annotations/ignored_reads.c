/* Reads that are to be ignored; the write elsewhere is like others. */
#include "annotations.h"
static int data;
static void *writes(void *unused) {
    data = 1;
    return unused;
}
static void *reads(void *unused) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
#ifndef CLEAN
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
    void *result = data ? unused : NULL;
#ifdef CLEAN
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
    return result;
}
int main(void) {
    run_two(writes, reads);
    return 0;
}
