// A copy reads, then writes: others come between, and what is written is what was read.
//@ levels 0 2
//@ outcomes 0:0 0:1 0:2
#define HOW 3
#include "copies.c"
