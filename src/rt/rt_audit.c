/*
 * Is it true what rt_foreign.def says?  In some runs a sum of the memory of modules without
 * instrumentation is made where a function begins that keeps nothing, by the table, and again at
 * the next call or point.  If it changed, the function wrote: it is caught, and its state is that
 * of its module from then on.
 *
 * A step in which nothing was called that is known, and in which that memory changed all the same,
 * called something that nobody saw, a virtual function perhaps.  That cannot be mended, but it is
 * told.
 *
 * Only where runs follow each other in one process: elsewhere threads of the system begin and end
 * beside the program, and the C library counts them.
 *
 * Left out are the loader and the unwinder, which keep what they found for the next time, and what
 * is read-only since it was relocated.
 */
#include <link.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_string.h"

enum { PARTS = 256, NOBODY = HEDDLE_WIRE_CALLEES };

#define PAGE ((uintptr_t)4096)

typedef struct part {
    uintptr_t low, high;
} part;

static part parts[PARTS];
static uint32_t part_count;
static uint32_t modules; /* that were looked at */

bool hd_rt_audit_on;

static struct {
    uint64_t sum;
    uint32_t suspect; /* the function that began when the sum was made; NOBODY: none */
    bool called;      /* something, since the last point */
} audit;

/* --- the memory ----------------------------------------------------------------------------- */

static void add_part(uintptr_t low, uintptr_t high) {
    low = (low + 7) & ~(uintptr_t)7;
    if (low + 8 <= high && part_count < PARTS)
        parts[part_count++] = (part){low, high & ~(uintptr_t)7};
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
static uint64_t sum_all(void) {
    const uint64_t by = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t sum[4] = {1, 2, 3, 4};
    for (uint32_t i = 0; i < part_count; i++) {
        const uint64_t *at = (const uint64_t *)parts[i].low, *end = (const uint64_t *)parts[i].high;
        for (; at + 4 <= end; at += 4) {
            sum[0] = (sum[0] ^ at[0]) * by;
            sum[1] = (sum[1] ^ at[1]) * by;
            sum[2] = (sum[2] ^ at[2]) * by;
            sum[3] = (sum[3] ^ at[3]) * by;
        }
        for (; at < end; at++)
            sum[0] = (sum[0] ^ *at) * by;
        for (int k = 0; k < 4; k++)
            sum[k] ^= sum[k] >> 32;
    }
    return sum[0] ^ (sum[1] << 16 | sum[1] >> 48) ^ (sum[2] << 32 | sum[2] >> 32) ^
           (sum[3] << 48 | sum[3] >> 16);
}

/* --- calls and points ----------------------------------------------------------------------- */

void hd_rt_audit_begin(void) {
    hd_rt_audit_on = hd_rt_explore->audited && hd_rt_in_memory;
    audit.suspect = NOBODY;
    audit.called = true;
    if (!hd_rt_audit_on || modules == hd_rt.wire->modules)
        return;
    modules = hd_rt.wire->modules;
    part_count = 0;
    dl_iterate_phdr(add_module, NULL);
}

/* The sum now, after whoever is suspected. */
static uint64_t look(void) {
    uint64_t now = sum_all();
    if (audit.suspect != NOBODY && now != audit.sum) {
        hd_rt.wire->callee[audit.suspect].known = HEDDLE_WIRE_CAUGHT;
        hd_rt_explore->caught++;
    }
    audit.suspect = NOBODY;
    return now;
}

void hd_rt_audit_call(uint32_t number, bool stateless) {
    audit.called = true;
    if (!stateless && audit.suspect == NOBODY)
        return;
    audit.sum = look();
    if (stateless)
        audit.suspect = number;
}

void hd_rt_audit_own(void) {
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(NOBODY, false);
}

void hd_rt_audit_end(void) {
    hd_rt_audit_own();
    hd_rt_audit_on = false;
}

/* Of an operation that the runtime does by itself, so that nothing of the C library's runs. */
static bool is_quiet(unsigned kind) {
    return kind >= HEDDLE_READ + 1 && kind <= HEDDLE_READ_RELEASE + 1;
}

void hd_rt_audit_leave(const hd_rt_thread *thread) {
    if (thread->wire->state == HEDDLE_WIRE_ENDED || !is_quiet(thread->wire->pending.kind))
        return;
    audit.called = false;
    audit.sum = sum_all();
}

void hd_rt_audit_point(void) {
    if (audit.suspect != NOBODY)
        look();
    else if (!audit.called && audit.sum != sum_all())
        hd_rt_explore->unattributed = 1;
    audit.called = true;
}
