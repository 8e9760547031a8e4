/*
 * Records into the shared file.  A word is zero until it is written, and word 0
 * of a record is written last, so that whoever reads the file after the process
 * was killed sees whole records only.
 */
#include "rt.h"
#include "rt_free.h"
#include "rt_string.h"

hd_rt_state hd_rt;
__thread hd_rt_thread *hd_rt_self;

enum { MOST_WORDS = 32 + HEDDLE_WIRE_LABEL / 8 + 1 }; /* of a record */

/* How far a thread runs over plain accesses before another may, in words. */
enum { PLAIN_RUN = 8000 };

static void set_limit(void) {
    uint64_t *last = hd_rt.chunk_end - MOST_WORDS;
    hd_rt.limit = last;
    if (hd_rt.full || hd_rt.every_access || hd_rt.following || hd_rt.exploring)
        hd_rt.limit = NULL;
    else if (hd_rt.wire->seed) {
        uint64_t run = hd_rt_random((uint64_t)2 * PLAIN_RUN) + 2;
        if ((uint64_t)(last - hd_rt.cursor) > run)
            hd_rt.limit = hd_rt.cursor + run;
    }
}

static bool next_chunk(uint32_t stream) {
    heddle_wire *wire = hd_rt.wire;
    uint64_t number = __atomic_fetch_add(&wire->chunks, 1, __ATOMIC_RELAXED);
    uint64_t offset = HEDDLE_WIRE_DATA + number * HEDDLE_WIRE_CHUNK;
    if (offset + HEDDLE_WIRE_CHUNK > wire->size) {
        hd_rt.full = true;
        hd_rt.limit = NULL;
        return false;
    }
    uint64_t *chunk = (uint64_t *)((char *)wire + offset);
    chunk[0] = (uint64_t)stream + 1;
    hd_rt.cursor = chunk + 1;
    hd_rt.chunk_end = chunk + HEDDLE_WIRE_CHUNK / sizeof *chunk;
    hd_rt.stream = UINT32_MAX;
    hd_rt_record_thread();
    return true;
}

void hd_rt_record_thread(void) {
    if (hd_rt.full || hd_rt.stream == hd_rt.current->id)
        return;
    hd_rt.stream = hd_rt.current->id;
    *hd_rt.cursor++ =
        (uint64_t)HEDDLE_WIRE_SWITCH << 56 | (hd_rt.wire->steps & UINT32_MAX) << 24 | hd_rt.stream;
    hd_rt.wire->steps = 0;
}

void hd_rt_record_init(void) {
    next_chunk(HEDDLE_WIRE_TOTAL);
    set_limit();
}

/* Place for one more record of the present thread; NULL if it is lost. */
static uint64_t *place(void) {
    hd_rt_settle();
    if (!hd_rt.full && hd_rt.cursor >= hd_rt.chunk_end - MOST_WORDS) {
        next_chunk(HEDDLE_WIRE_TOTAL);
        set_limit();
    }
    if (hd_rt.full) {
        hd_rt.wire->lost++;
        return NULL;
    }
    return hd_rt.cursor;
}

static inline uint64_t head(unsigned op, unsigned flags, uint64_t address) {
    return (uint64_t)op << 56 | (uint64_t)flags << 48 | (address & HEDDLE_WIRE_ADDRESS);
}

/* Writes the words of a record, head last.  Returns the end. */
static inline uint64_t *put(uint64_t *at, unsigned op, unsigned flags, uint64_t address,
                            uintptr_t code, uint32_t value, bool more, uint64_t word) {
    uint64_t *to = at + 2;
    uint64_t offset = code - hd_rt.code;
    if (HD_RT_UNLIKELY(offset > UINT32_MAX)) {
        flags |= HEDDLE_WIRE_FAR;
        *to++ = code;
        offset = 0;
    }
    if (more)
        *to++ = word;
    at[1] = offset << 32 | value;
    HD_RT_BARRIER();
    at[0] = head(op, flags, address);
    return to;
}

bool hd_rt_record_slow(unsigned kind, unsigned size, const volatile void *address, uintptr_t code) {
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_access(kind, size, address, code);
        return false;
    }
    if (hd_rt.mode == HD_RT_OFF || hd_rt.ended)
        return false;
    if (hd_rt.exploring) {
        hd_rt_explore_access(kind, address, (size_t)1 << size, code);
        return !hd_rt.full && place() != NULL;
    }
    hd_rt_settle();
    if (hd_rt.full && !hd_rt.every_access && !hd_rt.following &&
        (hd_rt.wire->lost + 1) % PLAIN_RUN) {
        hd_rt.wire->lost++;
        return false;
    }
    if (!hd_rt.every_access && !hd_rt.following)
        hd_rt.quantum = 0; /* it has run long enough */
    hd_rt_point(kind, address, 1U << size, code);
    bool placed = place() != NULL;
    set_limit();
    return placed;
}

void hd_rt_record(unsigned op, uint64_t address, uintptr_t code) {
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_record(op, 0, address, code, 0, false, 0);
        return;
    }
    uint64_t *at = place();
    if (at)
        hd_rt.cursor = put(at, op, 0, address, code, 0, false, 0);
}

void hd_rt_record_word(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                       uint64_t word) {
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_record(op, flags, address, code, 0, true, word);
        return;
    }
    uint64_t *at = place();
    if (at)
        hd_rt.cursor = put(at, op, flags, address, code, 0, true, word);
}

void hd_rt_record_atomic(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                         uint64_t value) {
    uint64_t *at = place();
    if (!at)
        return;
    if (size < 3)
        hd_rt.cursor = put(at, kind, size | HEDDLE_WIRE_VALUE, (uintptr_t)address, code,
                           (uint32_t)value, false, 0);
    else
        hd_rt.cursor = put(at, kind, size | (size == 3 ? HEDDLE_WIRE_VALUE : 0U),
                           (uintptr_t)address, code, 0, true, value);
}

static void record_range(bool write, unsigned flags, const void *address, size_t size,
                         uintptr_t code) {
    unsigned op = write ? HEDDLE_WIRE_WRITE_RANGE : HEDDLE_WIRE_READ_RANGE;
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_record(op, flags, (uintptr_t)address, code, 0, true, size);
        return;
    }
    uint64_t *at = place();
    if (!at)
        return;
    bool bytes = size <= HEDDLE_WIRE_RANGE;
    uint64_t *end = at + 3 + (code - hd_rt.code > UINT32_MAX);
    if (bytes) {
        hd_rt_copy(end, address, size);
        flags |= HEDDLE_WIRE_VALUE;
    }
    put(at, op, flags, (uintptr_t)address, code, 0, true, size);
    hd_rt.cursor = end + (bytes ? (size + 7) / 8 : 0);
}

void hd_rt_record_range(bool write, const void *address, size_t size, uintptr_t code) {
    record_range(write, 0, address, size, code);
}

void hd_rt_record_stored(const void *address, size_t size, uintptr_t code) {
    record_range(true, HEDDLE_WIRE_SILENT, address, size, code);
}

/* --- labels --------------------------------------------------------------------------------- */

enum { LABELS = 1024 };

static struct {
    char text[LABELS][HEDDLE_WIRE_LABEL + 1];
    uint32_t count;
} labels;

/* The number of a label, entered and recorded if it is new. */
static uint32_t label_number(const char *label) {
    size_t length = hd_rt_length(label, HEDDLE_WIRE_LABEL);
    for (uint32_t i = 0; i < labels.count; i++)
        if (hd_rt_starts(labels.text[i], label, length) && !labels.text[i][length])
            return i;
    if (labels.count == LABELS)
        return LABELS - 1;
    uint32_t number = labels.count++;
    hd_rt_copy(labels.text[number], label, length);
    for (char *at = labels.text[number]; *at; at++)
        if (*at == '|' || *at == '=' || *at == '\n' || *at == '\r')
            *at = '_';
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_label(number, labels.text[number], length);
        return number;
    }
    uint64_t *at = place();
    if (!at)
        return number;
    uint64_t *end = at + 2;
    hd_rt_copy(end, labels.text[number], length);
    hd_rt.cursor = end + (length + 7) / 8;
    put(at, HEDDLE_WIRE_NAME, 0, number, hd_rt.code, (uint32_t)length, false, 0);
    return number;
}

void hd_rt_record_label(unsigned op, const char *label, bool has_value, int64_t value,
                        uintptr_t code) {
    uint32_t number = label_number(label);
    if (has_value)
        hd_rt_record_word(op, HEDDLE_WIRE_VALUE | HEDDLE_WIRE_WORD, number, code, (uint64_t)value);
    else
        hd_rt_record(op, number, code);
}
