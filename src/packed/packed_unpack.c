#include "packed_unpack.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/pack.h"

/* As many as the tail has bits for, so that a few bytes cannot stand for endless records. */
enum { LONGEST_RUN = 0x7ffff };

struct hd_packed_unpack {
    heddle_pack pack;
    const unsigned char *at, *end;
    uint64_t run;             /* expected records that come before the item at `at` */
    bool run_read;            /* that number was read */
    uint64_t last_run;        /* after the chunk's bytes */
    HD_VEC(hd_vec_u32) calls; /* by thread: sites of functions that have begun and not ended */
    uint64_t depth;           /* of all of them */
    uint64_t ahead;           /* of these, how many were taken; the next item's run has them too */
    bool run_is_rest;         /* `run` is what is left of them */
    bool open;                /* the chunk may grow */
    const unsigned char *begin;
};

hd_packed_unpack *hd_packed_unpack_create(void) {
    hd_packed_unpack *unpack = HD_NEW(hd_packed_unpack);
    unpack->pack.sites = hd_mem_pages(HEDDLE_PACK_SITES, sizeof(heddle_pack_site));
    unpack->pack.cells = hd_mem_pages(HEDDLE_PACK_CELLS, sizeof(heddle_pack_cell));
    unpack->pack.threads = hd_mem_pages(HEDDLE_WIRE_THREADS, sizeof(uint32_t));
    heddle_pack_start(&unpack->pack);
    return unpack;
}

void hd_packed_unpack_free(hd_packed_unpack *unpack) {
    if (!unpack)
        return;
    for (size_t i = 0; i < unpack->calls.length; i++)
        hd_vec_release(&unpack->calls.data[i]);
    hd_vec_release(&unpack->calls);
    hd_mem_pages_free(unpack->pack.sites, HEDDLE_PACK_SITES, sizeof(heddle_pack_site));
    hd_mem_pages_free(unpack->pack.cells, HEDDLE_PACK_CELLS, sizeof(heddle_pack_cell));
    hd_mem_pages_free(unpack->pack.threads, HEDDLE_WIRE_THREADS, sizeof(uint32_t));
    free(unpack);
}

void hd_packed_unpack_chunk(hd_packed_unpack *unpack, const void *bytes, size_t size,
                            uint64_t run) {
    hd_packed_unpack_open(unpack, bytes);
    hd_packed_unpack_grown(unpack, size, run, true);
}

void hd_packed_unpack_open(hd_packed_unpack *unpack, const void *bytes) {
    unpack->at = unpack->end = unpack->begin = bytes;
    unpack->run = unpack->last_run = unpack->ahead = 0;
    unpack->run_read = unpack->run_is_rest = false;
    unpack->open = true;
}

void hd_packed_unpack_grown(hd_packed_unpack *unpack, size_t size, uint64_t run, bool whole) {
    assert(unpack->open);
    if (unpack->begin + size >
        unpack->end) /* memory that is shared with a program may contain anything */
        unpack->end = unpack->begin + size;
    unpack->last_run = run;
    unpack->open = !whole;
    if (unpack->run_is_rest)
        unpack->run_read = unpack->run_is_rest = false;
}

/* --- numbers -------------------------------------------------------------------------------- */

static bool take_varint(hd_packed_unpack *unpack, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (unpack->at >= unpack->end)
            return false;
        uint64_t byte = *unpack->at++;
        if (shift < 64)
            *value |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_bytes(hd_packed_unpack *unpack, unsigned count, uint64_t *value) {
    if ((size_t)(unpack->end - unpack->at) < count)
        return false;
    *value = 0;
    for (unsigned i = 0; i < count; i++)
        *value |= (uint64_t)*unpack->at++ << 8 * i;
    return true;
}

/* --- events --------------------------------------------------------------------------------- */

static bool is_range(unsigned op) {
    return op == HEDDLE_WIRE_READ_RANGE || op == HEDDLE_WIRE_WRITE_RANGE;
}

/* Can an access have this memory order?  A plain one that has another than the first is volatile.
 */
static bool is_order(unsigned op, unsigned order) {
    switch (op) {
    case HEDDLE_READ + 1:
        return !order || order == HEDDLE_ORDER_ACQUIRE;
    case HEDDLE_WRITE + 1:
        return !order || order == HEDDLE_ORDER_RELEASE;
    case HEDDLE_ATOMIC_READ + 1:
        return order < HEDDLE_ORDER_COUNT || order == HEDDLE_ORDER_EXEMPT;
    default:
        return order < HEDDLE_ORDER_COUNT;
    }
}

/* Can the runtime have written this key? */
static bool is_key(uint64_t key) {
    unsigned op = heddle_pack_op(key), size = key & HEDDLE_WIRE_SIZE;
    if (heddle_pack_is_access(op))
        return size <= 4 && !!(key & HEDDLE_WIRE_VALUE) == (size < 4) &&
               is_order(op, heddle_pack_order(key));
    switch (op) {
    case HEDDLE_WIRE_ALLOCATE:
    case HEDDLE_WIRE_READ_RANGE:
    case HEDDLE_WIRE_WRITE_RANGE:
    case HEDDLE_WIRE_NAME:
    case HEDDLE_WIRE_ORDER:
    case HEDDLE_WIRE_BENIGN:
    case HEDDLE_WIRE_IGNORE:
    case HEDDLE_WIRE_CHECKED:
        return (key & HEDDLE_WIRE_WORD) != 0;
    case HEDDLE_WIRE_FREE:
        return true;
    case HEDDLE_WIRE_ENTER:
    case HEDDLE_WIRE_LEAVE:
        return (key & 0xff) == 0;
    case HEDDLE_FENCE + 1:
        return (key & 0xff) < HEDDLE_ORDER_COUNT;
    default:
        return op >= 1 && op <= HEDDLE_KIND_COUNT;
    }
}

static bool take_site(hd_packed_unpack *unpack, unsigned which, heddle_pack_site **site) {
    heddle_pack *pack = &unpack->pack;
    uint64_t number, key;
    if (which == HEDDLE_PACK_NEW) {
        if (!take_bytes(unpack, 8, &key) || !is_key(key))
            return false;
        *site = heddle_pack_is_call(heddle_pack_op(key)) ? heddle_pack_define_call(pack, key)
                                                         : heddle_pack_define(pack, key);
        return true;
    }
    *site = which == HEDDLE_PACK_OTHER ? pack->last->other : pack->last->next;
    if (which == HEDDLE_PACK_KNOWN) {
        if (!take_varint(unpack, &number))
            return false;
        *site = &pack->sites[number < HEDDLE_PACK_SITES ? number : 0];
    }
    return (*site)->key != 0; /* else the site does not exist */
}

static bool take_address(hd_packed_unpack *unpack, heddle_pack_site *site, unsigned how,
                         uint64_t *address) {
    heddle_pack *pack = &unpack->pack;
    if (how == HEDDLE_PACK_GIVEN) {
        if (!take_varint(unpack, address))
            return false;
        *address = site->address + heddle_pack_unzigzag(*address);
        heddle_pack_learn(pack, site, *address);
    } else if (how >= HEDDLE_PACK_BY_BASE && how < HEDDLE_PACK_BY_BASE + 3) {
        heddle_pack_change(pack, site, how - HEDDLE_PACK_BY_BASE);
        *address = *site->base + site->step;
    } else
        return false;
    return true;
}

/* A value that is not expected. */
static bool take_value(hd_packed_unpack *unpack, heddle_pack_site *site, unsigned how, bool by_cell,
                       uint64_t *value) {
    heddle_pack *pack = &unpack->pack;
    uint64_t mask = heddle_pack_mask(site->key);
    if (how >= 1 && how <= 4) {
        uint64_t difference;
        if (!take_bytes(unpack, 1U << (how - 1), &difference))
            return false;
        *value = (site->value + heddle_pack_unzigzag(difference)) & mask;
    } else if (!by_cell && how >= HEDDLE_PACK_BY_VALUE_BASE &&
               how < HEDDLE_PACK_BY_VALUE_BASE + 2) {
        heddle_pack_change_value(pack, site, how - HEDDLE_PACK_BY_VALUE_BASE);
        *value = (*site->value_base + site->value_step) & mask;
    } else
        return false;
    heddle_pack_learn_value(pack, site, *value);
    return true;
}

/* The value of a plain write: in the item after it, if there is one, else the expected one. */
static bool take_written(hd_packed_unpack *unpack, heddle_pack_site *site, uint64_t *value) {
    *value = (*site->value_base + site->value_step) & heddle_pack_mask(site->key);
    const unsigned char *at = unpack->at, *end = unpack->end;
    /* A record that was written is followed by the length of the next run. */
    if (at >= end || (unpack->run_read ? unpack->run > 0 : *at != 0))
        return true;
    at += !unpack->run_read;
    if (at >= end || (*at & 0x1f) != (HEDDLE_PACK_WROTE | HEDDLE_PACK_CONTROL << 2))
        return true;
    unpack->at = at + 1;
    unpack->run_read = false;
    return take_value(unpack, site, *at >> 5, false, value);
}

/* The bytes of a range or a name. */
static bool take_tail(hd_packed_unpack *unpack, hd_packed_record *record, uint64_t length) {
    uint64_t most = record->op == HEDDLE_WIRE_NAME ? HEDDLE_WIRE_LABEL : HEDDLE_WIRE_RANGE;
    if (length > most || length > (size_t)(unpack->end - unpack->at))
        return false;
    record->bytes = unpack->at;
    unpack->at += length;
    return true;
}

/* An event of the site, with what the item's first byte says about its address and value. */
static inline bool take_event(hd_packed_unpack *unpack, heddle_pack_site *site, unsigned where,
                              unsigned what, hd_packed_record *record) {
    heddle_pack *pack = &unpack->pack;
    uint64_t key = site->key, address = *site->base + site->step, value = 0;
    unsigned op = heddle_pack_op(key);
    heddle_pack_came(pack, site);
    if (where && !take_address(unpack, site, where, &address))
        return false;
    heddle_pack_cell *cell = heddle_pack_entered(pack, key, address);
    bool by_cell = cell && heddle_pack_reads(op);
    bool deferred = op == HEDDLE_WRITE + 1, valued = heddle_pack_has_value(key);
    if (valued && !deferred) {
        value = by_cell ? heddle_pack_look(cell, key, address)
                        : (*site->value_base + site->value_step) & heddle_pack_mask(key);
        if (what && !take_value(unpack, site, what, by_cell, &value))
            return false;
        if (!by_cell || what)
            site->value = value;
    } else if (what)
        return false;
    site->address = pack->address = address;
    if (heddle_pack_reads(op))
        pack->value = value;
    if (valued && deferred) {
        if (!take_written(unpack, site, &value))
            return false;
        site->value = value;
    }
    if (cell)
        heddle_pack_put(cell, key, address, value);
    *record = (hd_packed_record){.thread = pack->thread,
                                 .op = (uint8_t)op,
                                 .silent = (key & HEDDLE_WIRE_SILENT) != 0,
                                 .has_value = (key & HEDDLE_WIRE_VALUE) != 0,
                                 .address = address,
                                 .code = key >> 16,
                                 .size = (uint64_t)1 << (key & HEDDLE_WIRE_SIZE),
                                 .value = value};
    if (heddle_pack_is_volatile(key))
        record->op = op == HEDDLE_READ + 1 ? HEDDLE_ATOMIC_READ + 1 : HEDDLE_ATOMIC_WRITE + 1;
    if (heddle_pack_is_access(op) || op == HEDDLE_FENCE + 1) {
        record->silent = false;
        record->order = (uint8_t)heddle_pack_order(key);
    }
    if (op > HEDDLE_KIND_COUNT)
        record->size = value;
    if ((is_range(op) || op == HEDDLE_WIRE_FREE) && value > HEDDLE_WIRE_ADDRESS)
        return false;
    return !heddle_pack_has_bytes(key) || take_tail(unpack, record, value);
}

/* A function begins or ends. */
static bool take_call(hd_packed_unpack *unpack, heddle_pack_site *site, hd_packed_record *record) {
    heddle_pack *pack = &unpack->pack;
    if (unpack->calls.length <= pack->thread)
        hd_vec_resize(&unpack->calls, pack->thread + 1);
    hd_vec_u32 *calls = &unpack->calls.data[pack->thread];
    unsigned op = heddle_pack_op(site->key);
    heddle_pack_came(pack, site);
    *record =
        (hd_packed_record){.thread = pack->thread, .op = (uint8_t)op, .code = site->key >> 16};
    if (op == HEDDLE_WIRE_ENTER) {
        if (unpack->depth++ == HEDDLE_WIRE_CALLS)
            return false;
        hd_vec_push(calls, heddle_pack_number(pack, site));
        return true;
    }
    if (!calls->length)
        return false;
    unpack->depth--;
    heddle_pack_return(pack, hd_vec_pop(calls));
    return true;
}

/* A record of the site. */
static inline bool take_record(hd_packed_unpack *unpack, heddle_pack_site *site, unsigned where,
                               unsigned what, hd_packed_record *record) {
    if (heddle_pack_is_call(heddle_pack_op(site->key)))
        return !where && !what && take_call(unpack, site, record);
    return take_event(unpack, site, where, what, record);
}

static bool take_switch(hd_packed_unpack *unpack, hd_packed_record *record) {
    uint64_t thread, steps;
    if (!take_varint(unpack, &thread) || !take_varint(unpack, &steps) ||
        thread >= HEDDLE_WIRE_THREADS)
        return false;
    heddle_pack_switch(&unpack->pack, (uint32_t)thread);
    *record =
        (hd_packed_record){.op = HEDDLE_WIRE_SWITCH, .thread = (uint32_t)thread, .size = steps};
    return true;
}

/* --- items ---------------------------------------------------------------------------------- */

/* The run before the next item; 0 at the end of the chunk, -1 if it is damaged. */
static int take_run(hd_packed_unpack *unpack) {
    unpack->run_read = true;
    if (unpack->at < unpack->end) {
        bool good = take_varint(unpack, &unpack->run) && unpack->run <= LONGEST_RUN &&
                    unpack->run >= unpack->ahead;
        unpack->run -= good ? unpack->ahead : 0;
        unpack->ahead = 0;
        return good ? 1 : -1;
    }
    if (unpack->last_run < unpack->ahead)
        return -1;
    unpack->run = unpack->last_run - unpack->ahead;
    unpack->run_read = unpack->run_is_rest = unpack->run > 0;
    return unpack->run_read;
}

static bool is_plain_write(uint64_t key) {
    return heddle_pack_op(key) == HEDDLE_WRITE + 1 && heddle_pack_has_value(key);
}

/* Is the item at `at` a plain write and the last that there is? */
static bool ends_in_write(const hd_packed_unpack *unpack) {
    hd_packed_unpack look = *unpack; /* only looks: sites are not changed */
    unsigned how = *look.at++, which = how & 3, where = how >> 2 & 7;
    const heddle_pack_site *last = look.pack.last;
    uint64_t key = (which == HEDDLE_PACK_OTHER ? last->other : last->next)->key, number, address;
    if (where == HEDDLE_PACK_CONTROL || unpack->last_run)
        return false;
    if (which == HEDDLE_PACK_NEW ? !take_bytes(&look, 8, &key)
                                 : which == HEDDLE_PACK_KNOWN && !take_varint(&look, &number))
        return false;
    if (which == HEDDLE_PACK_KNOWN)
        key = number < HEDDLE_PACK_SITES ? look.pack.sites[number].key : 0;
    if (where == HEDDLE_PACK_GIVEN && !take_varint(&look, &address))
        return false;
    return look.at == look.end && is_plain_write(key);
}

/* Is the next record a write whose value is not known yet? */
static bool must_wait(const hd_packed_unpack *unpack) {
    if (!unpack->open)
        return false;
    if (unpack->run)
        return unpack->run_is_rest && unpack->run == 1 &&
               is_plain_write(unpack->pack.last->next->key);
    return unpack->at < unpack->end && unpack->end - unpack->at <= HEDDLE_PACK_MOST &&
           ends_in_write(unpack);
}

int hd_packed_unpack_next(hd_packed_unpack *unpack, hd_packed_record *record) {
    heddle_pack_site *site;
    for (;;) {
        int more = unpack->run_read ? 1 : take_run(unpack);
        if (more <= 0)
            return more;
        if (must_wait(unpack))
            return 0;
        if (unpack->run) {
            unpack->run--;
            unpack->ahead += unpack->run_is_rest;
            if (!take_site(unpack, HEDDLE_PACK_NEXT, &site) || heddle_pack_has_bytes(site->key) ||
                !take_record(unpack, site, 0, 0, record))
                return -1;
            return 1;
        }
        unpack->run_read = false;
        if (unpack->at >= unpack->end)
            return 0;
        unsigned how = *unpack->at++, which = how & 3, where = how >> 2 & 7;
        if (where != HEDDLE_PACK_CONTROL)
            return take_site(unpack, which, &site) &&
                           take_record(unpack, site, where, how >> 5, record)
                       ? 1
                       : -1;
        if (which == HEDDLE_PACK_SWITCH)
            return take_switch(unpack, record) ? 1 : -1;
        if (which != HEDDLE_PACK_NOTHING)
            return -1;
    }
}

bool hd_packed_record_part(const hd_packed_record *record, uint64_t offset, uint64_t size,
                           int64_t *value) {
    if (!record->has_value || size > 8)
        return false;
    uint64_t bits = 0;
    if (record->bytes)
        memcpy(&bits, record->bytes + offset, size);
    else if (record->size <= 8)
        bits = record->value >> (8 * offset);
    else
        return false;
    unsigned unused = 64 - 8 * (unsigned)size;
    *value = (int64_t)(bits << unused) >> unused; /* as a signed number of that size */
    return true;
}
