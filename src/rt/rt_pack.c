/*
 * Cells have the marks of their word in the low bits of their tag, so that the common
 * access finds both with one look; the table of pages in the shared file is the truth.
 */
#include "rt_pack.h"

enum { SLOTS = 2 * HEDDLE_PACK_SITES };

static heddle_pack_site sites[HEDDLE_PACK_SITES];
static heddle_pack_cell cells[HEDDLE_PACK_CELLS];
static uint32_t threads[HEDDLE_WIRE_THREADS];
static uint32_t slots[SLOTS]; /* sites by key */

#define ONE(i) (1 << (i) | ((i) == 7 ? 0x100 : 2 << (i)))
#define TWO(i) (1 << (i) | ((i) == 6 ? 0x100 : 4 << (i)) | 0x200 << (i))
#define FOUR(i) (1 << (i) | ((i) == 4 ? 0x100 : 0x10 << (i)) | 0xe00 << (i))

/* Where an access would go beyond the word nothing is looked up. */
const uint16_t hd_rt_pack_marks[4][8] = {
    {ONE(0), ONE(1), ONE(2), ONE(3), ONE(4), ONE(5), ONE(6), ONE(7)},
    {TWO(0), TWO(1), TWO(2), TWO(3), TWO(4), TWO(5), TWO(6), 0},
    {FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), 0, 0, 0},
    {0xff01, 0, 0, 0, 0, 0, 0, 0},
};

void hd_rt_pack_init(void) {
    hd_rt.pack = (heddle_pack){.sites = sites, .cells = cells, .threads = threads};
    heddle_pack_start(&hd_rt.pack);
}

/* --- borders -------------------------------------------------------------------------------- */

static uint16_t *marks_of(uint64_t address) {
    uint64_t number = address / HEDDLE_WIRE_PAGE + 1;
    heddle_wire_page *pages = heddle_wire_pages(hd_rt.wire);
    uint32_t place = heddle_wire_page_place(number);
    for (int tries = 0; tries < 256; tries++) {
        heddle_wire_page *page = &pages[(place + (uint32_t)tries) % HEDDLE_WIRE_PAGES];
        if (!page->number) {
            page->number = number;
            hd_rt.wire->page_list[hd_rt.wire->pages++] =
                (place + (uint32_t)tries) % HEDDLE_WIRE_PAGES;
        }
        if (page->number == number)
            return &page->marks[address % HEDDLE_WIRE_PAGE / 8];
    }
    hd_rt.wire->beyond = 1;
    return NULL;
}

static void note_word(uint64_t address, unsigned size) {
    heddle_pack_cell *cell = heddle_pack_cell_of(&hd_rt.pack, address);
    heddle_pack_enter(cell, address);
    uint16_t *marks = marks_of(address);
    if (!marks)
        return;
    *marks |= hd_rt_pack_marks[size][address & 7];
    cell->tag = address / 8 << 16 | *marks;
}

/* A range inside a word. */
static void note_bytes(uint64_t address, unsigned length) {
    unsigned first = address & 7, behind = first + length;
    uint16_t *marks = marks_of(address);
    if (!marks)
        return;
    *marks |= (uint16_t)(1 << first | (behind == 8 ? 0x100 : 1 << behind));
    for (unsigned i = first + 1; i < behind; i++)
        *marks |= (uint16_t)(0x100 << i);
}

static void note_border(uint64_t address) {
    uint16_t *marks = marks_of(address);
    if (marks)
        *marks |= (uint16_t)(1 << (address & 7));
}

/* --- objects -------------------------------------------------------------------------------- */

static const uint8_t classes[HEDDLE_KIND_COUNT] = {
#define HEDDLE_KIND(ID, op, CLASS, traits, text) HEDDLE_CLASS_##CLASS,
#include "heddle/event.def"
};

/* An operation on a lock or another object that has a name. */
static void note_object(unsigned op, uint64_t address) {
    enum { SEEN = 4096 };
    static uint64_t seen[SEEN];
    unsigned class = classes[op - 1];
    if (class == HEDDLE_CLASS_THREAD)
        return;
    heddle_wire *wire = hd_rt.wire;
    if (class == HEDDLE_CLASS_LABEL || class == HEDDLE_CLASS_BLOCK) {
        wire->beyond = 1;
        return;
    }
    uint64_t object = (address & HEDDLE_WIRE_ADDRESS) | (uint64_t) class << 56;
    uint64_t *slot = &seen[(address >> 3) % SEEN];
    if (*slot == object)
        return;
    *slot = object;
    if (wire->objects == HEDDLE_WIRE_OBJECT_COUNT)
        wire->beyond = 1;
    else
        heddle_wire_objects(wire)[wire->objects++] = object;
}

void hd_rt_pack_block(uint64_t address, uint64_t size, uintptr_t code) {
    heddle_wire *wire = hd_rt.wire;
    if (wire->blocks == HEDDLE_WIRE_BLOCKS)
        wire->beyond = 1;
    else
        heddle_wire_blocks(wire)[wire->blocks++] = (heddle_wire_block){
            .address = address, .size = size, .code = code, .thread = hd_rt.current->id};
}

/* --- sites ---------------------------------------------------------------------------------- */

/* NULL: it is new; its place is then taken. */
static heddle_pack_site *find_site(uint64_t key) {
    heddle_pack_site *site = &sites[hd_rt.pack.last->next];
    if (site->key == key)
        return site;
    site = &sites[hd_rt.pack.last->other];
    if (site->key == key)
        return site;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SLOTS;
    for (; slots[at]; at = (at + 1) % SLOTS)
        if (sites[slots[at]].key == key)
            return &sites[slots[at]];
    if (hd_rt.pack.site_count < HEDDLE_PACK_SITES - 1)
        slots[at] = hd_rt.pack.site_count;
    heddle_wire *wire = hd_rt.wire;
    if (heddle_pack_op(key) == HEDDLE_WIRE_LEAVE)
        return NULL; /* where it was entered is shown */
    if (wire->codes < HEDDLE_WIRE_CODES)
        wire->code_list[wire->codes++] = key >> 16;
    else
        wire->beyond = 1;
    return NULL;
}

static void note(uint64_t key, uint64_t address, uint64_t value) {
    unsigned op = heddle_pack_op(key), size = key & HEDDLE_WIRE_SIZE;
    if (heddle_pack_in_cell(key, address)) {
        if (!hd_rt_pack_noted(heddle_pack_cell_of(&hd_rt.pack, address), address, size))
            note_word(address, size);
        return;
    }
    if (op == HEDDLE_WIRE_ALLOCATE)
        hd_rt_pack_block(address, value, key >> 16);
    else if (op && op <= HEDDLE_KIND_COUNT && !heddle_pack_is_access(op))
        note_object(op, address);
    bool range = op == HEDDLE_WIRE_READ_RANGE || op == HEDDLE_WIRE_WRITE_RANGE;
    if (!range && !heddle_pack_is_access(op))
        return;
    uint64_t length = range ? value : (uint64_t)1 << size;
    if (length && (address & 7) + length <= 8) {
        note_bytes(address, (unsigned)length);
        return;
    }
    hd_rt.wire->scattered = 1;
    note_border(address);
    note_border(address + length);
}

unsigned char *hd_rt_pack_event(uint64_t key, uint64_t address, uint64_t value, unsigned char *to) {
    heddle_pack_site *site = find_site(key);
    note(key, address, value);
    return heddle_pack_event(&hd_rt.pack, site, key, address, value, to);
}

unsigned char *hd_rt_pack_call(uint64_t key, uint32_t *number, unsigned char *to) {
    heddle_pack_site *site = find_site(key);
    return heddle_pack_call(&hd_rt.pack, site, key, number, to);
}
