/*
 * Records into the shared file, packed.  heddle_wire.tail is written last, so that
 * whoever reads the file after the process was killed sees whole records only.
 */
#include "rt.h"
#include "rt_free.h"
#include "rt_pack.h"
#include "rt_string.h"

hd_rt_state hd_rt;
__thread hd_rt_thread *hd_rt_self;

/* Bytes of any item at most, with its bytes, and of a plain access with its value. */
enum { MOST_BYTES = 1024, PLAIN_BYTES = HEDDLE_PACK_MOST, HEAD = 16 };

/* How far a thread runs over plain accesses before another may: about so far, and with
 * seed 0; how many records come as expected before that is written down. */
enum { PLAIN_RUN = 3000, LONG_PLAIN_RUN = 40000, LONGEST_RUN = 1 << 17 };

static int64_t run_left; /* of the present thread, over plain accesses: hd_rt.left of it are
                            allowed at once */

/* --- room ----------------------------------------------------------------------------------- */

static inline void set_tail(uint64_t run) {
    HD_RT_BARRIER();
    *hd_rt.tail =
        heddle_wire_tail(hd_rt.chunk_number, (uint64_t)(hd_rt.cursor - hd_rt.chunk) - HEAD, run);
}

/* The run so far, in front of an item. */
static inline unsigned char *put_run(void) {
    return heddle_pack_varint(hd_rt.cursor, HEDDLE_WIRE_TAIL_RUN(*hd_rt.tail));
}

/* An item ends here. */
static inline void put_end(unsigned char *end) {
    hd_rt.wire->items += HEDDLE_WIRE_TAIL_RUN(*hd_rt.tail);
    hd_rt.cursor = end;
    set_tail(0);
}

static void end_run(void) {
    if (!HEDDLE_WIRE_TAIL_RUN(*hd_rt.tail))
        return;
    unsigned char *at = put_run();
    *at++ = HEDDLE_PACK_NOTHING | HEDDLE_PACK_CONTROL << 2;
    put_end(at);
}

static void next_chunk(void) {
    heddle_wire *wire = hd_rt.wire;
    if (hd_rt.chunk) {
        end_run();
        ((uint64_t *)hd_rt.chunk)[1] = (uint64_t)(hd_rt.cursor - hd_rt.chunk) - HEAD;
    }
    uint64_t number = wire->chunks;
    uint64_t offset = HEDDLE_WIRE_DATA + number * HEDDLE_WIRE_CHUNK;
    if (offset + HEDDLE_WIRE_CHUNK > wire->size) {
        hd_rt.full = true;
        hd_rt.left = 0;
        return;
    }
    hd_rt.chunk = (unsigned char *)wire + offset;
    hd_rt.chunk_end = hd_rt.chunk + HEDDLE_WIRE_CHUNK;
    hd_rt.chunk_number = number;
    hd_rt.cursor = hd_rt.chunk + HEAD;
    *(uint64_t *)hd_rt.chunk = (uint64_t)HEDDLE_WIRE_TOTAL + 1;
    wire->chunks++;
    set_tail(0);
}

/* Accesses until somebody must look again: each may need a whole item. */
static void allow(void) {
    int64_t room = (hd_rt.chunk_end - hd_rt.cursor - MOST_BYTES) / PLAIN_BYTES;
    hd_rt.left = room < run_left ? room : run_left;
    if (hd_rt.full || hd_rt.every_access || hd_rt.following || hd_rt.exploring)
        hd_rt.left = 0;
    run_left -= hd_rt.left;
}

static void start_run(void) {
    run_left =
        hd_rt.wire->seed ? (int64_t)hd_rt_random((uint64_t)2 * PLAIN_RUN) + 1 : LONG_PLAIN_RUN;
    allow();
}

/* Is there place for one more record? */
static bool has_place(void) {
    hd_rt_settle();
    if (HD_RT_UNLIKELY(!hd_rt.full && hd_rt.chunk_end - hd_rt.cursor < (int64_t)4 * MOST_BYTES))
        next_chunk();
    if (hd_rt.full)
        return false;
    if (HD_RT_UNLIKELY(hd_rt.left * PLAIN_BYTES > hd_rt.chunk_end - hd_rt.cursor - MOST_BYTES)) {
        run_left += hd_rt.left;
        allow();
    }
    if (HD_RT_UNLIKELY(HEDDLE_WIRE_TAIL_RUN(*hd_rt.tail) > LONGEST_RUN))
        end_run();
    return true;
}

/* The same for one that is lost if not. */
static bool place(void) {
    bool is_there = has_place();
    hd_rt.wire->lost += !is_there;
    return is_there;
}

void hd_rt_record_init(void) {
    hd_rt.tail = &hd_rt.wire->tail;
    hd_rt_pack_init();
    next_chunk();
    start_run();
    hd_rt.calls = hd_rt.wire->calls;
}

/* --- items ---------------------------------------------------------------------------------- */

/* There is place. */
static inline void put_event(uint64_t key, uint64_t address, uint64_t value, const void *bytes,
                             size_t length) {
    unsigned char *at = put_run(), *end = hd_rt_pack_event(key, address, value, at);
    if (end == at) {
        HD_RT_BARRIER();
        ++*hd_rt.tail;
        return;
    }
    if (bytes)
        hd_rt_copy(end, bytes, length);
    hd_rt.wire->items++;
    put_end(end + length);
}

/* Only the site is another, and the one that came before the expected one: where a program
 * branches as its data will have it, most events that are not as expected are like that. */
static inline bool put_other(uint64_t key, uint64_t address, uint64_t value) {
    heddle_pack *pack = &hd_rt.pack;
    heddle_pack_site *last = pack->last, *site = &pack->sites[last->other];
    heddle_pack_cell *cell = heddle_pack_cell_of(pack, address);
    unsigned op = heddle_pack_op(key), size = key & HEDDLE_WIRE_SIZE;
    uint64_t run = HEDDLE_WIRE_TAIL_RUN(*hd_rt.tail);
    if (site->key != key || pack->sites[last->next].key == key || size > 3 || run >= 0x80 ||
        *site->base + site->step != address || address & ((1U << size) - 1) ||
        !hd_rt_pack_noted(cell, address, size) ||
        (op == HEDDLE_READ + 1 && heddle_pack_look(cell, key, address) != value))
        return false;
    uint32_t number = last->other;
    last->other = last->next;
    last->next = number;
    pack->last = site;
    site->address = pack->address = address;
    if (op == HEDDLE_READ + 1)
        pack->value = value;
    hd_rt.cursor[0] = (unsigned char)run;
    hd_rt.cursor[1] = HEDDLE_PACK_OTHER;
    hd_rt.wire->items++;
    put_end(hd_rt.cursor + 2);
    return true;
}

void hd_rt_record_access(uint64_t key, uint64_t address, uint64_t value) {
    if (!put_other(key, address, value))
        put_event(key, address, value, NULL, 0);
    unsigned size = key & HEDDLE_WIRE_SIZE;
    if (heddle_pack_op(key) != HEDDLE_WRITE + 1 || size > 3)
        return;
    hd_rt.write_slot = &hd_rt.pack.last->value;
    hd_rt.write_site = hd_rt.pack.last;
    hd_rt.write_cell =
        heddle_pack_in_cell(key, address) ? heddle_pack_cell_of(&hd_rt.pack, address) : NULL;
    hd_rt.write_address = (const void *)address;
    hd_rt.write_size = size;
}

/* No room is asked for: every item leaves enough. */
void hd_rt_record_wrote(heddle_pack_site *site, uint64_t value) {
    unsigned char *at = put_run(), *end = heddle_pack_wrote(&hd_rt.pack, site, value, at);
    if (end != at)
        put_end(end);
}

void hd_rt_record_thread(void) {
    if (hd_rt.full || hd_rt.pack.thread == hd_rt.current->id || !place())
        return;
    put_end(heddle_pack_turn(&hd_rt.pack, hd_rt.current->id, hd_rt.wire->steps & UINT32_MAX,
                             put_run()));
    hd_rt.wire->steps = 0;
}

uint32_t hd_rt_record_call(uint64_t key) {
    uint32_t number = 0;
    if (!has_place())
        return 0;
    unsigned char *at = put_run(), *end = hd_rt_pack_call(key, &number, at);
    hd_rt.wire->silent++;
    if (end == at) {
        HD_RT_BARRIER();
        ++*hd_rt.tail;
    } else {
        hd_rt.wire->items++;
        put_end(end);
    }
    return number;
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
        return !hd_rt.full && place();
    }
    hd_rt_settle();
    if (run_left > 0 && !hd_rt.every_access && !hd_rt.following && !hd_rt.full) {
        bool placed = place();
        allow();
        return placed;
    }
    if (hd_rt.full && !hd_rt.every_access && !hd_rt.following &&
        (hd_rt.wire->lost + 1) % PLAIN_RUN) {
        hd_rt.wire->lost++;
        return false;
    }
    if (!hd_rt.every_access && !hd_rt.following)
        hd_rt.quantum = 0; /* it has run long enough */
    hd_rt_point(kind, address, 1U << size, code);
    bool placed = place();
    start_run();
    return placed;
}

static void record(unsigned op, unsigned flags, uint64_t address, uintptr_t code, uint64_t value) {
    if (place())
        put_event(heddle_pack_key(op, flags, code), address, value, NULL, 0);
}

static void record_silent(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                          uint64_t value) {
    if (op > HEDDLE_KIND_COUNT)
        hd_rt.wire->silent++;
    record(op, flags, address, code, value);
}

void hd_rt_record(unsigned op, uint64_t address, uintptr_t code) {
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(op, 0, address, code, 0, false, 0);
    else
        record_silent(op, 0, address, code, 0);
}

void hd_rt_record_word(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                       uint64_t word) {
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(op, flags, address, code, 0, true, word);
    else
        record_silent(op, flags | HEDDLE_WIRE_WORD, address, code, word);
}

void hd_rt_record_atomic(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                         uint64_t value) {
    record(kind, size | (size < 4 ? HEDDLE_WIRE_VALUE : 0U), (uintptr_t)address, code, value);
}

static void record_range(bool write, unsigned flags, const void *address, size_t size,
                         uintptr_t code) {
    unsigned op = write ? HEDDLE_WIRE_WRITE_RANGE : HEDDLE_WIRE_READ_RANGE;
    if (hd_rt.mode == HD_RT_FREE) {
        hd_rt_free_record(op, flags, (uintptr_t)address, code, 0, true, size);
        return;
    }
    if (!place())
        return;
    bool bytes = size <= HEDDLE_WIRE_RANGE;
    flags |= HEDDLE_WIRE_WORD | (bytes ? HEDDLE_WIRE_VALUE : 0U);
    put_event(heddle_pack_key(op, flags, code), (uintptr_t)address, size, bytes ? address : NULL,
              bytes ? size : 0);
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
    if (place()) {
        hd_rt.wire->silent++;
        put_event(heddle_pack_key(HEDDLE_WIRE_NAME, HEDDLE_WIRE_WORD, 0), number, length,
                  labels.text[number], length);
    }
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
