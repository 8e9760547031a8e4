/* The sum of the bytes of a record (heddle/wire_tells.h), against an obvious one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "heddle/wire.h"
#include "support_few.h"
#include "support_suite.h"

enum { SIZE = 4000 };

/* Byte by byte, from the definition. */
static uint64_t obvious_check(const unsigned char *bytes, uint64_t end) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < end; i++)
        sum += ((uint64_t)bytes[i] << i % 8 * 8) * (i / 8 * 8 + 7);
    return end << 32 | sum * HEDDLE_WIRE_SUM >> 32;
}

static void test_items(void **state) {
    (void)state;
    unsigned char bytes[SIZE + 8];
    for (uint64_t seed = 1; seed < support_few(200, 50); seed++) {
        hd_random random;
        hd_random_seed(&random, seed);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(hd_random_below(&random, 3) ? hd_random_next(&random) : 0);
        uint64_t sum = 0, summed = 0;
        for (uint64_t end = 0; end < SIZE; end += hd_random_below(&random, seed % 2 ? 12 : 300)) {
            sum = heddle_wire_sum(sum, bytes, summed, end);
            summed = end - end % 8;
            assert_int_equal(heddle_wire_check(sum, bytes, end), obvious_check(bytes, end));
        }
    }
}

/* By how much a change of one byte changes the sum depends on its place, not on what is there.  The
 * check has the upper half of a product: it stays the same only if that is changed by less. */
static void test_any_byte(void **state) {
    (void)state;
    const uint64_t least = (uint64_t)1 << 32;
    const uint64_t step = support_few(8, 40);
    unsigned missed = 0;
    for (uint64_t word = 7; word < HEDDLE_WIRE_CHUNK; word += step)
        for (uint64_t byte = 1; byte < 256; byte++) {
            uint64_t change = byte * word * HEDDLE_WIRE_SUM;
            for (unsigned shift = 0; shift < 64; shift += 8)
                missed += (change << shift) + least < 2 * least;
        }
    assert_int_equal(missed, 0);
}

static uint64_t check_of(const unsigned char *bytes, uint64_t end) {
    return heddle_wire_check(heddle_wire_sum(0, bytes, 0, end), bytes, end);
}

/* Two words that are exchanged, bytes that are moved, and one less. */
static void test_order(void **state) {
    (void)state;
    unsigned char bytes[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    unsigned char other[24] = {9, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    unsigned char moved[24] = {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_true(check_of(bytes, 16) != check_of(other, 16));
    assert_true(check_of(bytes, 16) != check_of(moved, 16));
    assert_true(check_of(bytes, 16) != check_of(bytes, 15));
}

SUPPORT_SUITE(test_wire_sum) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_any_byte),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
