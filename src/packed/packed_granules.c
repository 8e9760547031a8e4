#include "packed_granules.h"

#include <stdlib.h>
#include <string.h>

/* The borders in 4096 bytes of memory: a bit for each byte that has a border before it, and the
 * number of borders before each word of bits, so that a border is numbered by one population
 * count. */
enum { PAGE = HD_PACKED_PAGE, WORDS = HD_PACKED_PAGE_WORDS, CACHE = 4096 };

typedef struct page {
    uint64_t number; /* address / PAGE */
    uint64_t bits[WORDS];
    uint16_t before[WORDS];
    uint32_t first; /* number of its first border */
} page;

struct hd_packed_granules {
    HD_VEC(page *) pages; /* by address once they are numbered */
    hd_map page_places;   /* number -> place in pages + 1 */
    uint32_t borders;
    page *cache[CACHE];
};

hd_packed_granules *hd_packed_granules_create(void) {
    return HD_NEW(hd_packed_granules);
}

void hd_packed_granules_free(hd_packed_granules *granules) {
    if (!granules)
        return;
    for (size_t i = 0; i < granules->pages.length; i++)
        free(granules->pages.data[i]);
    hd_vec_release(&granules->pages);
    hd_map_release(&granules->page_places);
    free(granules);
}

static page *slow_page(hd_packed_granules *granules, uint64_t number, bool make) {
    bool added = false;
    uint32_t *place = make ? hd_map_at(&granules->page_places, number, &added)
                           : hd_map_find(&granules->page_places, number);
    if (!place)
        return NULL;
    if (added) {
        page *it = HD_NEW(page);
        it->number = number;
        hd_vec_push(&granules->pages, it);
        *place = (uint32_t)granules->pages.length;
    }
    page *it = granules->pages.data[*place - 1];
    granules->cache[number % CACHE] = it;
    return it;
}

static inline page *page_of(hd_packed_granules *granules, uint64_t address, bool make) {
    uint64_t number = address / PAGE;
    page *it = granules->cache[number % CACHE];
    return it && it->number == number ? it : slow_page(granules, number, make);
}

void hd_packed_granules_add(hd_packed_granules *granules, uint64_t address) {
    page_of(granules, address, true)->bits[address % PAGE / 64] |= (uint64_t)1 << address % 64;
}

void hd_packed_granules_add_page(hd_packed_granules *granules, uint64_t number,
                                 const uint64_t bits[WORDS]) {
    page *it = page_of(granules, number * PAGE, true);
    for (int i = 0; i < WORDS; i++)
        it->bits[i] |= bits[i];
}

static int compare_pages(const void *a, const void *b) {
    const page *x = *(page *const *)a, *y = *(page *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

void hd_packed_granules_number(hd_packed_granules *granules) {
    if (granules->pages.length)
        qsort(granules->pages.data, granules->pages.length, sizeof *granules->pages.data,
              compare_pages);
    for (size_t i = 0; i < granules->pages.length; i++) {
        page *it = granules->pages.data[i];
        *hd_map_at(&granules->page_places, it->number, NULL) = (uint32_t)i + 1;
        it->first = granules->borders;
        uint32_t count = 0;
        for (int word = 0; word < WORDS; word++) {
            it->before[word] = (uint16_t)count;
            count += (uint32_t)__builtin_popcountll(it->bits[word]);
        }
        granules->borders += count;
    }
}

uint32_t hd_packed_granule(hd_packed_granules *granules, uint64_t address) {
    const page *it = page_of(granules, address, false);
    if (!it)
        return 0;
    unsigned word = address % PAGE / 64;
    uint64_t below = it->bits[word] & (((uint64_t)1 << address % 64) - 1);
    return it->first + it->before[word] + (uint32_t)__builtin_popcountll(below);
}

/* Of a page that has no border: how many are on the pages before it. */
static uint32_t borders_before(const hd_packed_granules *granules, uint64_t number) {
    size_t low = 0, high = granules->pages.length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (granules->pages.data[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < granules->pages.length ? granules->pages.data[low]->first : granules->borders;
}

uint32_t hd_packed_granules_before(hd_packed_granules *granules, uint64_t address) {
    const page *it = page_of(granules, --address, false);
    if (!it)
        return borders_before(granules, address / PAGE);
    unsigned word = address % PAGE / 64;
    uint64_t upto = it->bits[word] & (((uint64_t)2 << address % 64) - 1);
    return it->first + it->before[word] + (uint32_t)__builtin_popcountll(upto);
}

/* The first border in the pages after this one. */
static uint64_t border_behind(hd_packed_granules *granules, uint64_t number) {
    const uint32_t *place = hd_map_find(&granules->page_places, number);
    for (size_t i = place ? *place : granules->pages.length; i < granules->pages.length; i++) {
        const page *it = granules->pages.data[i];
        for (int word = 0; word < WORDS; word++)
            if (it->bits[word])
                return it->number * PAGE + (uint64_t)word * 64 +
                       (uint64_t)__builtin_ctzll(it->bits[word]);
    }
    return UINT64_MAX;
}

uint64_t hd_packed_granule_next(hd_packed_granules *granules, uint64_t address) {
    const page *it = page_of(granules, address, false);
    if (!it)
        return UINT64_MAX;
    unsigned word = address % PAGE / 64;
    uint64_t above = it->bits[word] & ~(((uint64_t)2 << address % 64) - 1);
    while (!above && ++word < WORDS)
        above = it->bits[word];
    if (!above)
        return border_behind(granules, it->number);
    return it->number * PAGE + (uint64_t)word * 64 + (uint64_t)__builtin_ctzll(above);
}

uint32_t hd_packed_granules_count(const hd_packed_granules *granules) {
    return granules->borders;
}
