/* An ignored read is a read all the same: what it may see is explored. */
#include "annotations.h"
static int data;
static void *writes(void *unused) {
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    data = 1;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    return unused;
}
static void *reads(void *unused) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    int seen = data;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#ifndef CLEAN
    if (seen)
        abort();
#endif
    return seen ? unused : NULL;
}
int main(void) {
    run_two(writes, reads);
    return 0;
}
