/*
 * Packed records against the plain list of what was packed: the reader gives back every
 * record, whatever came as expected and whatever did not, cut into chunks anywhere; and
 * damaged bytes are refused or read as something else, never more than that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/pack.h"
#include "support_random.h"
#include "trace/trace.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

typedef HD_VEC(hd_packed_record) records;
typedef HD_VEC(unsigned char) bytes;

static unsigned char noise[HEDDLE_WIRE_RANGE];

/* --- what a program does -------------------------------------------------------------------- */

static uint64_t draw_value(hd_random *random, uint64_t before) {
    switch (hd_random_below(random, 4)) {
    case 0:
        return before;
    case 1:
        return before + 1;
    case 2:
        return hd_random_below(random, 1000);
    default:
        return hd_random_next(random);
    }
}

/* An event of a trace as a record: objects are places in memory, locations are code. */
static hd_packed_record draw(const heddle_event *event, hd_random *random, uint64_t *before) {
    hd_packed_record record = {.thread = event->thread,
                               .op = (uint8_t)(event->kind + 1),
                               .address = event->object,
                               .code = 0x400000 + event->location};
    if (event->kind == HEDDLE_FREE) {
        record.op = HEDDLE_WIRE_FREE;
        record.address = 0x10000 + 8 * (uint64_t)event->object;
        record.size = record.value = 1 + hd_random_below(random, 100);
    } else if (hd_trace_is_access(event)) {
        unsigned size = (unsigned)hd_random_below(random, 5);
        record.size = (uint64_t)1 << size;
        record.address = 0x10000 + 8 * (uint64_t)event->object;
        if (hd_random_chance(random, 200))
            record.address += hd_random_below(random, 8);
        record.has_value = size < 4;
        *before = draw_value(random, *before);
        record.value = size < 4 ? *before & (UINT64_MAX >> (64 - (8 << size))) : 0;
    } else if (hd_random_chance(random, 300)) {
        static const uint8_t ops[] = {HEDDLE_WIRE_ALLOCATE, HEDDLE_WIRE_FREE,
                                      HEDDLE_WIRE_READ_RANGE, HEDDLE_WIRE_WRITE_RANGE};
        record.op = ops[hd_random_below(random, sizeof ops)];
        bool range = record.op == HEDDLE_WIRE_READ_RANGE || record.op == HEDDLE_WIRE_WRITE_RANGE;
        if (range || record.op == HEDDLE_WIRE_ALLOCATE)
            record.size = record.value = 1 + hd_random_below(random, 100);
        record.has_value = range && record.size <= HEDDLE_WIRE_RANGE;
        record.bytes = record.has_value ? noise : NULL;
    }
    return record;
}

/* Functions begin and end between the events; where more end than began, fewer do. */
static records with_calls(const records *all, hd_random *random) {
    records with = {0};
    uint32_t depths[64] = {0};
    for (size_t i = 0; i < all->length; i++) {
        uint32_t thread = all->data[i].thread, *depth = &depths[thread % 64];
        while (hd_random_chance(random, 400)) {
            hd_packed_record call = {.thread = thread, .op = HEDDLE_WIRE_ENTER};
            call.code = 0x500000 + hd_random_below(random, 6);
            if (*depth && hd_random_chance(random, 500))
                call.op = HEDDLE_WIRE_LEAVE;
            *depth += call.op == HEDDLE_WIRE_ENTER ? 1U : UINT32_MAX;
            hd_vec_push(&with, call);
        }
        hd_vec_push(&with, all->data[i]);
    }
    return with;
}

/* Some stretches are done several times over, as loops do. */
static records draw_all(const hd_trace *trace, hd_random *random) {
    records all = {0};
    uint64_t before = 0;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        hd_vec_push(&all, draw(hd_trace_event(trace, n), random, &before));
    size_t length = all.length;
    for (int i = 0; i < 3 && length; i++) {
        size_t from = hd_random_below(random, length), to = from + hd_random_below(random, 20);
        for (size_t times = hd_random_below(random, 10); times-- > 0;)
            for (size_t j = from; j < to && j < length; j++) {
                hd_packed_record again = all.data[j];
                if (hd_random_chance(random, 500) && again.size == 8)
                    again.address += 8 * times;
                hd_vec_push(&all, again);
            }
    }
    records with = with_calls(&all, random);
    hd_vec_release(&all);
    return with;
}

/* --- packing, with the site found by looking at all ------------------------------------------ */

/* What there was at some moment. */
typedef struct moment {
    size_t length, chunks;
    uint64_t run;
} moment;

typedef struct packer {
    heddle_pack pack;
    bytes out;
    uint64_t run;
    hd_vec_u64 cuts; /* ends of chunks */
    HD_VEC(moment) moments;
    hd_vec_u32 calls[64];
} packer;

static void keep_moment(packer *p) {
    hd_vec_push(&p->moments, (moment){p->out.length, p->cuts.length, p->run});
}

static uint64_t key_of(const hd_packed_record *record) {
    unsigned flags = 0;
    if (heddle_pack_is_access(record->op))
        flags =
            (unsigned)__builtin_ctzll(record->size) | (record->has_value ? HEDDLE_WIRE_VALUE : 0);
    else if (record->op == HEDDLE_WIRE_ALLOCATE || (record->op == HEDDLE_WIRE_FREE && record->size))
        flags = HEDDLE_WIRE_WORD;
    else if (record->op == HEDDLE_WIRE_READ_RANGE || record->op == HEDDLE_WIRE_WRITE_RANGE)
        flags = HEDDLE_WIRE_WORD | (record->has_value ? HEDDLE_WIRE_VALUE : 0);
    return heddle_pack_key(record->op, flags, record->code);
}

static heddle_pack_site *find_site(heddle_pack *pack, uint64_t key) {
    for (uint32_t i = 1; i < pack->site_count; i++)
        if (pack->sites[i].key == key)
            return &pack->sites[i];
    return NULL;
}

static unsigned char *start_item(packer *p) {
    hd_vec_reserve(&p->out, p->out.length + 2 * HEDDLE_PACK_MOST + HEDDLE_WIRE_RANGE);
    return heddle_pack_varint(p->out.data + p->out.length, p->run);
}

static void end_item(packer *p, const unsigned char *end) {
    p->out.length = (size_t)(end - p->out.data);
    p->run = 0;
}

static void pack_call(packer *p, const hd_packed_record *record, uint64_t key) {
    hd_vec_u32 *calls = &p->calls[record->thread % 64];
    uint32_t number;
    unsigned char *at = start_item(p);
    unsigned char *end = heddle_pack_call(&p->pack, find_site(&p->pack, key), key, &number, at);
    if (end == at)
        p->run++;
    else
        end_item(p, end);
    if (record->op == HEDDLE_WIRE_ENTER)
        hd_vec_push(calls, number);
    else
        heddle_pack_return(&p->pack, hd_vec_pop(calls));
}

static void pack_record(packer *p, const hd_packed_record *record) {
    uint64_t key = key_of(record);
    if (record->thread != p->pack.thread)
        end_item(p, heddle_pack_turn(&p->pack, record->thread, 7, start_item(p)));
    if (heddle_pack_is_call(record->op)) {
        pack_call(p, record, key);
        return;
    }
    unsigned char *at = start_item(p);
    heddle_pack_cell *cell = heddle_pack_entered(&p->pack, key, record->address);
    unsigned char *end = heddle_pack_event(&p->pack, find_site(&p->pack, key), key, cell,
                                           record->address, record->value, at);
    if (end == at)
        p->run++;
    else {
        if (record->bytes) {
            memcpy(end, record->bytes, record->size);
            end += record->size;
        }
        end_item(p, end);
    }
    keep_moment(p);
    if (record->op == HEDDLE_WRITE + 1 && record->has_value) {
        at = start_item(p);
        end = heddle_pack_wrote(&p->pack, p->pack.last, key, cell, record->value, at);
        if (end != at)
            end_item(p, end);
    }
}

static void cut(packer *p) {
    unsigned char *at = start_item(p);
    *at++ = HEDDLE_PACK_NOTHING | HEDDLE_PACK_CONTROL << 2;
    end_item(p, at);
    hd_vec_push(&p->cuts, p->out.length);
    keep_moment(p);
}

static void pack_all(packer *p, const records *all, hd_random *random) {
    *p = (packer){0};
    p->pack.sites = HD_NEW_ARRAY(heddle_pack_site, HEDDLE_PACK_SITES);
    p->pack.cells = HD_NEW_ARRAY(heddle_pack_cell, HEDDLE_PACK_CELLS);
    p->pack.threads = HD_NEW_ARRAY(uint32_t, HEDDLE_WIRE_THREADS);
    heddle_pack_start(&p->pack);
    for (size_t i = 0; i < all->length; i++) {
        pack_record(p, &all->data[i]);
        if (hd_random_chance(random, 20))
            cut(p);
    }
}

static void release(packer *p) {
    free(p->pack.sites);
    free(p->pack.cells);
    free(p->pack.threads);
    hd_vec_release(&p->out);
    hd_vec_release(&p->cuts);
    hd_vec_release(&p->moments);
    for (int i = 0; i < 64; i++)
        hd_vec_release(&p->calls[i]);
}

/* --- the properties ------------------------------------------------------------------------- */

/* The next record that is no switch, over the chunks. */
static int next(hd_packed_unpack *unpack, const packer *p, size_t *chunk,
                hd_packed_record *record) {
    for (;;) {
        int more = hd_packed_unpack_next(unpack, record);
        if (more > 0 && record->op == HEDDLE_WIRE_SWITCH)
            continue;
        if (more || *chunk > p->cuts.length)
            return more;
        size_t from = *chunk ? p->cuts.data[*chunk - 1] : 0;
        bool last = *chunk == p->cuts.length;
        size_t to = last ? p->out.length : p->cuts.data[*chunk];
        hd_packed_unpack_chunk(unpack, p->out.data + from, to - from, last ? p->run : 0);
        ++*chunk;
    }
}

static bool same(const hd_packed_record *a, const hd_packed_record *b) {
    bool sized = heddle_pack_is_access(a->op) || a->size;
    return a->thread == b->thread && a->op == b->op && a->address == b->address &&
           a->code == b->code && a->has_value == b->has_value && (!sized || a->size == b->size) &&
           (!a->has_value || a->bytes || a->value == b->value) &&
           (!a->bytes || (b->bytes && memcmp(a->bytes, b->bytes, a->size) == 0));
}

static bool round_trip(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)(i * 37);
    records all = draw_all(trace, random);
    packer p;
    pack_all(&p, &all, random);
    hd_packed_unpack *unpack = hd_packed_unpack_create();
    hd_packed_unpack_chunk(unpack, "", 0, 0);
    size_t chunk = 0, i = 0;
    hd_packed_record record;
    int more;
    bool good = true;
    while (good && (more = next(unpack, &p, &chunk, &record)) > 0) {
        good = i < all.length && same(&all.data[i], &record);
        i += good;
    }
    good = good && more == 0 && i == all.length;
    hd_packed_unpack_free(unpack);
    release(&p);
    size_t length = all.length;
    hd_vec_release(&all);
    return good || WRONG("record %zu of %zu is another", i, length);
}

/* A reader that looks now and then while the record grows. */
typedef struct follower {
    hd_packed_unpack *unpack;
    const packer *p;
    const records *all;
    size_t chunk, done;
    bool open;
} follower;

static bool follow(follower *f, const moment *now, bool last) {
    for (;;) {
        bool whole = f->chunk < now->chunks;
        size_t from = f->chunk ? f->p->cuts.data[f->chunk - 1] : 0;
        size_t to = whole ? f->p->cuts.data[f->chunk] : now->length;
        if (!f->open)
            hd_packed_unpack_open(f->unpack, f->p->out.data + from);
        f->open = true;
        hd_packed_unpack_grown(f->unpack, to - from, whole ? 0 : now->run, whole || last);
        hd_packed_record record;
        int more;
        while ((more = hd_packed_unpack_next(f->unpack, &record)) > 0) {
            if (record.op == HEDDLE_WIRE_SWITCH)
                continue;
            if (f->done == f->all->length || !same(&f->all->data[f->done], &record))
                return false;
            f->done++;
        }
        if (more < 0)
            return false;
        if (!whole)
            return true;
        f->open = false;
        f->chunk++;
    }
}

static bool grows(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    records all = draw_all(trace, random);
    packer p;
    pack_all(&p, &all, random);
    keep_moment(&p);
    follower f = {.unpack = hd_packed_unpack_create(), .p = &p, .all = &all};
    bool good = true;
    unsigned often = 1 + (unsigned)hd_random_below(random, 1000);
    for (size_t i = 0; i < p.moments.length && good; i++) {
        bool last = i + 1 == p.moments.length;
        if (last || hd_random_chance(random, often))
            good = follow(&f, &p.moments.data[i], last);
    }
    good = good && f.done == all.length;
    hd_packed_unpack_free(f.unpack);
    release(&p);
    size_t length = all.length;
    hd_vec_release(&all);
    return good || WRONG("record %zu of %zu is another", f.done, length);
}

static bool damage(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    records all = draw_all(trace, random);
    packer p;
    pack_all(&p, &all, random);
    for (int i = 0; i < 4 && p.out.length; i++)
        p.out.data[hd_random_below(random, p.out.length)] ^=
            (unsigned char)(1 << hd_random_below(random, 8));
    hd_packed_unpack *unpack = hd_packed_unpack_create();
    hd_packed_unpack_chunk(unpack, "", 0, 0);
    size_t chunk = 0, count = 0;
    hd_packed_record record;
    while (count < 100000 && next(unpack, &p, &chunk, &record) > 0)
        count += record.op != 0;
    hd_packed_unpack_free(unpack);
    release(&p);
    hd_vec_release(&all);
    return record.op <= HEDDLE_WIRE_LEAVE || WRONG("there is no operation %u", record.op);
}

#define SMALL                                                                                      \
    { .threads = 4, .events = 60, .locks = 3, .variables = 6, .features = SUPPORT_ALL }

SUPPORT_SUITE(random_pack) {
    static const support_property properties[] = {
        {"packed records come back", SMALL, round_trip},
        {"and while they are written", SMALL, grows},
        {"damaged bytes are refused or harmless", SMALL, damage},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
