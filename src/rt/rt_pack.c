/*
 * Cells have the marks of their word, so that the common access finds both with one look; the
 * table of pages in the shared file is the truth.
 */
#include "rt_pack.h"

enum { SLOTS = 2 * HEDDLE_PACK_SITES, SEEN = 4096 };

/* The tables of a lane. */
typedef struct tables {
    heddle_pack_site sites[HEDDLE_PACK_SITES];
    heddle_pack_cell cells[HEDDLE_PACK_CELLS];
    uint32_t threads[HEDDLE_WIRE_THREADS];
    uint32_t slots[SLOTS];
    uint64_t seen[SEEN];
} tables;

static tables controlled; /* of a controlled run: where it was when the program started */

bool hd_rt_pack_init(hd_rt_lane *lane) {
    tables *its = lane == &hd_rt.lane ? &controlled : hd_rt_pages(sizeof *its);
    if (!its)
        return false;
    lane->pack = (heddle_pack){.sites = its->sites, .cells = its->cells, .threads = its->threads};
    lane->slots = its->slots;
    lane->seen = its->seen;
    heddle_pack_start(&lane->pack);
    return true;
}

/* --- checks --------------------------------------------------------------------------------- */

void hd_rt_pack_check(hd_rt_lane *lane) {
    heddle_wire_chunk *chunk = lane->chunk;
    uint64_t end = (uint64_t)(lane->cursor - chunk->bytes);
    lane->sum = heddle_wire_sum(lane->sum, chunk->bytes, lane->summed, end);
    lane->summed = end - end % 8;
    chunk->checks[end / HEDDLE_WIRE_BLOCK] = heddle_wire_check(lane->sum, chunk->bytes, end);
    lane->check_at = lane->cursor + HEDDLE_WIRE_UNCHECKED;
}

/* --- borders -------------------------------------------------------------------------------- */

/* The tables in the shared file are all threads'. */

static void go_beyond(void) {
    __atomic_store_n(&hd_rt.wire->beyond, 1, __ATOMIC_RELAXED);
}

/* The next place of a list that has so many; `most` if all are taken. */
static uint64_t take_place(uint64_t *count, uint64_t most) {
    uint64_t at = __atomic_load_n(count, __ATOMIC_RELAXED);
    while (at < most && !__atomic_compare_exchange_n(count, &at, at + 1, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED))
        ;
    if (at >= most)
        go_beyond();
    return at;
}

static void list(uint64_t *at, uint64_t value) {
    *at = value;
    __atomic_fetch_add(&hd_rt.wire->listed, value, __ATOMIC_RELAXED);
}

static uint16_t add_marks(uint16_t *marks, unsigned more) {
    uint16_t had = __atomic_load_n(marks, __ATOMIC_RELAXED);
    if ((had & more) == more)
        return had;
    had = __atomic_fetch_or(marks, (uint16_t)more, __ATOMIC_RELAXED);
    __atomic_fetch_add(&hd_rt.wire->marked, more & ~(unsigned)had, __ATOMIC_RELAXED);
    return (uint16_t)(had | more);
}

/* Takes the free place for the page of that number; returns whose it is then.  It is listed first:
 * another thread may use the page as soon as it has its number, and end the process.  So a place
 * that is listed may be empty, or another's that lists it too. */
static uint64_t take_page(heddle_wire_page *page, uint32_t place, uint64_t number,
                          uint32_t *listed) {
    heddle_wire *wire = hd_rt.wire;
    if (*listed == HEDDLE_WIRE_PAGES)
        *listed = __atomic_fetch_add(&wire->pages, 1, __ATOMIC_RELAXED);
    if (*listed >= HEDDLE_WIRE_PAGES) {
        *listed = HEDDLE_WIRE_PAGES;
        go_beyond();
    } else
        wire->page_list[*listed] = place;
    uint64_t its = 0;
    bool taken = __atomic_compare_exchange_n(&page->number, &its, number, false, __ATOMIC_RELEASE,
                                             __ATOMIC_RELAXED);
    return taken ? number : its;
}

static uint16_t *marks_of(uint64_t address) {
    uint64_t number = address / HEDDLE_WIRE_PAGE + 1;
    heddle_wire_page *pages = heddle_wire_pages(hd_rt.wire);
    uint32_t first = heddle_wire_page_place(number), listed = HEDDLE_WIRE_PAGES;
    for (uint32_t tries = 0; tries < HEDDLE_WIRE_PAGE_TRIES; tries++) {
        uint32_t place = (first + tries) % HEDDLE_WIRE_PAGES;
        heddle_wire_page *page = &pages[place];
        uint64_t its = __atomic_load_n(&page->number, __ATOMIC_RELAXED);
        if (!its)
            its = take_page(page, place, number, &listed);
        if (its == number)
            return &page->marks[address % HEDDLE_WIRE_PAGE / 8];
    }
    go_beyond();
    return NULL;
}

/* The same, where most are on the page of the one before. */
static uint16_t *near_marks(hd_rt_lane *lane, uint64_t address) {
    if (address / HEDDLE_WIRE_PAGE + 1 != lane->page) {
        uint16_t *marks = marks_of(address);
        if (!marks)
            return NULL;
        lane->page = address / HEDDLE_WIRE_PAGE + 1;
        lane->page_marks = marks - address % HEDDLE_WIRE_PAGE / 8;
    }
    return lane->page_marks + address % HEDDLE_WIRE_PAGE / 8;
}

void hd_rt_pack_word(hd_rt_lane *lane, uint64_t address, unsigned size) {
    heddle_pack_cell *cell = heddle_pack_cell_of(&lane->pack, address);
    uint64_t more = hd_rt_pack_marks(size, address & 7);
    heddle_pack_enter(cell, address);
    if (hd_rt.wire->live) {
        cell->tag |= more;
        return;
    }
    uint16_t *marks = near_marks(lane, address);
    if (marks)
        cell->tag |= add_marks(marks, (unsigned)more);
}

/* The low bits of a tag are the writer's own, so the reader's cells stay the same. */
void hd_rt_pack_forget(hd_rt_lane *lane, uint64_t address, uint64_t size) {
    const uint64_t marks = 0xffff;
    heddle_pack_cell *cells = lane->pack.cells;
    if (size / 8 < HEDDLE_PACK_CELLS) {
        for (uint64_t at = address & ~(uint64_t)7; at < address + size; at += 8) {
            heddle_pack_cell *cell = heddle_pack_cell_of(&lane->pack, at);
            if (!((cell->tag ^ at << 16) >> 19))
                cell->tag &= ~marks;
        }
        return;
    }
    for (uint32_t i = 0; i < HEDDLE_PACK_CELLS; i++)
        if ((cells[i].tag >> 16) - address < size)
            cells[i].tag &= ~marks;
}

/* A range inside a word. */
static void note_bytes(uint64_t address, unsigned length) {
    unsigned first = address & 7, end = first + length;
    uint16_t *marks = marks_of(address);
    unsigned more = 1U << first | (end == 8 ? 0x100U : 1U << end);
    for (unsigned i = first + 1; i < end; i++)
        more |= 0x100U << i;
    if (marks)
        add_marks(marks, more);
}

static void note_border(uint64_t address) {
    uint16_t *marks = marks_of(address);
    if (marks)
        add_marks(marks, 1U << (address & 7));
}

/* --- objects -------------------------------------------------------------------------------- */

static const uint8_t classes[HEDDLE_KIND_COUNT] = {
#define HEDDLE_KIND(ID, op, CLASS, traits, text) HEDDLE_CLASS_##CLASS,
#include "heddle/event.def"
};

/* An operation on a lock or another object that has a name. */
static void note_object(hd_rt_lane *lane, unsigned op, uint64_t address) {
    unsigned class = classes[op - 1];
    if (class == HEDDLE_CLASS_THREAD)
        return;
    if (class == HEDDLE_CLASS_LABEL || class == HEDDLE_CLASS_BLOCK) {
        go_beyond();
        return;
    }
    uint64_t object = (address & HEDDLE_WIRE_ADDRESS) | (uint64_t) class << 56;
    uint64_t *slot = &lane->seen[(address >> 3) % SEEN];
    if (*slot == object)
        return;
    *slot = object;
    uint64_t at = take_place(&hd_rt.wire->objects, HEDDLE_WIRE_OBJECT_COUNT);
    if (at < HEDDLE_WIRE_OBJECT_COUNT)
        list(&heddle_wire_objects(hd_rt.wire)[at], object);
}

void hd_rt_pack_block(uint64_t address, uint64_t size, uintptr_t code) {
    uint64_t at = take_place(&hd_rt.wire->blocks, HEDDLE_WIRE_BLOCKS);
    if (at < HEDDLE_WIRE_BLOCKS)
        heddle_wire_blocks(hd_rt.wire)[at] = (heddle_wire_block){
            .address = address,
            .size = size,
            .code = code,
            .thread = hd_rt.mode == HD_RT_FREE ? hd_rt_own->pack.thread : hd_rt.current->id};
}

/* --- sites ---------------------------------------------------------------------------------- */

static uint32_t slot_of(uint64_t key) {
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % SLOTS;
}

heddle_pack_site *hd_rt_pack_find(hd_rt_lane *lane, uint64_t key) {
    heddle_pack_site *sites = lane->pack.sites;
    for (uint32_t at = slot_of(key); lane->slots[at]; at = (at + 1) % SLOTS)
        if (sites[lane->slots[at]].key == key)
            return &sites[lane->slots[at]];
    return NULL;
}

/* It becomes the next site. */
static void add_site(hd_rt_lane *lane, uint64_t key) {
    uint32_t at = slot_of(key);
    while (lane->slots[at])
        at = (at + 1) % SLOTS;
    if (lane->pack.site_count < HEDDLE_PACK_SITES - 1)
        lane->slots[at] = lane->pack.site_count;
    if (heddle_pack_op(key) == HEDDLE_WIRE_LEAVE)
        return; /* where it was entered is shown */
    uint64_t place = take_place(&hd_rt.wire->codes, HEDDLE_WIRE_CODES);
    if (place < HEDDLE_WIRE_CODES)
        list(&hd_rt.wire->code_list[place], key >> 16);
}

static void note(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value) {
    unsigned op = heddle_pack_op(key), size = key & HEDDLE_WIRE_SIZE;
    if (heddle_pack_in_cell(key, address)) {
        if (!hd_rt_pack_noted(heddle_pack_cell_of(&lane->pack, address), address, address & 7,
                              size))
            hd_rt_pack_word(lane, address, size);
        return;
    }
    if (hd_rt.wire->live)
        return; /* a tool that reads along needs no tables */
    if (op == HEDDLE_WIRE_ALLOCATE)
        hd_rt_pack_block(address, value, key >> 16);
    else if (op && op <= HEDDLE_KIND_COUNT && !heddle_pack_is_access(op))
        note_object(lane, op, address);
    if (op == HEDDLE_WIRE_FREE && value) { /* its end is no border: nothing lies there */
        __atomic_store_n(&hd_rt.wire->scattered, 1, __ATOMIC_RELAXED);
        note_border(address);
        return;
    }
    bool range = op == HEDDLE_WIRE_READ_RANGE || op == HEDDLE_WIRE_WRITE_RANGE;
    if (!range && !heddle_pack_is_access(op))
        return;
    uint64_t length = range ? value : (uint64_t)1 << size;
    if (length && (address & 7) + length <= 8) {
        note_bytes(address, (unsigned)length);
        return;
    }
    __atomic_store_n(&hd_rt.wire->scattered, 1, __ATOMIC_RELAXED);
    note_border(address);
    note_border(address + length);
}

unsigned char *hd_rt_pack_event(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value,
                                unsigned char *to) {
    heddle_pack_site *site = hd_rt_pack_site(lane, key);
    if (HD_RT_UNLIKELY(!site))
        add_site(lane, key);
    note(lane, key, address, value);
    heddle_pack_cell *cell = heddle_pack_entered(&lane->pack, key, address);
    return heddle_pack_event(&lane->pack, site, key, cell, address, value, to);
}

unsigned char *hd_rt_pack_call(hd_rt_lane *lane, uint64_t key, uint32_t *number,
                               unsigned char *to) {
    heddle_pack_site *site = hd_rt_pack_site(lane, key);
    if (HD_RT_UNLIKELY(!site))
        add_site(lane, key);
    return heddle_pack_call(&lane->pack, site, key, number, to);
}
