// What libraries and processors keep, without a call that would make heddle fork: each run changes
// all of it, and the next one finds it as it was.
//@ outcomes 0:,ab 0:,ba
//@ stays
#define IN_MEMORY
#include "process_state.h"
