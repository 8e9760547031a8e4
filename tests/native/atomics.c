/* Atomic operations of every size; a compare-and-swap that fails only reads. */
//@ free
//@ output ok
//@ events armw=28 ar=12
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define ALL(type)                                                                                  \
    do {                                                                                           \
        static _Atomic type x;                                                                     \
        atomic_store(&x, 5);                                                                       \
        assert(atomic_load(&x) == 5);                                                              \
        assert(atomic_exchange(&x, 6) == 5);                                                       \
        assert(atomic_fetch_add(&x, 4) == 6);                                                      \
        assert(atomic_fetch_sub(&x, 3) == 10);                                                     \
        assert(atomic_fetch_and(&x, 3) == 7);                                                      \
        assert(atomic_fetch_or(&x, 8) == 3);                                                       \
        assert(atomic_fetch_xor(&x, 1) == 11);                                                     \
        type expected = 1;                                                                         \
        assert(!atomic_compare_exchange_strong(&x, &expected, 2));                                 \
        assert(expected == 10);                                                                    \
        assert(atomic_compare_exchange_strong(&x, &expected, 2));                                  \
        assert(atomic_load(&x) == 2);                                                              \
    } while (0)

int main(void) {
    ALL(uint8_t);
    ALL(uint16_t);
    ALL(uint32_t);
    ALL(uint64_t);
    static _Atomic int flag;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_seq_cst);
#ifndef __clang__
    static unsigned __int128 wide;
    __atomic_store_n(&wide, (unsigned __int128)1 << 100, __ATOMIC_SEQ_CST);
#endif
    puts("ok");
    return 0;
}
