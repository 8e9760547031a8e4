/* Ignored reads are not ignored writes. */
#include "annotations.h"
static int data;
static void *writes(void *unused) {
#ifdef CLEAN
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    data = 1;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#else
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    data = 1;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
    return unused;
}
static void *reads(void *unused) {
    AnnotateThreadName(__FILE__, __LINE__, "reader");
    return data ? unused : NULL;
}
int main(void) {
    run_two(writes, reads);
    return 0;
}
