/*
 * How the record of a controlled run is packed, for the runtime that writes it and the tool that
 * reads it.  Both keep the same state and predict the same next event; an event that comes as
 * expected takes no byte.  doc/format.md describes the bytes.
 *
 * What is expected:
 *
 *   which     events come from *sites*: a call in the program and what it records.
 *             After a site comes the one that came after it the last time.
 *   where     a site's next address is a base and a step: its last address and a
 *             stride; the address of the event before, and a distance (members of a
 *             structure); the value last read, and a distance (what a pointer points
 *             to).  A site changes to another base when that has shown itself right.
 *   what      a read finds what was last seen there: *cells* are a cache of memory,
 *             by words of 8 bytes.  Any other value is a base and a step again: the
 *             site's last value, or the value last read.
 *
 * Begins and ends of functions have sites too, without an address and a value. After the end of a
 * function comes what came there the last time that it was called from the same place: a site that
 * stands for the return is last then.
 *
 * After value-prediction-based trace compression (Burtscher, VPC3, SIGMETRICS 2004),
 * with predictors for these records.
 */
#ifndef HEDDLE_PACK_H
#define HEDDLE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the operation and the size of a key are known, most of what follows is, too. */
#define HEDDLE_PACK_INLINE static inline __attribute__((always_inline))

enum {
    HEDDLE_PACK_SITES =
        1 << 16, /* site 0 is not used; sites beyond the limit share the last number */
    HEDDLE_PACK_CELLS = 1 << 20,
    HEDDLE_PACK_MOST = 64 /* bytes of an item, except the bytes of a range or a name */
};

/* The byte that says how an event differs from the expected one. */
enum {
    /* bits 0 and 1: the site */
    HEDDLE_PACK_NEXT = 0,  /* as expected */
    HEDDLE_PACK_OTHER = 1, /* the one that used to come before the expected one did */
    HEDDLE_PACK_KNOWN = 2, /* varint: its number */
    HEDDLE_PACK_NEW = 3,   /* 8 bytes: its key; it gets the next number */
    /* bits 2 to 4: the address */
    HEDDLE_PACK_EXPECTED = 0,
    HEDDLE_PACK_BY_BASE = 1, /* and 2, 3: by another base, from now on */
    HEDDLE_PACK_GIVEN = 4,   /* zigzag varint: from the site's last address */
    HEDDLE_PACK_CONTROL = 7, /* no event: bits 0 and 1 say what */
    /* bits 5 to 7: the value: 0 expected; 1 to 4: 1, 2, 4, 8 bytes, zigzag, from the site's
     * last value; 5, 6: by another base, from now on */
    HEDDLE_PACK_BY_VALUE_BASE = 5
};

enum {
    HEDDLE_PACK_SWITCH = 0, /* varint thread, varint steps of the one before */
    HEDDLE_PACK_WROTE = 1,  /* the value of the write before: as bits 5 to 7 say */
    HEDDLE_PACK_NOTHING = 2
};

typedef struct heddle_pack_site {
    uint64_t key;            /* code << 16 | op << 8 | flags and size */
    uint64_t address, value; /* of its last event; of a read: the last that was given */
    const uint64_t *base;    /* the next address is expected at *base + step */
    uint64_t step;
    const uint64_t *value_base; /* likewise */
    uint64_t value_step;
    struct heddle_pack_site *next,
        *other;        /* that came after it, recently and before; site 0: none */
    uint64_t steps[3]; /* of each base, when an address was last not as expected */
    uint64_t value_steps[2];
    uint64_t which; /* which of the bases it uses now */
} heddle_pack_site;

typedef struct heddle_pack_cell {
    uint64_t tag; /* address of the word << 16 | what the writer keeps there */
    uint64_t value;
} heddle_pack_cell;

typedef struct heddle_pack {
    heddle_pack_site *last;
    uint64_t address; /* of the event before */
    uint64_t value;   /* last read */
    heddle_pack_site *sites;
    heddle_pack_cell *cells;
    uint32_t *threads; /* the last site of each thread */
    uint32_t thread;
    uint32_t site_count;
} heddle_pack;

static inline unsigned heddle_pack_op(uint64_t key) {
    return key >> 8 & 0xff;
}

static inline uint64_t heddle_pack_key(unsigned op, unsigned flags, uint64_t code) {
    return code << 16 | (uint64_t)op << 8 | flags;
}

/* Bits of the value of an access. */
static inline uint64_t heddle_pack_mask(uint64_t key) {
    unsigned op = heddle_pack_op(key), size = key & HEDDLE_WIRE_SIZE;
    return op <= HEDDLE_ATOMIC_RMW + 1 && size < 3 ? ((uint64_t)1 << (8 << size)) - 1 : UINT64_MAX;
}

static inline bool heddle_pack_is_access(unsigned op) {
    return op >= HEDDLE_READ + 1 && op <= HEDDLE_ATOMIC_RMW + 1;
}

static inline bool heddle_pack_is_atomic(unsigned op) {
    return op >= HEDDLE_ATOMIC_READ + 1 && op <= HEDDLE_ATOMIC_RMW + 1;
}

/* The memory order of an atomic access, or of a fence. */
static inline unsigned heddle_pack_order(uint64_t key) {
    return heddle_pack_is_access(heddle_pack_op(key))
               ? (unsigned)(key & HEDDLE_WIRE_MEMORY) >> HEDDLE_WIRE_MEMORY_SHIFT
               : (unsigned)(key & HEDDLE_WIRE_SIZE);
}

/* Is it a plain access that counts as atomic?  Its record is that of a plain one: the program does
 * the access itself, after the record is made. */
static inline bool heddle_pack_is_volatile(uint64_t key) {
    unsigned op = heddle_pack_op(key);
    return (op == HEDDLE_READ + 1 || op == HEDDLE_WRITE + 1) && (key & HEDDLE_WIRE_MEMORY);
}

/* Do its events have a value, or a word, of their own?  That of a plain write follows it. */
static inline bool heddle_pack_has_value(uint64_t key) {
    unsigned op = heddle_pack_op(key);
    if (heddle_pack_is_access(op))
        return (key & HEDDLE_WIRE_VALUE) != 0;
    return (key & HEDDLE_WIRE_WORD) != 0;
}

/* Where a function begins or ends. */
static inline bool heddle_pack_is_call(unsigned op) {
    return op == HEDDLE_WIRE_ENTER || op == HEDDLE_WIRE_LEAVE;
}

static inline bool heddle_pack_reads(unsigned op) {
    return op == HEDDLE_READ + 1 || op == HEDDLE_ATOMIC_READ + 1;
}

/* Do bytes follow, as many as the value says?  Such an event is never left out. */
static inline bool heddle_pack_has_bytes(uint64_t key) {
    unsigned op = heddle_pack_op(key);
    return op == HEDDLE_WIRE_NAME ||
           ((op == HEDDLE_WIRE_READ_RANGE || op == HEDDLE_WIRE_WRITE_RANGE) &&
            (key & HEDDLE_WIRE_VALUE) != 0);
}

/* Is the access inside one word, so that a cell has it? */
static inline bool heddle_pack_in_cell(uint64_t key, uint64_t address) {
    return heddle_pack_is_access(heddle_pack_op(key)) && (key & HEDDLE_WIRE_VALUE) &&
           (address & 7) + ((uint64_t)1 << (key & HEDDLE_WIRE_SIZE)) <= 8;
}

/* Neighbours stay neighbours, in order; addresses a power of two apart do not collide. */
static inline heddle_pack_cell *heddle_pack_cell_of(const heddle_pack *pack, uint64_t address) {
    /* Both are 16 times what they are, as many bytes as a cell has. */
    uint32_t region = (uint32_t)(address >> 19) * (0x9e3779b1U << 4) & ~(uint32_t)0x3fff;
    uint32_t offset = ((uint32_t)(address * 2) ^ region) & (HEDDLE_PACK_CELLS - 1) << 4;
    return (heddle_pack_cell *)((char *)pack->cells + offset);
}

/* If the cell holds another word, all bytes of this one count as zero. */
static inline void heddle_pack_enter(heddle_pack_cell *cell, uint64_t address) {
    if ((cell->tag ^ address << 16) >> 19) {
        cell->tag = (address & ~(uint64_t)7) << 16;
        cell->value = 0;
    }
}

/* The cell of an access, where the word is entered; NULL: it is not inside one word. */
static inline heddle_pack_cell *heddle_pack_entered(const heddle_pack *pack, uint64_t key,
                                                    uint64_t address) {
    if (!heddle_pack_in_cell(key, address))
        return NULL;
    heddle_pack_cell *cell = heddle_pack_cell_of(pack, address);
    heddle_pack_enter(cell, address);
    return cell;
}

/* What the cell says is at the address, or puts it there. */
static inline uint64_t heddle_pack_look(const heddle_pack_cell *cell, uint64_t key,
                                        uint64_t address) {
    return cell->value >> 8 * (address & 7) & heddle_pack_mask(key);
}

static inline void heddle_pack_put(heddle_pack_cell *cell, uint64_t key, uint64_t address,
                                   uint64_t value) {
    uint64_t mask = heddle_pack_mask(key);
    if (mask != UINT64_MAX) {
        mask <<= 8 * (address & 7);
        value = (cell->value & ~mask) | (value << 8 * (address & 7) & mask);
    }
    cell->value = value;
}

/* --- sites ---------------------------------------------------------------------------------- */

static inline uint32_t heddle_pack_number(const heddle_pack *pack, const heddle_pack_site *site) {
    return (uint32_t)(site - pack->sites);
}

/* A new site. */
static inline heddle_pack_site *heddle_pack_define(heddle_pack *pack, uint64_t key) {
    uint32_t number = pack->site_count;
    if (number < HEDDLE_PACK_SITES - 1)
        pack->site_count++;
    heddle_pack_site *site = &pack->sites[number];
    site->key = key;
    site->address = site->value = site->step = site->value_step = 0;
    site->next = site->other = pack->sites;
    site->which = 0;
    site->steps[0] = site->steps[1] = site->steps[2] = 0;
    site->value_steps[0] = site->value_steps[1] = 0;
    site->base = &site->address;
    site->value_base = &site->value;
    return site;
}

/* The site of a function's begin, and the one that stands for the return from there. */
static inline heddle_pack_site *heddle_pack_define_call(heddle_pack *pack, uint64_t key) {
    heddle_pack_site *site = heddle_pack_define(pack, key);
    if (heddle_pack_op(key) == HEDDLE_WIRE_ENTER &&
        heddle_pack_number(pack, site) < HEDDLE_PACK_SITES - 1)
        heddle_pack_define(pack, 0);
    return site;
}

/* The site is the one that came after the last. */
static inline void heddle_pack_came(heddle_pack *pack, heddle_pack_site *site) {
    if (pack->last->next != site) {
        pack->last->other = pack->last->next;
        pack->last->next = site;
    }
    pack->last = site;
}

static inline void heddle_pack_start(heddle_pack *pack) {
    pack->site_count = 0;
    pack->last = heddle_pack_define(pack, 0);
    pack->address = pack->value = 0;
    pack->thread = 0;
}

static inline void heddle_pack_switch(heddle_pack *pack, uint32_t thread) {
    pack->threads[pack->thread] = heddle_pack_number(pack, pack->last);
    pack->thread = thread;
    pack->last = &pack->sites[pack->threads[thread]];
}

/* --- bases ---------------------------------------------------------------------------------- */

static inline const uint64_t *heddle_pack_base(const heddle_pack *pack,
                                               const heddle_pack_site *site, unsigned which) {
    return which == 0 ? &site->address : which == 1 ? &pack->address : &pack->value;
}

static inline const uint64_t *heddle_pack_value_base(const heddle_pack *pack,
                                                     const heddle_pack_site *site, unsigned which) {
    return which == 0 ? &site->value : &pack->value;
}

/* From now on by this base; the step that was not right is kept for its base, as many
 * addresses go back and forth between two. */
static inline void heddle_pack_change(heddle_pack *pack, heddle_pack_site *site, unsigned which) {
    uint64_t step = site->steps[which];
    site->steps[site->which] = site->step;
    site->which = which;
    site->base = heddle_pack_base(pack, site, which);
    site->step = step;
}

static inline void heddle_pack_change_value(heddle_pack *pack, heddle_pack_site *site,
                                            unsigned which) {
    site->value_base = heddle_pack_value_base(pack, site, which);
    site->value_step = site->value_steps[which];
}

/* The steps that would have been right: after an address that no base has, or a value that
 * was not expected. */
static inline void heddle_pack_learn(heddle_pack *pack, heddle_pack_site *site, uint64_t address) {
    site->steps[0] = address - site->address;
    site->steps[1] = address - pack->address;
    site->steps[2] = address - pack->value;
}

static inline void heddle_pack_learn_value(heddle_pack *pack, heddle_pack_site *site,
                                           uint64_t value) {
    site->value_steps[0] = value - site->value;
    site->value_steps[1] = value - pack->value;
}

static inline uint64_t heddle_pack_zigzag(uint64_t value) {
    return value << 1 ^ (value >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t heddle_pack_unzigzag(uint64_t value) {
    return value >> 1 ^ (0 - (value & 1));
}

/* --- writing -------------------------------------------------------------------------------- */

/* Little-endian; up to 7 bytes after it are overwritten. */
static inline unsigned char *heddle_pack_bytes(unsigned char *to, uint64_t value, unsigned count) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    __builtin_memcpy(to, &value, sizeof value);
    return to + count;
}

/* Seven bits a byte, the lowest first, each but the last with its highest bit set; up to 7 bytes
 * after it are overwritten.  The length is unpredictable for the branch predictor, so up to four
 * bytes are made at once. */
static inline unsigned char *heddle_pack_varint(unsigned char *to, uint64_t value) {
    if (value < 0x80) {
        *to = (unsigned char)value;
        return to + 1;
    }
    if (value < (uint64_t)1 << 28) {
        unsigned more = (31 - (unsigned)__builtin_clz((unsigned)value)) / 7;
        uint64_t spread = (value & 0x7f) | (value & 0x3f80) << 1 | (value & 0x1fc000) << 2 |
                          (value & 0xfe00000) << 3;
        return heddle_pack_bytes(to, spread | (0x80808080 & ((1U << 8 * more) - 1)), more + 1);
    }
    for (; value >= 0x80; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    return to;
}

/* The difference as a number of that size, with its sign in the lowest bit. */
static inline uint64_t heddle_pack_difference(uint64_t key, uint64_t value, uint64_t from) {
    unsigned unused = (unsigned)__builtin_clzll(heddle_pack_mask(key));
    return heddle_pack_zigzag((uint64_t)((int64_t)((value - from) << unused) >> unused));
}

/* A value that is not expected: its bits of the first byte. */
HEDDLE_PACK_INLINE unsigned heddle_pack_put_value(heddle_pack *pack, heddle_pack_site *site,
                                                  uint64_t key, uint64_t value, bool by_cell,
                                                  unsigned char **at) {
    uint64_t mask = heddle_pack_mask(key);
    unsigned how = 0;
    for (unsigned i = 0; i < 2 && !by_cell && !how; i++)
        if (((*heddle_pack_value_base(pack, site, i) + site->value_steps[i]) & mask) == value) {
            how = HEDDLE_PACK_BY_VALUE_BASE + i;
            heddle_pack_change_value(pack, site, i);
        }
    if (!how) {
        uint64_t difference = heddle_pack_difference(key, value, site->value);
        how = 1U + (difference >> 8 != 0) + (difference >> 16 != 0) + (difference >> 32 != 0);
        *at = heddle_pack_bytes(*at, difference, 1U << (how - 1));
    }
    heddle_pack_learn_value(pack, site, value);
    return how;
}

/* The base by which the address would have been right, 3 if none exists. */
HEDDLE_PACK_INLINE unsigned heddle_pack_right_base(const heddle_pack *pack,
                                                   const heddle_pack_site *site, uint64_t address) {
    unsigned right = 1U << 3; /* a bit for each; a branch would be unpredictable */
    for (unsigned i = 0; i < 3; i++)
        right |= (unsigned)(*heddle_pack_base(pack, site, i) + site->steps[i] == address) << i;
    return (unsigned)__builtin_ctz(right);
}

HEDDLE_PACK_INLINE unsigned heddle_pack_put_address(heddle_pack *pack, heddle_pack_site *site,
                                                    uint64_t address, unsigned char **at) {
    unsigned which = heddle_pack_right_base(pack, site, address);
    if (which < 3) {
        heddle_pack_change(pack, site, which);
        return HEDDLE_PACK_BY_BASE + which;
    }
    *at = heddle_pack_varint(*at, heddle_pack_zigzag(address - site->address));
    heddle_pack_learn(pack, site, address);
    return HEDDLE_PACK_GIVEN;
}

/* An event of a site, NULL if it has none yet, with its cell (heddle_pack_entered); an event with
 * bytes must be followed by them.  Returns the end of the item, which is `to` if all was as
 * expected and no byte is needed. */
HEDDLE_PACK_INLINE unsigned char *heddle_pack_event(heddle_pack *pack, heddle_pack_site *site,
                                                    uint64_t key, heddle_pack_cell *cell,
                                                    uint64_t address, uint64_t value,
                                                    unsigned char *to) {
    unsigned char *at = to + 1;
    unsigned which = HEDDLE_PACK_NEXT, where = 0, what = 0;
    if (!site) {
        which = HEDDLE_PACK_NEW;
        at = heddle_pack_bytes(at, key, 8);
        site = heddle_pack_define(pack, key);
    } else if (site != pack->last->next) {
        which = site == pack->last->other ? HEDDLE_PACK_OTHER : HEDDLE_PACK_KNOWN;
        if (which == HEDDLE_PACK_KNOWN)
            at = heddle_pack_varint(at, heddle_pack_number(pack, site));
    }
    heddle_pack_came(pack, site);
    if (*site->base + site->step != address)
        where = heddle_pack_put_address(pack, site, address, &at);
    unsigned op = heddle_pack_op(key);
    bool by_cell = cell && heddle_pack_reads(op);
    if (heddle_pack_has_value(key) && op != HEDDLE_WRITE + 1) {
        uint64_t expected = by_cell
                                ? heddle_pack_look(cell, key, address)
                                : (*site->value_base + site->value_step) & heddle_pack_mask(key);
        if (value != expected)
            what = heddle_pack_put_value(pack, site, key, value, by_cell, &at);
        if (!by_cell || what) {
            site->value = value;
            if (cell)
                heddle_pack_put(cell, key, address, value);
        }
    }
    site->address = pack->address = address;
    if (heddle_pack_reads(op))
        pack->value = value;
    if (!(which | where | what) && !heddle_pack_has_bytes(key))
        return to;
    *to = (unsigned char)(which | where << 2 | what << 5);
    return at;
}

/* A function that was entered from `from` has ended. */
static inline void heddle_pack_return(heddle_pack *pack, uint32_t from) {
    if (from && from + 1 < HEDDLE_PACK_SITES)
        pack->last = &pack->sites[from + 1];
}

/* A function begins or ends: like an event of a site that has neither address nor value.
 * Returns likewise; *number is the site's. */
static inline unsigned char *heddle_pack_call(heddle_pack *pack, heddle_pack_site *site,
                                              uint64_t key, uint32_t *number, unsigned char *to) {
    unsigned char *at = to + 1;
    unsigned which = HEDDLE_PACK_NEXT;
    if (!site) {
        which = HEDDLE_PACK_NEW;
        at = heddle_pack_bytes(at, key, 8);
        site = heddle_pack_define_call(pack, key);
    } else if (site != pack->last->next) {
        which = site == pack->last->other ? HEDDLE_PACK_OTHER : HEDDLE_PACK_KNOWN;
        if (which == HEDDLE_PACK_KNOWN)
            at = heddle_pack_varint(at, heddle_pack_number(pack, site));
    }
    heddle_pack_came(pack, site);
    *number = heddle_pack_number(pack, site);
    *to = (unsigned char)which;
    return which == HEDDLE_PACK_NEXT ? to : at;
}

/* The value of the write that came last; its key, and its cell if it is in one word. */
HEDDLE_PACK_INLINE unsigned char *heddle_pack_wrote(heddle_pack *pack, heddle_pack_site *site,
                                                    uint64_t key, heddle_pack_cell *cell,
                                                    uint64_t value, unsigned char *to) {
    unsigned char *at = to + 1;
    uint64_t expected = (*site->value_base + site->value_step) & heddle_pack_mask(key);
    if (value != expected) {
        unsigned what = heddle_pack_put_value(pack, site, key, value, false, &at);
        *to = (unsigned char)(HEDDLE_PACK_WROTE | HEDDLE_PACK_CONTROL << 2 | what << 5);
    } else
        at = to;
    if (cell)
        heddle_pack_put(cell, key, site->address, value);
    site->value = value;
    return at;
}

static inline unsigned char *heddle_pack_turn(heddle_pack *pack, uint32_t thread, uint64_t steps,
                                              unsigned char *to) {
    *to++ = HEDDLE_PACK_CONTROL << 2; /* and HEDDLE_PACK_SWITCH, which is 0 */
    heddle_pack_switch(pack, thread);
    return heddle_pack_varint(heddle_pack_varint(to, thread), steps);
}

#ifdef __cplusplus
}
#endif
#endif
