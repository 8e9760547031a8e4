/*
 * Small files that ask for much memory.  Each is made here, then read in a child with a budget of
 * 64 MiB.  The child must end with status 2 and one line, and never have had much more memory than
 * that: the allocator's own share, the program, and blocks that are copied as they grow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "finding/finding.h"
#include "heddle/pack.h"
#include "model/model.h"
#include "support_suite.h"
#include "trace/trace.h"
#include "trace/trace_binary.h"
#include "trace/trace_recorded.h"
#include "witness/witness.h"

enum {
    BUDGET_MIB = 64,
    BESIDE_MIB = 40,
    LARGE_KIB = 1000,
    SECTIONS = 5, /* of 25 MB each */
    MILLION = 1000000,
    ADDRESS = 0x10000
};

/* --- files ---------------------------------------------------------------------------------- */

static void put_bytes(hd_trace_bytes *to, int byte, size_t count) {
    hd_vec_reserve(to, to->length + count);
    memset(to->data + to->length, byte, count);
    to->length += count;
}

static void put_header(FILE *file) {
    unsigned char header[HD_TRACE_HEADER_SIZE] = {0};
    memcpy(header, hd_trace_magic, HD_TRACE_MAGIC_SIZE);
    header[HD_TRACE_MAGIC_SIZE] = HD_TRACE_FREE_VERSION;
    fwrite(header, 1, sizeof header, file);
}

static void put_section(FILE *file, uint8_t type, hd_trace_bytes *payload) {
    size_t bound = ZSTD_compressBound(payload->length);
    void *packed = hd_mem_alloc(bound);
    size_t size = ZSTD_compress(packed, bound, payload->data, payload->length, 3);
    hd_trace_section section = {
        .type = type, .compression = 1, .stored = (uint32_t)size, .raw = (uint32_t)payload->length};
    unsigned char head[HD_TRACE_SECTION_SIZE];
    hd_trace_section_pack(head, &section);
    section.checksum = hd_trace_section_checksum(head, packed, size);
    hd_trace_section_pack(head, &section);
    fwrite(head, 1, sizeof head, file);
    fwrite(packed, 1, size, file);
    hd_vec_clear(payload);
    free(packed);
}

/* The name of a number, long, and much like the others. */
static void put_long_name(hd_trace_bytes *to, unsigned number) {
    char text[1024];
    memset(text, 'n', sizeof text);
    snprintf(text, sizeof text, "%u", number);
    text[strlen(text)] = 'n';
    hd_trace_put_string(to, text, sizeof text);
}

static void put_names(hd_trace_bytes *to, unsigned class, unsigned first, unsigned count) {
    hd_trace_put_number(to, class);
    hd_trace_put_number(to, first);
    hd_trace_put_number(to, count);
    for (unsigned i = 0; i < count; i++)
        put_long_name(to, first + i);
}

static void names(FILE *file) {
    enum { EACH = 25000 };
    hd_trace_bytes payload = {0};
    put_header(file);
    for (unsigned i = 0; i < SECTIONS; i++) {
        put_names(&payload, HEDDLE_CLASS_VARIABLE, EACH * i, EACH);
        put_section(file, HD_TRACE_SECTION_NAMES, &payload);
    }
    hd_vec_release(&payload);
}

/* Reads of one variable by one thread. */
static void put_block(hd_trace_bytes *to, uint32_t first) {
    static const unsigned char ops[] = {1, HEDDLE_READ, 0, 0};
    hd_trace_put_number(to, first);
    hd_trace_put_number(to, HD_TRACE_BLOCK_EVENTS);
    hd_vec_reserve(to, to->length + sizeof ops);
    memcpy(to->data + to->length, ops, sizeof ops);
    to->length += sizeof ops;
    hd_trace_put_number(to, 1); /* chunk */
    hd_trace_put_number(to, 0);
    hd_trace_put_number(to, HD_TRACE_BLOCK_EVENTS);
    put_bytes(to, 1, 1); /* the schedule */
    put_bytes(to, 0, HD_TRACE_BLOCK_EVENTS);
    put_bytes(to, 0, HD_TRACE_BLOCK_EVENTS); /* operations */
    for (int column = 0; column < 2; column++) {
        put_bytes(to, 1, 1);
        put_bytes(to, 0, HD_TRACE_BLOCK_EVENTS);
    }
    put_bytes(to, 1, 1); /* no values */
}

static void blocks(FILE *file) {
    hd_trace_bytes payload = {0};
    put_header(file);
    put_names(&payload, HEDDLE_CLASS_THREAD, 0, 1);
    put_names(&payload, HEDDLE_CLASS_VARIABLE, 0, 1);
    put_section(file, HD_TRACE_SECTION_NAMES, &payload);
    for (uint32_t i = 0; i < 150; i++) {
        put_block(&payload, 1 + i * HD_TRACE_BLOCK_EVENTS);
        put_section(file, HD_TRACE_SECTION_EVENTS, &payload);
    }
    hd_vec_release(&payload);
}

/* Functions of stacks. */
static void stacks(FILE *file) {
    enum { EACH = 25000 };
    hd_trace_bytes payload = {0};
    put_header(file);
    for (unsigned i = 0; i < SECTIONS; i++) {
        hd_trace_put_number(&payload, EACH);
        for (unsigned k = 0; k < EACH; k++)
            put_long_name(&payload, EACH * i + k);
        hd_trace_put_number(&payload, 0);
        put_section(file, HD_TRACE_SECTION_STACKS, &payload);
    }
    hd_vec_release(&payload);
}

/* One thread, and no codes and objects. */
static void put_tables(FILE *file, hd_trace_bytes *payload) {
    put_bytes(payload, 1, 1);
    hd_trace_put_string(payload, "T", 1);
    put_bytes(payload, 0, 2);
    put_section(file, HD_TRACE_SECTION_TABLES, payload);
}

/* Names of variables that share nearly all of 32 KiB with the one before. */
static void granules(FILE *file) {
    enum { LENGTH = 1 << 15 };
    hd_trace_bytes payload = {0};
    uint64_t bits[HD_PACKED_PAGE_WORDS];
    char *text = hd_mem_alloc(LENGTH);
    memset(text, 'g', LENGTH);
    memset(bits, 0xff, sizeof bits);
    put_header(file);
    put_tables(file, &payload);
    hd_vec_char before = {0};
    hd_trace_put_page(&payload, 0, bits);
    for (int i = 0; i < HD_PACKED_PAGE; i++)
        hd_trace_put_name(&payload, text, LENGTH, &before);
    put_section(file, HD_TRACE_SECTION_GRANULES, &payload);
    hd_vec_release(&before);
    hd_vec_release(&payload);
    free(text);
}

/* A read of a new site, and as many more like it, each `step` bytes further, as a run can have. */
static void put_run(hd_trace_bytes *to, uint64_t run, uint64_t step) {
    uint64_t key = heddle_pack_key(HEDDLE_READ + 1, 3 | HEDDLE_WIRE_VALUE, 0x1000);
    hd_trace_put_number(to, run);
    hd_trace_put_number(to, 0); /* records before the first item */
    put_bytes(to, HEDDLE_PACK_NEW | HEDDLE_PACK_GIVEN << 2, 1);
    for (int i = 0; i < 8; i++)
        put_bytes(to, (int)(key >> 8 * i & 0xff), 1);
    hd_trace_put_number(to, heddle_pack_zigzag(ADDRESS));
    hd_trace_put_number(to, 0);
    put_bytes(to, HEDDLE_PACK_KNOWN | HEDDLE_PACK_GIVEN << 2, 1);
    hd_trace_put_number(to, 1);
    hd_trace_put_number(to, heddle_pack_zigzag(step));
    hd_trace_put_number(to, 0);
    put_bytes(to, HEDDLE_PACK_KNOWN | HEDDLE_PACK_BY_BASE << 2, 1); /* as far again, from now on */
    hd_trace_put_number(to, 1);
}

static void put_granule(FILE *file, hd_trace_bytes *payload) {
    uint64_t bits[HD_PACKED_PAGE_WORDS] = {0x101}; /* a variable of 8 bytes, and what follows it */
    hd_vec_char before = {0};
    put_tables(file, payload);
    hd_trace_put_page(payload, ADDRESS / HD_PACKED_PAGE, bits);
    hd_trace_put_name(payload, "g", 1, &before);
    hd_trace_put_name(payload, "", 0, &before);
    put_section(file, HD_TRACE_SECTION_GRANULES, payload);
    hd_vec_release(&before);
}

static void records(FILE *file) {
    hd_trace_bytes payload = {0};
    put_header(file);
    put_granule(file, &payload);
    for (int i = 0; i < 40; i++) {
        put_run(&payload, 0x7ffff, 0);
        put_section(file, HD_TRACE_SECTION_RECORD, &payload);
    }
    hd_vec_release(&payload);
}

static void lanes(FILE *file) {
    hd_trace_bytes payload = {0};
    put_header(file);
    put_granule(file, &payload);
    for (unsigned i = 0; i < 100; i++) {
        hd_trace_put_number(&payload, i);
        put_run(&payload, 0x7ffff, 64);
        put_section(file, HD_TRACE_SECTION_LANE, &payload);
    }
    hd_vec_clear(&payload);
    hd_trace_put_number(&payload, UINT64_MAX);
    put_bytes(&payload, 0, 2);
    put_section(file, HD_TRACE_SECTION_END, &payload);
    hd_vec_release(&payload);
}

static void text(FILE *file) {
    for (int i = 0; i < 2 * MILLION; i++)
        fprintf(file, "T0|w(%x)|\n", i);
}

static void threads(FILE *file) {
    for (int i = 0; i < MILLION; i++)
        fprintf(file, "T%x|w(x)|\n", i);
}

static void json(FILE *file) {
    fputc('[', file);
    for (int i = 0; i < 3 * MILLION; i++)
        fputs("[],", file);
    fputs("0]", file);
}

static void suppressions(FILE *file) {
    for (int i = 0; i < 6 * MILLION; i++)
        fputs("variable:a\n", file);
}

/* --- reading -------------------------------------------------------------------------------- */

static void load(const char *path) {
    hd_trace trace;
    hd_error error = {""};
    if (!hd_trace_load(&trace, path, HD_TRACE_RECOVER | HD_TRACE_STACKS, &error))
        fprintf(stderr, "%s\n", error.text);
}

static void load_json(const char *path) {
    hd_json_document document;
    hd_error error = {""};
    if (!hd_json_load(&document, path, &error))
        fprintf(stderr, "%s\n", error.text);
}

static void load_suppressions(const char *path) {
    hd_finding_filter filter = {0};
    hd_error error = {""};
    if (!hd_finding_suppressions_load(&filter, path, &error))
        fprintf(stderr, "%s\n", error.text);
}

static void load_witness(const char *path) {
    static const char small[] = "T0|w(x)|\n";
    hd_trace trace;
    hd_witness witness;
    hd_error error = {""};
    hd_trace_init(&trace);
    hd_trace_cursor *cursor = hd_trace_cursor_memory(small, sizeof small - 1, "small", 0, &error);
    hd_trace_batch batch;
    if (!cursor)
        abort();
    while (hd_trace_cursor_next(cursor, &batch, &error) > 0)
        for (size_t i = 0; i < batch.count; i++)
            hd_trace_append(&trace, batch.events[i]);
    hd_trace_tables_release(&trace.tables);
    hd_trace_cursor_take_tables(cursor, &trace.tables);
    hd_witness_init(&witness);
    if (!hd_witness_load(&witness, &trace, path, &error))
        fprintf(stderr, "%s\n", error.text);
}

/* --- the tests ------------------------------------------------------------------------------ */

typedef struct bomb {
    const char *name;
    void (*make)(FILE *file);
    void (*read)(const char *path);
    long most_kib; /* of the file */
} bomb;

static const bomb bombs[] = {
    {"names", names, load, 800},
    {"blocks", blocks, load, 100},
    {"stacks", stacks, load, 800},
    {"granules", granules, load, 40},
    {"records", records, load, 10},
    {"lanes", lanes, load, 20},
    {"text", text, load, 40000},
    {"threads", threads, load, 20000},
    {"names of a witness", names, load_witness, 800},
    {"json", json, load_json, 10000},
    {"suppressions", suppressions, load_suppressions, 80000},
};

static char path[64];

/* In a process of its own, so that what it takes is not counted to the reader. */
static long make(const bomb *it) {
    pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen(path, "wb");
        it->make(file);
        _exit(fclose(file) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size / 1024;
}

/* Reads it in a child; its standard error goes to `said`. */
static struct rusage read_it(const bomb *it, char *said, size_t room, int *status) {
    int pipes[2];
    struct rusage usage;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        close(pipes[0]);
        hd_mem_budget_set((size_t)BUDGET_MIB << 20);
        it->read(path);
        _exit(0);
    }
    close(pipes[1]);
    ssize_t length = read(pipes[0], said, room - 1);
    said[length > 0 ? length : 0] = '\0';
    close(pipes[0]);
    assert_int_equal(wait4(child, status, 0, &usage), child);
    return usage;
}

static void bombs_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        const bomb *it = &bombs[i];
        if (SUPPORT_SANITIZED && (it->make == lanes || it->most_kib > LARGE_KIB)) {
            print_message("# %s: not under a sanitizer, which counts no pages and is slow\n",
                          it->name);
            continue;
        }
        char said[4096];
        int status;
        long kib = make(it);
        struct rusage usage = read_it(it, said, sizeof said, &status);
        print_message("# %s: %ld KiB took %ld MiB: %s", it->name, kib, usage.ru_maxrss / 1024,
                      *said ? said : "nothing\n");
        unlink(path);
        assert_true(kib <= it->most_kib);
        assert_string_equal(said,
                            "heddle: needs more than 64 MB of memory; --memory=SIZE allows it\n");
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 2);
        assert_true(SUPPORT_SANITIZED || usage.ru_maxrss / 1024 <= BUDGET_MIB + BESIDE_MIB);
    }
}

/* Without a budget nothing is refused, and sizes are what they say. */
static void sizes_are_parsed(void **state) {
    (void)state;
    size_t bytes;
    assert_true(hd_mem_budget_parse("500M", &bytes) && bytes == (size_t)500 << 20);
    assert_true(hd_mem_budget_parse("2G", &bytes) && bytes == (size_t)2 << 30);
    assert_true(hd_mem_budget_parse("70000K", &bytes) && bytes == (size_t)70000 << 10);
    assert_true(hd_mem_budget_parse("64", &bytes) && bytes == (size_t)64 << 20);
    static const char *const wrong[] = {
        "", "0", "M", "-1", "1.5G", "1X", "1MB", "99999999999999999999", "18446744073709551615"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(hd_mem_budget_parse(wrong[i], &bytes));
    assert_true(hd_mem_budget_default() >= HD_MEM_BUDGET_LEAST);
}

/* What is freed can be used again, any number of times. */
static void freed_memory_is_not_counted(void **state) {
    (void)state;
    hd_mem_budget_set((size_t)128 << 20);
    for (int i = 0; i < 50; i++)
        free(hd_mem_alloc((size_t)20 << 20));
    assert_true(hd_mem_budget_allows((size_t)20 << 20));
    assert_false(hd_mem_budget_allows((size_t)200 << 20));
    hd_mem_budget_set(0);
    assert_true(hd_mem_budget_allows(SIZE_MAX));
}

SUPPORT_SUITE(test_bombs) {
    snprintf(path, sizeof path, "%s/heddle-bomb-%d", hd_file_temporary(), (int)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_parsed),
        cmocka_unit_test(freed_memory_is_not_counted),
        cmocka_unit_test(bombs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
