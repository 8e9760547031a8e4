/*
 * Words of memory as steps are simulated with (predict_memory.h) against plain bytes: what is read
 * is what was written there last, or what was there at first if some read has shown it; what is
 * put back is as it was.
 */
#include <stdio.h>
#include <string.h>

#include "predict/predict_memory.h"
#include "support_random.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { BYTES = 8, ACCESSES = 200 };

typedef struct model {
    uint8_t first[BYTES], now[BYTES]; /* at first, and in the present run */
    bool written[BYTES], shown[BYTES];
} model;

static uint64_t value_of(const uint8_t *from, uint32_t bytes) {
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    return value;
}

/* What is at the bytes, if they are known. */
static bool look(const model *m, uint32_t at, uint32_t bytes, uint64_t *value) {
    uint8_t seen[BYTES] = {0};
    for (uint32_t i = 0; i < bytes; i++) {
        if (!m->written[at + i] && !m->shown[at + i])
            return false;
        seen[i] = m->written[at + i] ? m->now[at + i] : m->first[at + i];
    }
    *value = value_of(seen, bytes);
    return true;
}

static uint64_t find(model *m, uint32_t at, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        m->shown[at + i] |= !m->written[at + i];
    look(m, at, bytes, &value);
    return value;
}

static void write(model *m, uint32_t at, uint32_t bytes, uint64_t value) {
    memcpy(m->now + at, &value, bytes);
    memset(m->written + at, true, bytes);
}

static bool check_cells(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    hd_predict_cell cell = {0}, kept = {0};
    model m = {0}, kept_model = {0};
    uint64_t drawn = hd_random_next(random);
    memcpy(m.first, &drawn, BYTES);
    for (uint32_t i = 0; i < ACCESSES; i++) {
        uint32_t bytes = 1U << hd_random_below(random, 4);
        uint32_t at = (uint32_t)hd_random_below(random, BYTES / bytes) * bytes;
        uint64_t address = 0x1000 + at, value = hd_random_next(random), found = 0, wanted = 0;
        switch (hd_random_below(random, 6)) {
        case 0:
        case 1:
            hd_predict_cell_write(&cell, address, bytes, value);
            write(&m, at, bytes, value);
            break;
        case 2:
            if (!hd_predict_cell_find(&cell, address, bytes, find(&m, at, bytes)))
                return WRONG("access %u: what is there is not found", i);
            break;
        case 3: /* all the same for bytes that are known, of which one is wrong */
            if (look(&m, at, bytes, &wanted) &&
                hd_predict_cell_find(&cell, address, bytes, wanted ^ 1))
                return WRONG("access %u: what is not there is found", i);
            break;
        case 4: /* what steps changed is put back, what was learnt stays */
            if (hd_random_chance(random, 500)) {
                kept.now = cell.now;
                kept_model = m;
            } else {
                cell.now = kept.now;
                memcpy(m.now, kept_model.now, BYTES);
                memcpy(m.written, kept_model.written, sizeof m.written);
            }
            break;
        default:
            break;
        }
        bool known = look(&m, at, bytes, &wanted);
        if (hd_predict_cell_read(&cell, address, bytes, &found) != known || found != wanted)
            return WRONG("access %u, %u bytes at %u: %llx, not %llx", i, bytes, at,
                         (unsigned long long)found, (unsigned long long)wanted);
    }
    return true;
}

SUPPORT_SUITE(random_cells) {
    static const support_property properties[] = {
        {"words are what was written to their bytes", {2, 2, 1, 1, 0}, check_cells},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
