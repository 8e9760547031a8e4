/* Accesses of different sizes that overlap: variables are split at every border. */
//@ free
//@ output ok
//@ lines w4(word.whole=.*)  2
//@ lines w2(word.whole+4=1541)  1
//@ lines w2(word.whole+6=2055)  1
//@ lines r2(word.whole+4=1541)  1
//@ lines r4(word.whole=67305985)  1
//@ lines w8(alone=-1)  1
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

static volatile union {
    uint64_t whole;
    uint32_t half[2];
    uint16_t quarter[4];
} word;
static volatile int64_t alone;

int main(void) {
    word.whole = UINT64_C(0x0807060504030201);
    alone = -1;
    assert(word.quarter[2] == 0x0605);
    assert(word.half[0] == 0x04030201);
    word.half[0] = 7;
    puts("ok");
    return 0;
}
