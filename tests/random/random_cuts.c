/*
 * Granules that are cut while accesses come, against bytes: each byte knows which accesses
 * touched it.  An access is covered by granules; bytes that no border separates are in one; and
 * the accesses that a granule knows, its own and those that it inherited when it was cut off, are
 * those of each of its bytes.
 */
#include <stdio.h>
#include <string.h>

#include "recording/recording_split.h"
#include "support_random.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { BYTES = 160, ACCESSES = 40, GRANULES = 4 * ACCESSES };

/* Two stretches of memory, far from each other, one over a border of the tree. */
static uint64_t address_of(unsigned byte) {
    return byte < BYTES / 2 ? 0x7f0000000fd0 + byte : 0x10000040000 - 40 + byte - BYTES / 2;
}

typedef struct world {
    uint64_t touched[BYTES];  /* bit i: access i did */
    bool border[BYTES + 1];   /* before the byte */
    uint64_t known[GRANULES]; /* the same of granules */
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
        if (to <= at || to > end || granule >= w->granules)
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

static bool cuts_are_bytes(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    world w = {0};
    hd_recording_split *cuts = hd_recording_split_create(number, &w);
    bool good = true;
    for (unsigned i = 0; i < ACCESSES && good; i++) {
        unsigned half = (unsigned)hd_random_below(random, 2) * (BYTES / 2);
        unsigned first = (unsigned)hd_random_below(random, BYTES / 2 - 1);
        unsigned most = BYTES / 2 - 1 - first;
        unsigned size = 1 + (unsigned)hd_random_below(random, most < 16 ? most : 16);
        good = access(&w, cuts, i, half + first, size, why, why_size) &&
               compare(&w, cuts, why, why_size);
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
