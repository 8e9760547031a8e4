/*
 * The base room: text for people and parsers, errors.
 */

#include "support_suite.h"
#include "test_base_tools.h"

/* ---- Text ---- */

/* The bytes of a code point, whether or not it may be encoded. */
static size_t encode(char *to, uint32_t point, size_t size) {
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (size == 1) {
        to[0] = (char)point;
        return 1;
    }
    for (size_t i = size - 1; i > 0; i--) {
        to[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    to[0] = (char)(lead[size] | point);
    return size;
}

static size_t shortest(uint32_t point) {
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

static void utf8_takes_every_code_point_and_nothing_else(void **state) {
    (void)state;
    char bytes[8];
    for (uint32_t point = 0; point < 0x1fffff; point += point < 0x12000 ? 1 : 13) {
        bool legal = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
        size_t size = encode(bytes, point, shortest(point));
        assert_int_equal(hd_text_utf8(bytes, size), legal ? size : 0);
        assert_int_equal(hd_text_utf8(bytes, size - 1), 0); /* cut off */
        for (size_t longer = size + 1; longer <= 4; longer++) {
            encode(bytes, point, longer);
            assert_int_equal(hd_text_utf8(bytes, longer), 0);
        }
    }
}

static void utf8_refuses_stray_bytes(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\x80",      "\xbf",      "\xc0\x80",      "\xc1\xbf",         "\xc3(",
        "\xe2\x82(", "\xe2(\x82", "\xf0\x9f\x98(", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80",
        "\xfe",      "\xff"};
    for (size_t i = 0; i < ITEMS(bad); i++)
        assert_int_equal(hd_text_utf8(bad[i], strlen(bad[i])), 0);
    assert_int_equal(hd_text_utf8("\xe2\x82\xac and more", 12), 3);
    assert_int_equal(hd_text_utf8("", 0), 0);
}

static void assert_printable(const char *from, size_t length, size_t size, const char *expected) {
    char text[256];
    memset(text, '#', sizeof text);
    size_t result = hd_text_printable(text, size, from, length);
    assert_string_equal(text, expected);
    assert_int_equal(result, strlen(expected));
    for (size_t i = size; i < sizeof text; i++)
        assert_int_equal(text[i], '#');
}

static void printable_escapes_what_is_not(void **state) {
    (void)state;
    assert_printable("plain text", 10, 100, "plain text");
    assert_printable("tab\there\n", 9, 100, "tab\\x09here\\x0a");
    assert_printable("nul\0in it", 9, 100, "nul\\x00in it");
    assert_printable("\x1b[31mred\x7f", 9, 100, "\\x1b[31mred\\x7f");
    assert_printable("caf\xc3\xa9 \xe2\x82\xac", 9, 100, "caf\xc3\xa9 \xe2\x82\xac");
    assert_printable("\xff\xc3", 2, 100, "\\xff\\xc3");
    assert_printable("\xc2\x9b[2J", 5, 100, "\\xc2\\x9b[2J"); /* a control of two bytes */
    /* Text turns round between these two. */
    assert_printable("\xe2\x80\xae-\xe2\x80\xac", 7, 100, "\\xe2\\x80\\xae-\\xe2\\x80\\xac");
    assert_printable("a\xe2\x80\x8b"
                     "b",
                     5, 100,
                     "a\\xe2\\x80\\x8b"
                     "b"); /* nothing, between the two */
    assert_printable("\xef\xbb\xbf", 3, 100, "\\xef\\xbb\\xbf");
    assert_printable("\xf0\x9f\xa7\xb5\xc2\xa0", 6, 100, "\xf0\x9f\xa7\xb5\xc2\xa0");
    assert_printable("", 0, 100, "");
    assert_printable("a\\b", 3, 100, "a\\b");
}

static void printable_cuts_with_dots(void **state) {
    (void)state;
    assert_printable("0123456789", 10, 11, "0123456789");
    assert_printable("0123456789", 10, 10, "012345...");
    assert_printable("0123456789", 10, 4, "...");
    assert_printable("0123456789", 10, 3, "01");
    assert_printable("0123456789", 10, 1, "");
    assert_printable("abc\xe2\x82\xac\xe2\x82\xac", 9, 9, "abc..."); /* no half character */
    assert_printable("abcd\n\n\n", 7, 10, "abcd...");
    char untouched = '#';
    assert_int_equal(hd_text_printable(&untouched, 0, "text", 4), 0);
    assert_int_equal(untouched, '#');
}

static void printable_is_printable(void **state) {
    (void)state;
    hd_random random;
    hd_random_seed(&random, 3);
    for (int i = 0; i < 20000; i++) {
        char from[24], to[64];
        size_t length = hd_random_below(&random, sizeof from);
        size_t size = 1 + hd_random_below(&random, sizeof to);
        for (size_t j = 0; j < length; j++)
            from[j] = (char)hd_random_next(&random);
        size_t result = hd_text_printable(to, size, from, length);
        assert_true(result < size);
        assert_int_equal(to[result], '\0');
        for (size_t j = 0, step; j < result; j += step) {
            step = hd_text_utf8(to + j, result - j);
            assert_true(step > 0 && (unsigned char)to[j] >= 0x20 && to[j] != 0x7f);
        }
    }
}

static void unsigned_numbers_to_the_limit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"7", 7},
                {"0012", 12},
                {"18446744073709551615", UINT64_MAX},
                {"00000000000000000000018446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1x",
                                      "x",
                                      "0x10",
                                      "1e3",
                                      "18446744073709551616",
                                      "99999999999999999999",
                                      "1,000"};
    uint64_t value;
    for (size_t i = 0; i < ITEMS(good); i++) {
        assert_true(hd_text_u64(good[i].text, strlen(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    value = 77;
    for (size_t i = 0; i < ITEMS(bad); i++)
        assert_false(hd_text_u64(bad[i], strlen(bad[i]), &value));
    assert_false(hd_text_u64("1\0", 2, &value)); /* the whole of it */
    assert_int_equal(value, 77);
    assert_true(hd_text_u64("123456", 3, &value));
    assert_int_equal(value, 123);
}

static void signed_numbers_to_the_limit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"-12", -12},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN}};
    static const char *const bad[] = {"",
                                      "-",
                                      "--1",
                                      "+1",
                                      "- 1",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "18446744073709551616"};
    int64_t value;
    for (size_t i = 0; i < ITEMS(good); i++) {
        assert_true(hd_text_i64(good[i].text, strlen(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    value = -77;
    for (size_t i = 0; i < ITEMS(bad); i++)
        assert_false(hd_text_i64(bad[i], strlen(bad[i]), &value));
    assert_int_equal(value, -77);
}

static void grouped_numbers(void **state) {
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {{0, "0"},
                 {7, "7"},
                 {999, "999"},
                 {1000, "1,000"},
                 {12345, "12,345"},
                 {123456, "123,456"},
                 {12345678, "12,345,678"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    char buffer[32];
    for (size_t i = 0; i < ITEMS(cases); i++)
        assert_string_equal(hd_text_grouped(buffer, cases[i].value), cases[i].text);
}

/* ---- Errors ---- */

static void error_has_formatted_text(void **state) {
    (void)state;
    hd_error error = {0};
    assert_false(hd_error_set(&error, "line %d: unknown op '%s'", 12, "jump"));
    assert_string_equal(error.text, "line 12: unknown op 'jump'");
    assert_false(hd_error_prefix(&error, "%s: ", "file.std"));
    assert_string_equal(error.text, "file.std: line 12: unknown op 'jump'");
    assert_false(hd_error_set(NULL, "nobody listens"));
    assert_false(hd_error_prefix(NULL, "nobody listens"));
}

static void error_text_is_one_printable_line(void **state) {
    (void)state;
    hd_error error;
    hd_error_set(&error, "bad name '%s'", "a\nb\x1b[0m\xff");
    assert_string_equal(error.text, "bad name 'a\\x0ab\\x1b[0m\\xff'");
    hd_error_prefix(&error, "%s", "\r: ");
    assert_string_equal(error.text, "\\x0d: bad name 'a\\x0ab\\x1b[0m\\xff'");
}

static void error_text_is_cut(void **state) {
    (void)state;
    static const int lengths[] = {1000, 1020, 1023, 1024, 1025, 4090, 4095, 4096, 5000, 100000};
    hd_error error;
    for (size_t i = 0; i < ITEMS(lengths); i++) {
        hd_error_set(&error, "%0*d", lengths[i], 1);
        bool fits = lengths[i] < HD_ERROR_SIZE;
        assert_int_equal(strlen(error.text), fits ? (size_t)lengths[i] : HD_ERROR_SIZE - 1);
        assert_ends_in(error.text, fits ? "001" : "000...");
    }
}

/* What is wrong stays readable whatever is put in front of it. */
static void error_prefix_leaves_room(void **state) {
    (void)state;
    hd_error error;
    hd_error_set(&error, "the end is missing");
    hd_error_prefix(&error, "%05000d: ", 1);
    assert_int_equal(strlen(error.text), HD_ERROR_SIZE - 1);
    assert_ends_in(error.text, "000...the end is missing");
    hd_error_set(&error, "%05000d", 1);
    hd_error_prefix(&error, "file.std: ");
    assert_int_equal(strncmp(error.text, "file.std: 000", 13), 0);
    assert_ends_in(error.text, "000...");
    hd_error_set(&error, "%05000d", 1);
    hd_error_prefix(&error, "%05000d: ", 2);
    assert_true(strlen(error.text) < HD_ERROR_SIZE);
    hd_error_set(&error, "%c%05000d", '\0', 1); /* ends at once, cut or not */
    assert_string_equal(error.text, "");
}

/* ---- Long texts ---- */

static void long_words_are_cut(void **state) {
    (void)state;
    hd_vec_char to = {0};
    char *name = hd_mem_alloc((1 << 20) + 32);
    size_t length = (size_t)sprintf(name, "race on ");
    memset(name + length, 'n', 1 << 20);
    length += 1 << 20;
    length += (size_t)sprintf(name + length, " by T\x1b");
    hd_text_shorten(&to, name, length);
    assert_int_equal(strspn(to.data + 8, "n"), 128);
    assert_string_equal(to.data + 8 + 128, "... (1,048,576 bytes) by T\\x1b");
    hd_vec_clear(&to);
    memset(name, 'a', 512);
    hd_text_shorten(&to, name, 512);
    assert_int_equal(to.length, 512);
    hd_vec_clear(&to);
    hd_text_shorten(&to, "", 0);
    assert_string_equal(to.data, "");
    hd_vec_release(&to);
    free(name);
}

/* Not within a character; and a text of short words ends too. */
static void cuts_are_between_characters(void **state) {
    (void)state;
    hd_vec_char to = {0};
    char text[1200], *words = hd_mem_alloc(1 << 20);
    for (size_t i = 0; i < sizeof text; i += 3)
        memcpy(text + i, "\xe2\x82\xac", 3);
    hd_text_shorten(&to, text, sizeof text);
    assert_string_equal(to.data + 126, "... (1,200 bytes)");
    memset(words, ' ', 1 << 20);
    hd_vec_clear(&to);
    hd_text_shorten(&to, words, 1 << 20);
    assert_true(to.length < 70000);
    assert_string_equal(to.data + to.length - 21, "... (1,048,576 bytes)");
    hd_vec_release(&to);
    free(words);
}

static void places_are_marked(void **state) {
    (void)state;
    hd_vec_char to = {0};
    hd_text_mark(&to, "a = b", 2, 3);
    assert_string_equal(to.data, "  a = b\n    ^\n");
    hd_vec_clear(&to);
    hd_text_mark(&to, "\xc3\xa4\x1b = \x01", 6, 7);
    assert_string_equal(to.data, "  \xc3\xa4\\x1b = \\x01\n          ^^^^\n");
    hd_vec_clear(&to);
    hd_text_mark(&to, "ab", 2, 2);
    assert_string_equal(to.data, "  ab\n    ^\n");
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    hd_vec_clear(&to);
    hd_text_mark(&to, text, 500, 501);
    assert_int_equal(to.length, (5 + 60 + 1 + 60 + 3 + 1) + (5 + 60 + 1 + 1));
    hd_vec_release(&to);
}

SUPPORT_SUITE(test_base_text) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(cuts_are_between_characters),
        cmocka_unit_test(places_are_marked),
        cmocka_unit_test(utf8_takes_every_code_point_and_nothing_else),
        cmocka_unit_test(utf8_refuses_stray_bytes),
        cmocka_unit_test(printable_escapes_what_is_not),
        cmocka_unit_test(printable_cuts_with_dots),
        cmocka_unit_test(printable_is_printable),
        cmocka_unit_test(unsigned_numbers_to_the_limit),
        cmocka_unit_test(signed_numbers_to_the_limit),
        cmocka_unit_test(grouped_numbers),
        cmocka_unit_test(error_has_formatted_text),
        cmocka_unit_test(error_text_is_one_printable_line),
        cmocka_unit_test(error_text_is_cut),
        cmocka_unit_test(error_prefix_leaves_room),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
