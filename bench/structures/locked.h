/* Each thread takes the lock once, or ROUNDS times, and counts. */
#include "structure.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

static void take(int id);
static void release(int id);

static int count;

static void client(int id) {
    for (int i = 0; i < ROUNDS; i++) {
        take(id);
        count++;
        release(id);
    }
}

static void finish(void) {
    assert(count == N * ROUNDS);
}
