// What a process has beside its memory, and what libraries keep: each run changes all of it, and
// the next one finds it as it was.
//@ outcomes 0:,ab 0:,ba
#include "process_state.h"
