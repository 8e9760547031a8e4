/*
 * The base room: memory, containers, random numbers.  Containers are held against naive
 * ones on random input.
 */

#include "support_few.h"
#include "support_suite.h"
#include "test_base_tools.h"

/* ---- Memory ---- */

static void memory_is_zeroed_copied_and_kept(void **state) {
    (void)state;
    uint64_t *numbers = HD_NEW_ARRAY(uint64_t, 100);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(numbers[i], 0);
        numbers[i] = i;
    }
    numbers = hd_mem_resize(numbers, 10000, sizeof *numbers);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(numbers[i], i);
    free(numbers);
    char *copy = hd_mem_string("abcdef", 3);
    assert_string_equal(copy, "abc");
    free(copy);
}

static void no_memory_is_still_a_pointer(void **state) {
    (void)state;
    void *nothing[] = {hd_mem_alloc(0), hd_mem_zero(0, 8), hd_mem_zero(8, 0),
                       hd_mem_resize(NULL, 0, 8), hd_mem_string("", 0)};
    for (size_t i = 0; i < ITEMS(nothing); i++) {
        assert_non_null(nothing[i]);
        free(nothing[i]);
    }
}

static void fill_the_address_space(void) {
    struct rlimit limit = {256 << 20, 256 << 20};
    setrlimit(RLIMIT_AS, &limit);
    for (;;)
        hd_mem_alloc(16 << 20);
}

static void ask_for_too_much(void) {
    hd_mem_zero(SIZE_MAX / 2, 3);
}

static void resize_to_too_much(void) {
    hd_mem_resize(NULL, SIZE_MAX, SIZE_MAX);
}

/* The child ends with status 2 and one line on standard error. */
static void assert_out_of_memory(void (*body)(void)) {
    struct redirection redirection;
    redirect(&redirection, STDERR_FILENO);
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    int status = 0;
    pid_t ended = waitpid(child, &status, 0);
    char *text = captured(&redirection);
    assert_int_equal(ended, child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_int_equal(strncmp(text, "heddle: out of memory", 21), 0);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    free(text);
}

static void out_of_memory_ends_with_status_2(void **state) {
    (void)state;
    /* Sanitizers have their own idea of running out, and check for leaks at exit; under an
     * emulator the limit would be the emulator's, which dies of it. */
    if (SUPPORT_SANITIZED || support_emulated())
        return;
    assert_out_of_memory(fill_the_address_space);
    assert_out_of_memory(ask_for_too_much);
    assert_out_of_memory(resize_to_too_much);
}

/* ---- Arena ---- */

struct piece {
    unsigned char *data;
    size_t size;
};

static size_t draw_size(hd_random *random) {
    if (hd_random_chance(random, 5))
        return hd_random_below(random, 3 << 20);
    return hd_random_below(random, hd_random_chance(random, 900) ? 64 : 9000);
}

static void arena_pieces_are_aligned_and_apart(void **state) {
    (void)state;
    enum { PIECES = 3000 };
    struct piece *pieces = HD_NEW_ARRAY(struct piece, PIECES);
    hd_arena arena = {0};
    hd_random random;
    hd_random_seed(&random, 11);
    size_t sum = 0;
    for (unsigned i = 0; i < PIECES; i++) {
        pieces[i].size = draw_size(&random);
        pieces[i].data = hd_arena_alloc(&arena, pieces[i].size);
        assert_int_equal((uintptr_t)pieces[i].data % alignof(max_align_t), 0);
        memset(pieces[i].data, (int)(i % 251), pieces[i].size);
        sum += pieces[i].size;
    }
    assert_true(arena.total >= sum);
    for (unsigned i = 0; i < PIECES; i++)
        for (size_t j = 0; j < pieces[i].size; j++)
            if (pieces[i].data[j] != i % 251)
                fail_msg("piece %u is overwritten at %zu", i, j);
    hd_arena_release(&arena);
    free(pieces);
}

static void arena_strings_end_in_nul(void **state) {
    (void)state;
    hd_arena arena = {0};
    const char *texts[1000];
    for (unsigned i = 0; i < 1000; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "text %u and more", i);
        texts[i] = hd_arena_string(&arena, text, (size_t)length - 9);
        if (i % 7 == 0) /* what comes after a string is aligned again */
            assert_int_equal((uintptr_t)hd_arena_alloc(&arena, 8) % alignof(max_align_t), 0);
    }
    for (unsigned i = 0; i < 1000; i++) {
        char text[32];
        snprintf(text, sizeof text, "text %u", i);
        assert_string_equal(texts[i], text);
    }
    assert_string_equal(hd_arena_string(&arena, "x", 0), "");
    hd_arena_release(&arena);
}

static void arena_can_be_used_again(void **state) {
    (void)state;
    hd_arena arena = {0};
    hd_arena_release(&arena); /* of nothing */
    for (int round = 0; round < 3; round++) {
        assert_null(arena.chunk);
        assert_int_equal(arena.total, 0);
        memset(hd_arena_alloc(&arena, 5 << 20), 1, 5 << 20);
        memset(hd_arena_alloc(&arena, 10), 2, 10);
        hd_arena_release(&arena);
    }
}

/* ---- Vectors ---- */

static void vector_grows_and_keeps(void **state) {
    (void)state;
    hd_vec_u32 numbers = {0};
    for (uint32_t i = 0; i < 100000; i++)
        hd_vec_push(&numbers, i * 3);
    assert_int_equal(numbers.length, 100000);
    assert_true(numbers.capacity >= numbers.length);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(numbers.data[i], i * 3);
    for (uint32_t i = 100000; i-- > 0;) {
        assert_int_equal(*hd_vec_last(&numbers), i * 3);
        assert_int_equal(hd_vec_pop(&numbers), i * 3);
    }
    assert_int_equal(numbers.length, 0);
    hd_vec_release(&numbers);
}

static void vector_clear_keeps_memory_and_release_does_not(void **state) {
    (void)state;
    struct pair {
        int a, b;
    };
    HD_VEC(struct pair) pairs = {0};
    hd_vec_push(&pairs, (struct pair){1, 2});
    hd_vec_push(&pairs, (struct pair){3, 4});
    assert_int_equal(pairs.data[1].b, 4);
    struct pair *data = pairs.data;
    hd_vec_clear(&pairs);
    assert_int_equal(pairs.length, 0);
    hd_vec_push(&pairs, (struct pair){5, 6});
    assert_ptr_equal(pairs.data, data);
    hd_vec_release(&pairs);
    assert_null(pairs.data);
    assert_int_equal(pairs.capacity, 0);
    hd_vec_push(&pairs, (struct pair){7, 8});
    assert_int_equal(pairs.data[0].a, 7);
    hd_vec_release(&pairs);
}

static void vector_reserve_and_resize(void **state) {
    (void)state;
    hd_vec_u64 numbers = {0};
    hd_vec_reserve(&numbers, 1000);
    assert_true(numbers.capacity >= 1000);
    assert_int_equal(numbers.length, 0);
    uint64_t *data = numbers.data;
    for (uint64_t i = 0; i < 1000; i++)
        hd_vec_push(&numbers, i + 1);
    assert_ptr_equal(numbers.data, data);
    hd_vec_resize(&numbers, 10);
    hd_vec_resize(&numbers, 5000);
    for (uint64_t i = 0; i < 5000; i++)
        assert_int_equal(numbers.data[i], i < 10 ? i + 1 : 0);
    hd_vec_release(&numbers);
}

/* ---- Maps ---- */

struct naive_map {
    uint64_t keys[600];
    uint32_t values[600];
    size_t length;
};

static uint32_t *naive_find(struct naive_map *naive, uint64_t key) {
    for (size_t i = 0; i < naive->length; i++)
        if (naive->keys[i] == key)
            return &naive->values[i];
    return NULL;
}

/* Keys that meet often, and that differ in few bits, at both ends. */
static uint64_t draw_key(hd_random *random) {
    uint64_t small = hd_random_below(random, 120);
    switch (hd_random_below(random, 5)) {
    case 0:
        return small;
    case 1:
        return UINT64_MAX - small;
    case 2:
        return small << 32;
    case 3:
        return small << 57;
    default:
        return small << 32 | small;
    }
}

static void map_step(hd_map *map, struct naive_map *naive, hd_random *random) {
    uint64_t key = draw_key(random);
    uint32_t *expected = naive_find(naive, key);
    uint32_t *found = hd_map_find(map, key);
    assert_int_equal(found != NULL, expected != NULL);
    if (found)
        assert_int_equal(*found, *expected);
    if (hd_random_chance(random, 500))
        return;
    bool added;
    uint32_t *value = hd_map_at(map, key, &added);
    assert_int_equal(added, expected == NULL);
    if (added) {
        assert_int_equal(*value, 0);
        naive->keys[naive->length] = key;
        expected = &naive->values[naive->length++];
    }
    *value = *expected = (uint32_t)hd_random_next(random);
}

static void map_is_a_map(void **state) {
    (void)state;
    hd_random random;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hd_random_seed(&random, seed);
        hd_map map = {0};
        struct naive_map naive = {.length = 0};
        assert_null(hd_map_find(&map, 0));
        for (int i = 0; i < 2000; i++) {
            map_step(&map, &naive, &random);
            assert_int_equal(map.length, naive.length);
            if (hd_random_below(&random, 700) == 0) {
                hd_map_clear(&map);
                naive.length = 0;
            }
        }
        hd_map_release(&map);
        assert_null(hd_map_find(&map, 1));
    }
}

static void map_holds_many(void **state) {
    (void)state;
    hd_map map = {0};
    for (uint64_t i = 0; i < 200000; i++)
        *hd_map_at(&map, i * i, NULL) = (uint32_t)i;
    assert_int_equal(map.length, 200000);
    for (uint64_t i = 0; i < 200000; i++)
        assert_int_equal(*hd_map_find(&map, i * i), i);
    assert_null(hd_map_find(&map, 2));
    hd_map_release(&map);
}

/* ---- Names ---- */

static uint32_t add_name(hd_names *names, const char *text) {
    return hd_names_add(names, text, strlen(text));
}

static uint32_t find_name(const hd_names *names, const char *text) {
    return hd_names_find(names, text, strlen(text));
}

static void names_are_numbered_in_order(void **state) {
    (void)state;
    hd_names names = {0};
    assert_int_equal(find_name(&names, ""), HD_NAMES_NONE);
    assert_int_equal(add_name(&names, "alpha"), 0);
    assert_int_equal(add_name(&names, ""), 1);
    assert_int_equal(add_name(&names, "\xff\x80 any bytes"), 2);
    assert_int_equal(add_name(&names, "alpha"), 0);
    assert_int_equal(hd_names_add(&names, "alphabet", 5), 0);
    assert_int_equal(add_name(&names, ""), 1);
    assert_int_equal(names.length, 3);
    assert_string_equal(hd_names_text(&names, 2), "\xff\x80 any bytes");
    assert_int_equal(hd_names_size(&names, 2), 12);
    assert_int_equal(hd_names_size(&names, 1), 0);
    assert_int_equal(find_name(&names, "alph"), HD_NAMES_NONE);
    hd_names_release(&names);
    assert_int_equal(add_name(&names, "beta"), 0);
    hd_names_release(&names);
}

enum { MANY_NAMES = 100000 };

static void many_names_stay_where_they_are(void **state) {
    (void)state;
    hd_names names = {0};
    char text[32];
    const char *first = NULL;
    for (uint32_t i = 0; i < MANY_NAMES; i++) {
        snprintf(text, sizeof text, "name%" PRIu32, i * 7);
        assert_int_equal(add_name(&names, text), i);
        if (i == 0)
            first = hd_names_text(&names, 0);
    }
    assert_ptr_equal(hd_names_text(&names, 0), first);
    for (uint32_t i = 0; i < MANY_NAMES; i++) {
        snprintf(text, sizeof text, "name%" PRIu32, i * 7);
        assert_int_equal(find_name(&names, text), i);
        assert_string_equal(hd_names_text(&names, i), text);
    }
    assert_int_equal(find_name(&names, "name1"), HD_NAMES_NONE);
    hd_names_release(&names);
}

static void renaming_moves_the_text(void **state) {
    (void)state;
    hd_names names = {0};
    char text[32];
    for (uint32_t i = 0; i < 300; i++) {
        snprintf(text, sizeof text, "%" PRIu32, i);
        add_name(&names, text);
    }
    assert_false(hd_names_rename(&names, 3, "4", 1)); /* is taken */
    assert_true(hd_names_rename(&names, 3, "3", 1));  /* its own */
    for (uint32_t i = 0; i < 300; i += 2) {
        snprintf(text, sizeof text, "new%" PRIu32, i);
        assert_true(hd_names_rename(&names, i, text, strlen(text)));
    }
    for (uint32_t i = 0; i < 300; i++) {
        snprintf(text, sizeof text, "%" PRIu32, i);
        assert_int_equal(find_name(&names, text), i % 2 ? i : HD_NAMES_NONE);
        snprintf(text, sizeof text, "new%" PRIu32, i);
        assert_int_equal(find_name(&names, text), i % 2 ? HD_NAMES_NONE : i);
    }
    assert_int_equal(add_name(&names, "0"), 300); /* free again */
    hd_names_release(&names);
}

/* Numbers that stand for something else again and again: what is found is what they stand for. */
static void reusing_finds_the_last(void **state) {
    (void)state;
    enum { NUMBERS = 40, TIMES = 20000 };
    hd_names names = {0};
    char texts[NUMBERS][48], text[48];
    hd_random random;
    hd_random_seed(&random, 7);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        snprintf(texts[i], sizeof texts[i], "%" PRIu32, i);
        add_name(&names, texts[i]);
    }
    for (uint32_t i = 0; i < TIMES; i++) {
        uint32_t id = (uint32_t)hd_random_below(&random, NUMBERS);
        snprintf(text, sizeof text, "%" PRIu32 "%.*s", i + NUMBERS,
                 (int)hd_random_below(&random, 30), "------------------------------");
        assert_true(hd_names_reuse(&names, id, text, strlen(text)));
        assert_int_equal(find_name(&names, texts[id]), HD_NAMES_NONE);
        strcpy(texts[id], text);
        uint32_t other = (uint32_t)hd_random_below(&random, NUMBERS);
        assert_int_equal(find_name(&names, texts[other]), other);
        assert_string_equal(hd_names_text(&names, other), texts[other]);
    }
    assert_false(hd_names_reuse(&names, 0, texts[1], strlen(texts[1]))); /* is taken */
    assert_true(hd_names_reuse(&names, 0, texts[0], strlen(texts[0])));  /* its own */
    hd_names_release(&names);
}

/* ---- Bits ---- */

static void assert_bits(const hd_bits *bits, const bool *naive) {
    size_t count = 0, next = bits->length;
    for (size_t i = bits->length; i-- > 0;) {
        assert_int_equal(hd_bits_has(bits, i), naive[i]);
        count += naive[i];
        if (naive[i])
            next = i;
        assert_int_equal(hd_bits_next(bits, i), next);
    }
    assert_int_equal(hd_bits_next(bits, bits->length), bits->length);
    assert_int_equal(hd_bits_next(bits, bits->length + 100), bits->length);
    assert_int_equal(hd_bits_count(bits), count);
    assert_int_equal(hd_bits_any(bits), count > 0);
}

static void draw_bits(hd_bits *bits, bool *naive, hd_random *random) {
    uint32_t density = (uint32_t)hd_random_below(random, 11) * 100;
    hd_bits_init(bits, bits->length);
    for (size_t i = 0; i < bits->length; i++) {
        naive[i] = hd_random_chance(random, density);
        if (naive[i])
            hd_bits_set(bits, i);
    }
}

static void try_two_sets(size_t length, hd_random *random) {
    hd_bits a = {.length = length}, b = {.length = length};
    bool x[256], y[256], meet = false;
    draw_bits(&a, x, random);
    draw_bits(&b, y, random);
    assert_bits(&a, x);
    for (size_t i = 0; i < length; i++)
        meet |= x[i] && y[i];
    assert_int_equal(hd_bits_meet(&a, &b), meet);
    bool either = hd_random_chance(random, 500);
    for (size_t i = 0; i < length; i++)
        x[i] = either ? x[i] || y[i] : x[i] && y[i];
    (either ? hd_bits_or : hd_bits_and)(&a, &b);
    assert_bits(&a, x);
    assert_bits(&b, y);
    for (size_t i = 0; i < length; i += 3) {
        hd_bits_unset(&a, i);
        x[i] = false;
    }
    assert_bits(&a, x);
    hd_bits_release(&a);
    hd_bits_release(&b);
}

static const size_t bit_lengths[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 256};

static void bits_are_a_set(void **state) {
    (void)state;
    hd_random random;
    hd_random_seed(&random, 5);
    for (size_t i = 0; i < ITEMS(bit_lengths); i++)
        for (int round = 0; round < 50; round++)
            try_two_sets(bit_lengths[i], &random);
}

static void bits_fill_and_clear(void **state) {
    (void)state;
    for (size_t i = 0; i < ITEMS(bit_lengths); i++) {
        hd_bits bits;
        hd_bits_init(&bits, bit_lengths[i]);
        assert_false(hd_bits_any(&bits));
        hd_bits_fill(&bits);
        assert_int_equal(hd_bits_count(&bits), bit_lengths[i]);
        hd_bits_clear(&bits);
        assert_int_equal(hd_bits_count(&bits), 0);
        assert_int_equal(hd_bits_next(&bits, 0), bit_lengths[i]);
        hd_bits_release(&bits);
    }
}

/* ---- Random numbers ---- */

/* xoshiro256** 1.0 and splitmix64 as on their authors' page, apart from ours. */
static uint64_t reference[4];

static uint64_t rotl(uint64_t x, unsigned k) {
    return (x << k) | (x >> (64 - k));
}

static void reference_seed(uint64_t x) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = (x += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        reference[i] = z ^ (z >> 31);
    }
}

static uint64_t reference_next(void) {
    const uint64_t result = rotl(reference[1] * 5, 7) * 9;
    const uint64_t t = reference[1] << 17;
    reference[2] ^= reference[0];
    reference[3] ^= reference[1];
    reference[1] ^= reference[2];
    reference[0] ^= reference[3];
    reference[2] ^= t;
    reference[3] = rotl(reference[3], 45);
    return result;
}

static void random_is_xoshiro(void **state) {
    (void)state;
    static const uint64_t seeds[] = {0, 1, 42, UINT64_MAX, UINT64_C(0x123456789abcdef0)};
    hd_random random;
    for (size_t i = 0; i < ITEMS(seeds); i++) {
        hd_random_seed(&random, seeds[i]);
        reference_seed(seeds[i]);
        for (int j = 0; j < 10000; j++)
            assert_true(hd_random_next(&random) == reference_next());
    }
    /* Published values, so that both cannot be wrong in the same way. */
    hd_random_seed(&random, 0);
    assert_true(random.state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(hd_random_next(&random) == UINT64_C(0x99ec5f36cb75f2b4));
}

/* The remainder of what is left after the 2^64 mod limit lowest numbers are drawn again. */
static uint64_t reference_below(uint64_t limit) {
    uint64_t excess = UINT64_MAX % limit + 1 == limit ? 0 : UINT64_MAX % limit + 1;
    uint64_t drawn = reference_next();
    while (drawn < excess)
        drawn = reference_next();
    return drawn % limit;
}

static void random_below_is_unbiased(void **state) {
    (void)state;
    static const uint64_t limits[] = {1,
                                      2,
                                      3,
                                      7,
                                      64,
                                      1000,
                                      UINT64_C(1) << 32,
                                      UINT64_C(1) << 63,
                                      (UINT64_C(1) << 63) + 1,
                                      UINT64_C(3) << 62,
                                      UINT64_MAX};
    hd_random random;
    for (size_t i = 0; i < ITEMS(limits); i++) {
        hd_random_seed(&random, i);
        reference_seed(i);
        for (int j = 0; j < 2000; j++) {
            uint64_t drawn = hd_random_below(&random, limits[i]);
            assert_true(drawn < limits[i]);
            assert_true(drawn == reference_below(limits[i]));
        }
    }
}

static void random_below_is_even(void **state) {
    (void)state;
    enum { LIMIT = 7, DRAWS = 70000 };
    hd_random random;
    unsigned counts[LIMIT] = {0};
    hd_random_seed(&random, 2);
    for (int i = 0; i < DRAWS; i++)
        counts[hd_random_below(&random, LIMIT)]++;
    double chi_square = 0;
    for (int i = 0; i < LIMIT; i++) {
        double off = (double)counts[i] - DRAWS / LIMIT;
        chi_square += off * off / (DRAWS / LIMIT);
    }
    assert_true(chi_square < 30); /* six degrees of freedom: more once in 25,000 seeds */
}

static void random_chance_is_per_mille(void **state) {
    (void)state;
    static const uint32_t shares[] = {0, 1, 250, 999, 1000};
    hd_random random;
    hd_random_seed(&random, 4);
    for (size_t i = 0; i < ITEMS(shares); i++) {
        int hits = 0;
        for (int j = 0; j < 100000; j++)
            hits += hd_random_chance(&random, shares[i]);
        int expected = (int)shares[i] * 100;
        bool certain = shares[i] % 1000 == 0;
        assert_in_range(hits + 1000, expected + 1000 - (certain ? 0 : 700),
                        expected + 1000 + (certain ? 0 : 700));
    }
}

SUPPORT_SUITE(test_base) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_copied_and_kept),
        cmocka_unit_test(no_memory_is_still_a_pointer),
        cmocka_unit_test(out_of_memory_ends_with_status_2),
        cmocka_unit_test(arena_pieces_are_aligned_and_apart),
        cmocka_unit_test(arena_strings_end_in_nul),
        cmocka_unit_test(arena_can_be_used_again),
        cmocka_unit_test(vector_grows_and_keeps),
        cmocka_unit_test(vector_clear_keeps_memory_and_release_does_not),
        cmocka_unit_test(vector_reserve_and_resize),
        cmocka_unit_test(map_is_a_map),
        cmocka_unit_test(map_holds_many),
        cmocka_unit_test(names_are_numbered_in_order),
        cmocka_unit_test(many_names_stay_where_they_are),
        cmocka_unit_test(renaming_moves_the_text),
        cmocka_unit_test(reusing_finds_the_last),
        cmocka_unit_test(bits_are_a_set),
        cmocka_unit_test(bits_fill_and_clear),
        cmocka_unit_test(random_is_xoshiro),
        cmocka_unit_test(random_below_is_unbiased),
        cmocka_unit_test(random_below_is_even),
        cmocka_unit_test(random_chance_is_per_mille),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
