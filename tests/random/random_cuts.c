/*
 * Granules that are cut while accesses come, against bytes: each byte knows which accesses
 * touched it.  An access is covered by granules; bytes that no border separates are in one; and
 * the accesses that a granule knows, its own and those that it inherited when it was cut off, are
 * those of each of its bytes.  Bytes that are forgotten are as if nothing had touched them.
 */
#include <stdio.h>
#include <string.h>

#include "recording/recording_split.h"
#include "support_random.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { BYTES = 160, ACCESSES = 40, GRANULES = 8 * ACCESSES };

/* Two stretches of memory, far from each other, one over a border of the tree. */
static uint64_t address_of(unsigned byte) {
    return byte < BYTES / 2 ? 0x7f0000000fd0 + byte : 0x10000040000 - 40 + byte - BYTES / 2;
}

typedef struct world {
    uint64_t touched[BYTES];  /* bit i: access i did */
    bool border[BYTES + 1];   /* before the byte */
    uint64_t known[GRANULES]; /* the same of granules */
    bool gone[GRANULES];      /* it was forgotten */
    bool twice;               /* one was forgotten twice */
    uint32_t granules;
} world;

static uint32_t number(void *context, uint64_t address, uint32_t whole) {
    world *w = context;
    (void)address;
    w->known[w->granules] = whole == HD_RECORDING_SPLIT_NONE ? 0 : w->known[whole];
    return w->granules++;
}

static bool access(world *w, hd_recording_split *cuts, unsigned i, unsigned first, unsigned size,
                   char *why, size_t why_size) {
    uint64_t from = address_of(first), end = from + size, to;
    bool known = false;
    for (unsigned b = first; b < first + size; b++)
        known |= w->touched[b] != 0;
    if (hd_recording_split_known(cuts, from, size) < known)
        return WRONG("access %u: bytes that were touched are not known", i);
    hd_recording_split_access(cuts, from, size);
    w->border[first] = w->border[first + size] = true;
    for (unsigned b = first; b < first + size; b++)
        w->touched[b] |= (uint64_t)1 << i;
    for (uint64_t at = from; at < end; at = to) {
        uint32_t granule = hd_recording_split_granule(cuts, at, &to);
        if (to <= at || to > end || granule >= w->granules || w->gone[granule])
            return WRONG("access %u: granules do not cover it", i);
        w->known[granule] |= (uint64_t)1 << i;
    }
    return true;
}

static bool compare(const world *w, hd_recording_split *cuts, char *why, size_t why_size) {
    for (unsigned b = 0; b < BYTES; b++) {
        if (!w->touched[b] || !w->border[b])
            continue;
        uint64_t end;
        uint32_t granule = hd_recording_split_granule(cuts, address_of(b), &end);
        unsigned last = b + 1;
        while (last < BYTES && last != BYTES / 2 && !w->border[last])
            last++;
        if (end != address_of(b) + (last - b))
            return WRONG("the granule of byte %u ends elsewhere", b);
        for (unsigned in = b; in < last; in++)
            if (w->known[granule] != w->touched[in])
                return WRONG("byte %u was touched by others than its granule", in);
    }
    return true;
}

static void gone(void *context, uint32_t granule) {
    world *w = context;
    w->twice |= granule >= w->granules || w->gone[granule];
    w->gone[granule] = true;
}

/* The granule that a byte is in begins at the last border.  One that begins there, or before and
 * reaches in, has no byte any more from there on. */
static bool forget(world *w, hd_recording_split *cuts, unsigned first, unsigned size, char *why,
                   size_t why_size) {
    unsigned half = first < BYTES / 2 ? 0 : BYTES / 2, end = first + size;
    bool reaches_in = first > half && w->touched[first - 1];
    bool dead[BYTES] = {false};
    for (unsigned b = first; b < half + BYTES / 2; b++) {
        unsigned start = b;
        while (start > half && !w->border[start])
            start--;
        dead[b] = start < end;
    }
    for (unsigned b = first; b < half + BYTES / 2; b++)
        if (dead[b])
            w->touched[b] = 0;
    for (unsigned b = first; b < end; b++)
        w->border[b] = false;
    w->border[first] = reaches_in;
    if (!w->touched[end])
        w->border[end] = false;
    hd_recording_split_forget(cuts, address_of(first), size, gone, w);
    if (w->twice)
        return WRONG("a granule is forgotten twice");
    for (unsigned b = first + reaches_in; b < end; b++) /* a border may be known */
        if (hd_recording_split_known(cuts, address_of(b), 1))
            return WRONG("byte %u is forgotten, and known", b);
    return true;
}

static bool cuts_are_bytes(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    world w = {0};
    hd_recording_split *cuts = hd_recording_split_create(number, &w);
    bool good = true, forgets = hd_random_below(random, 2);
    for (unsigned i = 0; i < ACCESSES && good; i++) {
        unsigned half = (unsigned)hd_random_below(random, 2) * (BYTES / 2);
        unsigned first = (unsigned)hd_random_below(random, BYTES / 2 - 1);
        unsigned most = BYTES / 2 - 1 - first;
        unsigned size = 1 + (unsigned)hd_random_below(random, most < 16 ? most : 16);
        good = access(&w, cuts, i, half + first, size, why, why_size) &&
               compare(&w, cuts, why, why_size);
        if (good && forgets && hd_random_below(random, 3) == 0) {
            half = (unsigned)hd_random_below(random, 2) * (BYTES / 2);
            first = (unsigned)hd_random_below(random, BYTES / 2 - 1);
            most = BYTES / 2 - 1 - first;
            size = 1 + (unsigned)hd_random_below(random, most < 32 ? most : 32);
            good = forget(&w, cuts, half + first, size, why, why_size) &&
                   compare(&w, cuts, why, why_size);
        }
    }
    hd_recording_split_free(cuts);
    return good;
}

SUPPORT_SUITE(random_cuts) {
    static const support_property properties[] = {
        {"granules are what bytes say",
         {.threads = 1, .events = 1, .locks = 1, .variables = 1, .features = SUPPORT_ALL},
         cuts_are_bytes},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
