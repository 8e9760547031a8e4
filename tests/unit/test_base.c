/*
 * The base room: memory, containers, text, files, JSON, progress, random
 * numbers, the log.  Containers are held against naive ones on random input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define ITEMS(array) (sizeof(array) / sizeof((array)[0]))

/* ---- A directory of our own, and standard streams into files ---- */

static char directory[PATH_MAX];

static int make_directory(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/heddle-test-base-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw) {
    (void)status;
    (void)type;
    (void)ftw;
    return remove(path);
}

static int remove_directory(void **state) {
    (void)state;
    return nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* A path in the directory; good until the next but three. */
static const char *in_directory(const char *name) {
    static char paths[4][2 * PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static unsigned entries_in(const char *path) {
    DIR *dir = opendir(path);
    assert_non_null(dir);
    unsigned count = 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

/* The whole file with a NUL behind it; to be freed. */
static char *slurp(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    hd_vec_char text = {0};
    for (int c; (c = getc(file)) != EOF;)
        hd_vec_push(&text, (char)c);
    fclose(file);
    if (length)
        *length = text.length;
    hd_vec_push(&text, '\0');
    return text.data;
}

static void assert_content(const char *path, const char *expected) {
    char *content = slurp(path, NULL);
    assert_string_equal(content, expected);
    free(content);
}

static void spill(const char *path, const char *content) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

/* Standard output or error goes to a file between the two calls. */
struct redirection {
    int stream, saved;
    char path[2 * PATH_MAX];
};

static void redirect(struct redirection *to, int stream) {
    fflush(NULL);
    to->stream = stream;
    to->saved = dup(stream);
    snprintf(to->path, sizeof to->path, "%s", in_directory("captured"));
    int fd = open(to->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0 && to->saved >= 0);
    dup2(fd, stream);
    close(fd);
}

static char *captured(struct redirection *from) {
    fflush(NULL);
    dup2(from->saved, from->stream);
    close(from->saved);
    char *text = slurp(from->path, NULL);
    unlink(from->path);
    return text;
}

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
    if (SANITIZED || getenv("HEDDLE_TEST_EMULATED"))
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

static void assert_ends_in(const char *text, const char *end) {
    assert_true(strlen(text) >= strlen(end));
    assert_string_equal(text + strlen(text) - strlen(end), end);
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

/* ---- Files ---- */

static hd_file *create(const char *path) {
    hd_error error = {0};
    hd_file *file = hd_file_create(path, &error);
    if (!file)
        fail_msg("%s", error.text);
    return file;
}

static void commit(hd_file *file) {
    hd_error error = {0};
    if (!hd_file_commit(file, &error))
        fail_msg("%s", error.text);
    assert_string_equal(error.text, "");
}

/* A fresh directory inside the directory. */
static const char *fresh(const char *name) {
    const char *path = in_directory(name);
    assert_int_equal(mkdir(path, 0777), 0);
    return path;
}

static void file_appears_at_commit(void **state) {
    (void)state;
    const char *where = fresh("appears");
    const char *path = in_directory("appears/file");
    hd_file *file = create(path);
    hd_file_write(file, "one ", 4);
    hd_file_print(file, "%d %s", 2, "three");
    assert_int_equal(hd_file_offset(file), 11);
    assert_int_equal(access(path, F_OK), -1);
    commit(file);
    assert_content(path, "one 2 three");
    assert_int_equal(entries_in(where), 1);
}

static void file_is_replaced_at_commit(void **state) {
    (void)state;
    const char *where = fresh("replaced");
    const char *path = in_directory("replaced/file");
    spill(path, "old");
    hd_file *file = create(path);
    hd_file_write(file, "new", 3);
    assert_content(path, "old");
    commit(file);
    assert_content(path, "new");
    assert_int_equal(entries_in(where), 1);
}

static void abandoned_file_leaves_nothing(void **state) {
    (void)state;
    const char *where = fresh("abandoned");
    spill(in_directory("abandoned/old"), "old");
    hd_file *files[] = {create(in_directory("abandoned/old")),
                        create(in_directory("abandoned/new"))};
    for (size_t i = 0; i < ITEMS(files); i++) {
        char *room = hd_file_reserve(files[i], 1 << 17);
        memset(room, 'x', 1 << 17);
        hd_file_advance(files[i], 1 << 17);
        hd_file_print(files[i], "and more, so that some of it is on the disk");
        hd_file_abandon(files[i]);
    }
    assert_int_equal(entries_in(where), 1);
    assert_content(in_directory("abandoned/old"), "old");
    hd_file_abandon(NULL);
}

/* Commit fails: the error names the path, nothing is left but what was there. */
static void assert_commit_fails(hd_file *file, const char *path, int number) {
    hd_error error = {0};
    char expected[3 * PATH_MAX];
    snprintf(expected, sizeof expected, "%s: cannot write: %s", path, strerror(number));
    assert_false(hd_file_commit(file, &error));
    assert_string_equal(error.text, expected);
}

static void failed_rename_leaves_nothing(void **state) {
    (void)state;
    const char *where = fresh("rename");
    const char *path = in_directory("rename/file");
    hd_file *file = create(path);
    hd_file_write(file, "text", 4);
    assert_int_equal(mkdir(path, 0777), 0); /* takes the name while we write */
    assert_commit_fails(file, path, EISDIR);
    assert_int_equal(entries_in(where), 1);
}

static void write_until_failure(hd_file *file) {
    for (int i = 0; i < 64 && !hd_file_failed(file); i++) {
        memset(hd_file_reserve(file, 1 << 17), 'x', 1 << 17);
        hd_file_advance(file, 1 << 17);
    }
    assert_true(hd_file_failed(file));
    hd_file_write(file, "more", 4); /* is allowed, and lost */
}

/* A limit on the size of files stands for a disk that is full. */
static void full_disk_leaves_nothing(void **state) {
    (void)state;
    const char *where = fresh("full");
    const char *path = in_directory("full/file");
    spill(path, "old");
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    limit = old;
    limit.rlim_cur = 3 << 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    hd_file *file = create(path);
    write_until_failure(file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_commit_fails(file, path, EFBIG);
    assert_int_equal(entries_in(where), 1);
    assert_content(path, "old");
}

static void full_device_is_an_error(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        return;
    hd_file *file = create("/dev/full");
    hd_file_write(file, "text", 4);
    assert_false(hd_file_failed(file)); /* still in the buffer */
    assert_commit_fails(file, "/dev/full", ENOSPC);
    file = create("/dev/full");
    write_until_failure(file);
    assert_commit_fails(file, "/dev/full", ENOSPC);
    assert_int_equal(access("/dev/full", W_OK), 0);
}

static void symbolic_link_stays_one(void **state) {
    (void)state;
    fresh("link");
    fresh("link/far");
    const char *link_path = in_directory("link/link");
    const char *target = in_directory("link/far/target");
    spill(target, "old");
    assert_int_equal(symlink("far/target", link_path), 0);
    hd_file *file = create(link_path);
    hd_file_write(file, "new", 3);
    commit(file);
    struct stat status;
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_content(target, "new");
    assert_int_equal(entries_in(in_directory("link")), 2);
    assert_int_equal(entries_in(in_directory("link/far")), 1);
}

static void assert_mode(const char *path, unsigned mode) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, mode);
}

static void mode_is_kept(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0755, 0666};
    const char *path = in_directory("mode");
    mode_t old = umask(027);
    commit(create(path));
    assert_mode(path, 0640); /* as any new file */
    for (size_t i = 0; i < ITEMS(modes); i++) {
        assert_int_equal(chmod(path, modes[i]), 0);
        commit(create(path));
        assert_mode(path, modes[i]);
    }
    umask(old);
}

static void assert_create_fails(const char *path, int number) {
    hd_error error = {0};
    char expected[3 * PATH_MAX];
    snprintf(expected, sizeof expected, "%s: cannot write: %s", path, strerror(number));
    assert_null(hd_file_create(path, &error));
    assert_string_equal(error.text, expected);
}

static void files_that_cannot_be(void **state) {
    (void)state;
    assert_create_fails(directory, EISDIR);
    assert_create_fails(in_directory("no/such/directory"), ENOENT);
    assert_create_fails("", ENOENT);
    spill(in_directory("regular"), "");
    assert_create_fails(in_directory("regular/below"), ENOTDIR);
    assert_null(hd_file_create(directory, NULL));
    if (geteuid() == 0)
        return; /* root may write anywhere */
    fresh("closed");
    assert_int_equal(chmod(in_directory("closed"), 0500), 0);
    assert_create_fails(in_directory("closed/file"), EACCES);
}

static void other_peoples_temporary_file_is_left_alone(void **state) {
    (void)state;
    fresh("squat");
    char name[64];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "squat/file.tmp%u", (unsigned)getpid() % 100000 + i);
        spill(in_directory(name), "not ours");
    }
    hd_file *file = create(in_directory("squat/file"));
    hd_file_write(file, "text", 4);
    commit(file);
    assert_content(in_directory("squat/file"), "text");
    assert_content(in_directory(name), "not ours");
    assert_int_equal(entries_in(in_directory("squat")), 4);
}

static void dash_is_standard_output(void **state) {
    (void)state;
    struct redirection redirection;
    redirect(&redirection, STDOUT_FILENO);
    hd_file *file = create("-");
    hd_file_write(file, "to standard output\n", 19);
    bool committed = hd_file_commit(file, NULL);
    bool open = fcntl(STDOUT_FILENO, F_GETFD) >= 0; /* ours to use on */
    char *text = captured(&redirection);
    assert_true(committed);
    assert_true(open);
    assert_string_equal(text, "to standard output\n");
    free(text);
    assert_int_equal(access("-", F_OK), -1);
}

static void what_is_no_file_is_written_directly(void **state) {
    (void)state;
    hd_file *file = create("/dev/null");
    hd_file_write(file, "text", 4);
    commit(file);
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    const char *path = in_directory("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    file = create(path);
    hd_file_write(file, "through a pipe", 14);
    commit(file);
    char text[32] = "";
    assert_int_equal(read(reader, text, sizeof text - 1), 14);
    assert_string_equal(text, "through a pipe");
    close(reader);
}

/* One piece of a random size, by any of the ways, to the file and to `expected`. */
static void write_piece(hd_file *file, hd_vec_char *expected, hd_random *random) {
    size_t size = hd_random_below(random, hd_random_chance(random, 20) ? 3 << 20 : 5000);
    size_t start = expected->length;
    for (size_t i = 0; i < size; i++)
        hd_vec_push(expected, (char)('a' + (start + i) % 23));
    const char *piece = expected->data + start;
    if (size > 1 << 17 || hd_random_chance(random, 500)) {
        hd_file_write(file, piece, size);
    } else if (hd_random_chance(random, 300)) {
        hd_file_print(file, "%.*s", (int)size, size ? piece : "");
    } else {
        memcpy(hd_file_reserve(file, size + hd_random_below(random, (1 << 17) - size + 1)), piece,
               size);
        hd_file_advance(file, size);
    }
}

static void every_byte_arrives(void **state) {
    (void)state;
    hd_random random;
    hd_random_seed(&random, 8);
    const char *path = in_directory("bytes");
    hd_vec_char expected = {0};
    hd_file *file = create(path);
    hd_vec_push(&expected, 'x');
    hd_file_write(file, "x", 1);
    for (int i = 0; i < 300; i++) {
        write_piece(file, &expected, &random);
        assert_int_equal(hd_file_offset(file), expected.length);
    }
    commit(file);
    size_t length;
    char *content = slurp(path, &length);
    assert_int_equal(length, expected.length);
    assert_memory_equal(content, expected.data, length);
    free(content);
    hd_vec_release(&expected);
}

/* ---- JSON ---- */

static hd_json json_start(void) {
    hd_json json;
    hd_json_init(&json, create(in_directory("json")));
    return json;
}

static void assert_json(hd_json *json, const char *expected) {
    hd_json_end(json);
    commit(json->file);
    size_t length = strlen(expected);
    char *content = slurp(in_directory("json"), NULL);
    assert_int_equal(strncmp(content, expected, length), 0);
    assert_string_equal(content + length, "\n");
    free(content);
}

/* In a page no text can end the element that it stands in. */
static void json_in_a_page(void **state) {
    (void)state;
    hd_json json = json_start();
    json.in_page = true;
    hd_json_open(&json, NULL, '[');
    hd_json_text(&json, NULL, "</script><!--&>");
    hd_json_close(&json);
    assert_json(&json, "[\"\\u003c/script>\\u003c!--&>\"]");
    json = json_start();
    hd_json_text(&json, NULL, "<");
    assert_json(&json, "\"<\"");
}

static void json_nests(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '{');
    hd_json_uint(&json, "events", 7);
    hd_json_open(&json, "list", '[');
    hd_json_int(&json, NULL, -1);
    hd_json_open(&json, NULL, '{');
    hd_json_close(&json);
    hd_json_open(&json, NULL, '[');
    hd_json_close(&json);
    hd_json_bool(&json, NULL, true);
    hd_json_null(&json, NULL);
    hd_json_close(&json);
    hd_json_bool(&json, "done", false);
    hd_json_close(&json);
    assert_json(&json, "{\"events\": 7, \"list\": [-1, {}, [], true, null], \"done\": false}");
}

static void json_nests_deeply(void **state) {
    (void)state;
    char expected[2 * HD_JSON_DEPTH + 1] = "";
    hd_json json = json_start();
    for (int i = 0; i < HD_JSON_DEPTH; i++) {
        hd_json_open(&json, NULL, '[');
        expected[i] = '[';
        expected[2 * HD_JSON_DEPTH - 1 - i] = ']';
    }
    for (int i = 0; i < HD_JSON_DEPTH; i++)
        hd_json_close(&json);
    assert_json(&json, expected);
}

static void json_numbers(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '[');
    hd_json_uint(&json, NULL, UINT64_MAX);
    hd_json_int(&json, NULL, INT64_MIN);
    hd_json_digits(&json, NULL, "123456789012345678901234567890");
    hd_json_real(&json, NULL, 0.1);
    hd_json_real(&json, NULL, 1e300);
    hd_json_real(&json, NULL, -2.5);
    hd_json_real(&json, NULL, 0);
    hd_json_real(&json, NULL, INFINITY);
    hd_json_real(&json, NULL, NAN);
    hd_json_close(&json);
    assert_json(&json, "[18446744073709551615, -9223372036854775808, "
                       "123456789012345678901234567890, 0.1, 1e+300, -2.5, 0, null, null]");
}

static void json_strings(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '{');
    hd_json_text(&json, "a \"key\"", "back\\slash \"quote\" /");
    hd_json_text(&json, "control", "\n\t\x01\x1f\x7f");
    hd_json_string(&json, "nul", "a\0b", 3);
    hd_json_text(&json, "utf", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    hd_json_text(&json, "", "");
    hd_json_close(&json);
    assert_json(&json, "{\"a \\\"key\\\"\": \"back\\\\slash \\\"quote\\\" /\", "
                       "\"control\": \"\\u000a\\u0009\\u0001\\u001f\\u007f\", "
                       "\"nul\": \"a\\u0000b\", "
                       "\"utf\": \"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\", \"\": \"\"}");
}

static void json_mends_bad_utf8(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_open(&json, NULL, '[');
    hd_json_text(&json, NULL, "a\xff z");
    hd_json_text(&json, NULL, "\xed\xa0\x80");          /* a surrogate */
    hd_json_text(&json, NULL, "\xe2\x82");              /* cut off */
    hd_json_string(&json, NULL, "\xc3\xa9\xc3\xa9", 3); /* by its length */
    hd_json_text(&json, NULL, "\xc3\"");                /* the quote is still escaped */
    hd_json_close(&json);
    assert_json(&json, "[\"a\\ufffd z\", \"\\ufffd\\ufffd\\ufffd\", \"\\ufffd\\ufffd\", "
                       "\"\xc3\xa9\\ufffd\", \"\\ufffd\\\"\"]");
}

static void json_of_one_value(void **state) {
    (void)state;
    hd_json json = json_start();
    hd_json_text(&json, NULL, "alone");
    assert_json(&json, "\"alone\"");
}

/* ---- Progress ---- */

static void assert_progress(uint64_t total, uint64_t done, double seconds, const char *expected) {
    char line[160];
    hd_progress progress = {.verb = "reading", .unit = "events", .total = total};
    size_t length = hd_progress_format(line, sizeof line, &progress, done, seconds);
    assert_string_equal(line, expected);
    assert_int_equal(length, strlen(expected));
}

static void progress_text(void **state) {
    (void)state;
    assert_progress(0, 0, 0, "reading: 0 events, 0.0/s");
    assert_progress(0, 1234, 2, "reading: 1,234 events, 617/s");
    assert_progress(0, 15, 2, "reading: 15 events, 7.5/s");
    assert_progress(0, 9999, 1, "reading: 9,999 events, 9999/s");
    assert_progress(0, 10000, 1, "reading: 10,000 events, 10.0 k/s");
    assert_progress(0, 50000000, 2, "reading: 50,000,000 events, 25.0 M/s");
    assert_progress(0, UINT64_C(30000000000), 1, "reading: 30,000,000,000 events, 30.0 G/s");
    assert_progress(200, 50, 5, "reading: 50 events, 10.0/s, 25 %, 15 s left");
    assert_progress(200, 200, 5, "reading: 200 events, 40.0/s, 100 %, 0 s left");
    assert_progress(200, 300, 5, "reading: 300 events, 60.0/s"); /* the total was wrong */
    assert_progress(200, 0, 5, "reading: 0 events, 0.0/s");
}

static void progress_text_is_cut(void **state) {
    (void)state;
    char line[16] = "0123456789abcde";
    hd_progress progress = {.verb = "reading", .unit = "events"};
    assert_true(hd_progress_format(line, 12, &progress, 7, 1) > 12);
    assert_string_equal(line, "reading: 7 ");
    assert_int_equal(line[12], 'c');
}

static void progress_is_silent_without_a_terminal(void **state) {
    (void)state;
    struct redirection redirection;
    redirect(&redirection, STDERR_FILENO);
    hd_progress progress;
    hd_progress_start(&progress, "reading", "events", 100);
    progress.shown -= 10;
    hd_progress_step(&progress, 50);
    hd_progress_hide();
    hd_progress_end(&progress);
    char *text = captured(&redirection);
    assert_string_equal(text, "");
    free(text);
}

/* A terminal in place of standard error; -1 if there is none to be had. */
static int open_terminal(int *saved) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return -1;
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
        return -1;
    fflush(NULL);
    *saved = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    close(slave);
    return master;
}

/* What was written to the terminal, once nobody has it open any more. */
static void close_terminal(int master, int saved, char *text, size_t size) {
    dup2(saved, STDERR_FILENO);
    close(saved);
    size_t used = 0;
    for (ssize_t got; (got = read(master, text + used, size - 1 - used)) > 0;)
        used += (size_t)got;
    text[used] = '\0';
    close(master);
}

static void show_progress(void) {
    hd_progress outer, inner;
    hd_progress_start(&outer, "reading", "events", 0);
    hd_progress_step(&outer, 1); /* too early */
    outer.shown -= 1;            /* as if a second had passed */
    hd_progress_step(&outer, 2);
    hd_progress_step(&outer, 3); /* too early again */
    hd_progress_start(&inner, "sorting", "events", 0);
    inner.shown -= 1;
    hd_progress_step(&inner, 4);
    hd_progress_end(&inner);
    hd_progress_end(&outer);
    hd_progress_hide(); /* nothing left to hide */
    hd_progress_allow(false);
    hd_progress_start(&outer, "writing", "events", 0);
    outer.shown -= 1;
    hd_progress_step(&outer, 5);
    hd_progress_end(&outer);
    hd_progress_allow(true);
}

static void progress_on_a_terminal_comes_and_goes(void **state) {
    (void)state;
    int saved = -1;
    int master = open_terminal(&saved);
    if (master < 0)
        return;
    show_progress();
    char text[512];
    close_terminal(master, saved, text, sizeof text);
    assert_int_equal(strncmp(text, "\rreading: 2 events, ", 20), 0);
    assert_ends_in(text, "/s\033[K\r\033[K");
    assert_null(strstr(text, "sorting"));
    assert_null(strstr(text, "writing"));
    assert_null(strstr(text, " 3 events"));
}

static void clock_does_not_run_backwards(void **state) {
    (void)state;
    double last = hd_progress_clock();
    for (int i = 0; i < 1000; i++) {
        double now = hd_progress_clock();
        assert_true(now >= last);
        last = now;
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

/* ---- The log ---- */

static char *log_all(enum hd_log_level level) {
    struct redirection redirection;
    redirect(&redirection, STDERR_FILENO);
    hd_log_set_level(level);
    hd_log_write(HD_LOG_ERROR, "an %s", "error");
    hd_log_write(HD_LOG_WARNING, "a warning of %d", 2);
    hd_log_write(HD_LOG_NOTE, "a note");
    hd_log_write(HD_LOG_DEBUG, "a detail");
    return captured(&redirection);
}

static void log_has_levels(void **state) {
    (void)state;
    static const char *const lines[] = {"heddle: an error\n", "heddle: warning: a warning of 2\n",
                                        "heddle: a note\n", "heddle: debug: a detail\n"};
    char expected[256] = "";
    assert_int_equal(hd_log_get_level(), HD_LOG_WARNING); /* from the start */
    for (int level = HD_LOG_ERROR; level <= HD_LOG_DEBUG; level++) {
        char *text = log_all((enum hd_log_level)level);
        assert_int_equal(hd_log_get_level(), level);
        strcat(expected, lines[level]);
        assert_string_equal(text, expected);
        free(text);
    }
    hd_log_set_level(HD_LOG_WARNING);
}

int main(void) {
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
        cmocka_unit_test(bits_are_a_set),
        cmocka_unit_test(bits_fill_and_clear),
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
        cmocka_unit_test(file_appears_at_commit),
        cmocka_unit_test(file_is_replaced_at_commit),
        cmocka_unit_test(abandoned_file_leaves_nothing),
        cmocka_unit_test(failed_rename_leaves_nothing),
        cmocka_unit_test(full_disk_leaves_nothing),
        cmocka_unit_test(full_device_is_an_error),
        cmocka_unit_test(symbolic_link_stays_one),
        cmocka_unit_test(mode_is_kept),
        cmocka_unit_test(files_that_cannot_be),
        cmocka_unit_test(other_peoples_temporary_file_is_left_alone),
        cmocka_unit_test(dash_is_standard_output),
        cmocka_unit_test(what_is_no_file_is_written_directly),
        cmocka_unit_test(every_byte_arrives),
        cmocka_unit_test(json_in_a_page),
        cmocka_unit_test(json_nests),
        cmocka_unit_test(json_nests_deeply),
        cmocka_unit_test(json_numbers),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(json_mends_bad_utf8),
        cmocka_unit_test(json_of_one_value),
        cmocka_unit_test(progress_text),
        cmocka_unit_test(progress_text_is_cut),
        cmocka_unit_test(progress_is_silent_without_a_terminal),
        cmocka_unit_test(progress_on_a_terminal_comes_and_goes),
        cmocka_unit_test(clock_does_not_run_backwards),
        cmocka_unit_test(random_is_xoshiro),
        cmocka_unit_test(random_below_is_unbiased),
        cmocka_unit_test(random_below_is_even),
        cmocka_unit_test(random_chance_is_per_mille),
        cmocka_unit_test(log_has_levels),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
