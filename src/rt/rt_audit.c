/*
 * Checks rt_foreign.def.  In some runs the memory of uninstrumented modules is summed where a
 * function begins that is stateless by the table, and again at the next call or point.  If the sum
 * changed, the function wrote: it is *caught*, and from then on its state is that of its module.
 *
 * If that memory changed in a step in which no known function was called, something was called that
 * was not seen, a virtual function perhaps.  That cannot be repaired, but it is reported.
 *
 * Only where runs follow each other in one process: elsewhere threads of the system begin and end
 * beside the program, and the C library counts them.
 *
 * Most of that memory is never written.  Where memory is restored the pages that were written are
 * known (rt_reset.c), and only those are summed: each counts as the difference to what it was in
 * the beginning, so that one which is written for the first time, with what it had, changes
 * nothing.  Memory that is not looked after like that is summed as a whole.
 *
 * Left out are the loader and the unwinder, which keep what they found for the next time, and what
 * is read-only since it was relocated.
 */
#include <link.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_string.h"

enum { FIRST_ROOM = 256, WRITTEN = 1024, NO_FUNCTION = HEDDLE_WIRE_CALLEES };

#define PAGE ((uintptr_t)4096)

typedef struct part {
    uintptr_t low, high;
    bool tracked; /* which pages of it were written is known */
} part;

/* What a page that was written has of a part. */
typedef struct written {
    uintptr_t low, high;
    uint64_t first; /* the sum of what it was in the beginning */
} written;

static part *parts;
static uint32_t part_count, part_room;
static written writtens[WRITTEN];
static uint32_t written_count, pages_seen;
static uint32_t modules; /* that were looked at */

bool hd_rt_audit_on;

static struct {
    uint64_t sum;
    uint32_t suspect; /* the function that began when the sum was made, or NO_FUNCTION */
    bool called;      /* something, since the last point */
    bool summed;      /* the sum is that of the last point */
} audit;

/* --- the memory ----------------------------------------------------------------------------- */

/* Without room for all of it runs are not audited, so they are not to follow each other. */
static void grow_parts(void) {
    const part *old = parts;
    part_room = part_room ? 2 * part_room : FIRST_ROOM;
    parts = hd_rt_reset_pages(part_room * sizeof *parts);
    if (!parts)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "there is no memory to watch its libraries");
    for (uint32_t i = 0; i < part_count; i++)
        parts[i] = old[i];
}

static void add_part(uintptr_t low, uintptr_t high) {
    low = (low + 7) & ~(uintptr_t)7;
    high &= ~(uintptr_t)7;
    if (low >= high)
        return;
    if (part_count == part_room)
        grow_parts();
    parts[part_count++] = (part){low, high, hd_rt_reset_tracks(low, high)};
}

static bool is_left_out(const char *path) {
    static const char *const names[] = {"libgcc_s.so", "ld-linux", "ld.so"};
    const char *file = path;
    for (const char *at = path; *at; at++)
        if (*at == '/')
            file = at + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hd_rt_starts(file, names[i], hd_rt_length(names[i], SIZE_MAX)))
            return true;
    return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t fixed_low = 0, fixed_high = 0;
    if (!hd_rt_got_foreign(info->dlpi_addr) || is_left_out(info->dlpi_name))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            fixed_low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            fixed_high = (fixed_low + info->dlpi_phdr[i].p_memsz) & ~(PAGE - 1);
        }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        if (fixed_low >= low && fixed_high > low && fixed_low < high) {
            add_part(low, fixed_low);
            low = fixed_high;
        }
        add_part(low, high);
    }
    return 0;
}

/* Four sums side by side, as one waits for itself. */
static uint64_t sum_of(uintptr_t low, uintptr_t high) {
    const uint64_t by = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t sum[4] = {1, 2, 3, 4};
    const uint64_t *at = (const uint64_t *)low, *end = (const uint64_t *)high;
    for (; end - at >= 4; at += 4) {
        sum[0] = (sum[0] ^ at[0]) * by;
        sum[1] = (sum[1] ^ at[1]) * by;
        sum[2] = (sum[2] ^ at[2]) * by;
        sum[3] = (sum[3] ^ at[3]) * by;
    }
    for (; at < end; at++)
        sum[0] = (sum[0] ^ *at) * by;
    for (int k = 0; k < 4; k++)
        sum[k] ^= sum[k] >> 32;
    return sum[0] ^ (sum[1] << 16 | sum[1] >> 48) ^ (sum[2] << 32 | sum[2] >> 32) ^
           (sum[3] << 48 | sum[3] >> 16);
}

/* With no room for it the part is summed as a whole from now on. */
static void add_written(part *of, uintptr_t page, const char *first) {
    uintptr_t low = page > of->low ? page : of->low;
    uintptr_t high = page + PAGE < of->high ? page + PAGE : of->high;
    if (low >= high || !of->tracked)
        return;
    if (written_count == WRITTEN) {
        of->tracked = false;
        return;
    }
    uintptr_t old = (uintptr_t)first + (low - page);
    writtens[written_count++] = (written){low, high, sum_of(old, old + (high - low))};
}

static void see_pages(void) {
    uint32_t pages = hd_rt_reset_hot();
    for (; pages_seen < pages; pages_seen++) {
        const char *first;
        uintptr_t page = hd_rt_reset_page(pages_seen, &first);
        for (uint32_t i = 0; i < part_count; i++)
            add_written(&parts[i], page, first);
    }
}

/* Each stretch counts times something of its place, or two that change places are as before. */
static uint64_t sum_all(void) {
    uint64_t sum = 0;
    see_pages();
    for (uint32_t i = 0; i < written_count; i++)
        sum +=
            (sum_of(writtens[i].low, writtens[i].high) - writtens[i].first) * (writtens[i].low | 1);
    for (uint32_t i = 0; i < part_count; i++)
        if (!parts[i].tracked)
            sum += sum_of(parts[i].low, parts[i].high) * (parts[i].low | 1);
    return sum;
}

/* --- calls and points ----------------------------------------------------------------------- */

void hd_rt_audit_begin(void) {
    hd_rt_audit_on = hd_rt_explore->audited && hd_rt_in_memory;
    audit.suspect = NO_FUNCTION;
    audit.called = true;
    audit.summed = false;
    if (!hd_rt_audit_on || modules == hd_rt.wire->modules)
        return;
    modules = hd_rt.wire->modules;
    part_count = written_count = pages_seen = 0;
    dl_iterate_phdr(add_module, NULL);
}

/* The sum now, after the suspected function. */
static uint64_t sum_now(void) {
    uint64_t now = sum_all();
    if (audit.suspect != NO_FUNCTION && now != audit.sum) {
        hd_rt.wire->callee[audit.suspect].known = HEDDLE_WIRE_CAUGHT;
        hd_rt_explore->caught++;
    }
    audit.suspect = NO_FUNCTION;
    return now;
}

void hd_rt_audit_call(uint32_t number, bool stateless) {
    audit.called = true;
    if (!stateless && audit.suspect == NO_FUNCTION)
        return;
    audit.sum = sum_now();
    if (stateless)
        audit.suspect = number;
}

void hd_rt_audit_own(void) {
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(NO_FUNCTION, false);
}

void hd_rt_audit_end(void) {
    hd_rt_audit_own();
    hd_rt_audit_on = false;
}

/* Of an operation that the runtime does by itself, so that nothing of the C library's runs. */
static bool is_quiet(unsigned kind) {
    return kind >= HEDDLE_READ + 1 && kind <= HEDDLE_READ_RELEASE + 1;
}

/* Since the last point only the runtime has run, so the sum of the point is used if there is one.
 */
void hd_rt_audit_leave(const hd_rt_thread *thread) {
    bool summed = audit.summed;
    audit.summed = false;
    if (thread->wire->state == HEDDLE_WIRE_ENDED || !is_quiet(thread->wire->pending.kind))
        return;
    audit.called = false;
    if (!summed)
        audit.sum = sum_all();
}

void hd_rt_audit_point(void) {
    audit.summed = audit.suspect != NO_FUNCTION || !audit.called;
    if (audit.suspect != NO_FUNCTION)
        audit.sum = sum_now();
    else if (!audit.called) {
        uint64_t now = sum_all();
        if (now != audit.sum)
            hd_rt_explore->unattributed = 1;
        audit.sum = now;
    }
    audit.called = true;
}
