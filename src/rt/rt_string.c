/*
 * The C library's functions on bytes.  Compilers call them for code of the program's, so what they
 * read and write is the program's doing: a range each.  What is read is recorded before, what is
 * written after the call, so that the bytes are known.
 *
 * A copy reads and then writes.  Where others may come between the two, the bytes are kept
 * meanwhile, so that what is written is what was read.
 */
#include "rt_string.h"

#include "rt_explore.h"
#include "rt_freed.h"
#include "rt_real.h"

/* Found once; before that, and in the loader, bytes are copied by hand. */
static struct {
    void *(*move)(void *, const void *, size_t);
    void *(*set)(void *, int, size_t);
} real;

void hd_rt_string_init(void) {
    *(void **)&real.move = hd_rt_real_symbol("memmove");
    *(void **)&real.set = hd_rt_real_symbol("memset");
}

bool hd_rt_string_on(void) {
    if (hd_rt.exploring && hd_rt.ended)
        hd_rt_explore_unseen(); /* what it reads on the way out is not looked at */
    return hd_rt.mode == HD_RT_FREE || (hd_rt_controlled() && !hd_rt.ended);
}

bool hd_rt_string_steps(void) {
    return hd_rt.mode == HD_RT_CONTROLLED && (hd_rt.every_access || hd_rt.following);
}

/* Explored, nothing is recorded but for people. */
static bool is_recorded(void) {
    return !hd_rt.exploring || !hd_rt.lane.full;
}

void hd_rt_string_reads(const void *address, size_t size, uintptr_t code) {
    if (!size)
        return;
    if (hd_rt_string_steps())
        hd_rt_point(HEDDLE_OP_READ, address, (uint32_t)size, code);
    else if (hd_rt.exploring)
        hd_rt_explore_access(HEDDLE_OP_READ, address, size, code);
    else
        hd_rt_freed_check(HEDDLE_OP_READ, address, size, code);
    if (is_recorded())
        hd_rt_record_range(false, address, size, code);
}

/* The point is before the write, the record after it. */
void hd_rt_string_will_write(void *address, size_t size, uintptr_t code) {
    if (size && hd_rt_string_steps())
        hd_rt_point(HEDDLE_OP_WRITE, address, (uint32_t)size, code);
    else if (hd_rt.exploring)
        hd_rt_explore_access(HEDDLE_OP_WRITE, address, size, code);
    else {
        hd_rt_settle();
        if (size)
            hd_rt_freed_check(HEDDLE_OP_WRITE, address, size, code);
    }
}

void hd_rt_string_wrote(void *address, size_t size, uintptr_t code) {
    if (size && is_recorded())
        hd_rt_record_range(true, address, size, code);
}

void *hd_rt_string_move(void *to, const void *from, size_t size) {
    if (real.move)
        return real.move(to, from, size);
    char *target = to;
    const char *source = from;
    if (target <= source)
        for (size_t i = 0; i < size; i++)
            ((volatile char *)target)[i] = source[i];
    else
        for (size_t i = size; i-- > 0;)
            ((volatile char *)target)[i] = source[i];
    return to;
}

/* --- copies --------------------------------------------------------------------------------- */

static __attribute__((noinline)) void copy_piece(char *to, const char *from, size_t size,
                                                 uintptr_t code) {
    char kept[HD_RT_PIECE];
    hd_rt_string_reads(from, size, code);
    hd_rt_string_move(kept, from, size);
    hd_rt_string_will_write(to, size, code);
    hd_rt_string_move(to, kept, size);
    hd_rt_string_wrote(to, size, code);
}

/* From the end that does not overwrite what is still to be read. */
static void copy_pieces(char *to, const char *from, size_t size, uintptr_t code) {
    bool backwards = to > from && to < from + size;
    for (size_t left = size; left > 0;) {
        size_t piece = left < HD_RT_PIECE ? left : HD_RT_PIECE;
        size_t at = backwards ? left - piece : size - left;
        copy_piece(to + at, from + at, piece, code);
        left -= piece;
    }
}

static bool may_be_parted(const void *to, const void *from, size_t size) {
    if (hd_rt.exploring)
        return hd_rt_explore_shares(from, size) && hd_rt_explore_shares(to, size);
    return hd_rt_string_steps() && size <= HD_RT_PIECE;
}

void *hd_rt_string_copy(void *to, const void *from, size_t size, uintptr_t code) {
    if (!hd_rt_string_on())
        return hd_rt_string_move(to, from, size);
    if (may_be_parted(to, from, size)) {
        copy_pieces(to, from, size, code);
        return to;
    }
    if (hd_rt.exploring)
        hd_rt_spin_gives(code, (uintptr_t)to);
    hd_rt_string_reads(from, size, code);
    hd_rt_string_will_write(to, size, code);
    hd_rt_string_move(to, from, size);
    hd_rt_string_wrote(to, size, code);
    return to;
}

void *hd_rt_string_set(void *to, int byte, size_t size, uintptr_t code) {
    bool recorded = hd_rt_string_on();
    if (recorded)
        hd_rt_string_will_write(to, size, code);
    if (real.set)
        real.set(to, byte, size);
    else
        for (size_t i = 0; i < size; i++)
            ((volatile char *)to)[i] = (char)byte;
    if (recorded)
        hd_rt_string_wrote(to, size, code);
    return to;
}

/* --- the C library's names ------------------------------------------------------------------- */

HD_RT_EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    return hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *memmove(void *to, const void *from, size_t size) {
    return hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *memset(void *to, int byte, size_t size) {
    return hd_rt_string_set(to, byte, size, HD_RT_CODE());
}

HD_RT_EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
    return (char *)hd_rt_string_copy(to, from, size, HD_RT_CODE()) + size;
}

HD_RT_EXPORT void bcopy(const void *from, void *to, size_t size) {
    hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void bzero(void *to, size_t size) {
    hd_rt_string_set(to, 0, size, HD_RT_CODE());
}

HD_RT_EXPORT void explicit_bzero(void *to, size_t size) {
    hd_rt_string_set(to, 0, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t size) {
    return hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__tsan_memmove(void *to, const void *from, size_t size) {
    return hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__tsan_memset(void *to, int byte, size_t size) {
    return hd_rt_string_set(to, byte, size, HD_RT_CODE());
}

/* What the fortified headers call. */
HD_RT_EXPORT void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return hd_rt_string_copy(to, from, size, HD_RT_CODE());
}

HD_RT_EXPORT void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return (char *)hd_rt_string_copy(to, from, size, HD_RT_CODE()) + size;
}

HD_RT_EXPORT void *__memset_chk(void *to, int byte, size_t size, size_t room) {
    if (size > room)
        __builtin_trap();
    return hd_rt_string_set(to, byte, size, HD_RT_CODE());
}

/* --- wide characters ------------------------------------------------------------------------- */

HD_RT_EXPORT wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    return hd_rt_string_copy(to, from, count * sizeof *to, HD_RT_CODE());
}

HD_RT_EXPORT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    return hd_rt_string_copy(to, from, count * sizeof *to, HD_RT_CODE());
}

HD_RT_EXPORT wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count) {
    hd_rt_string_copy(to, from, count * sizeof *to, HD_RT_CODE());
    return to + count;
}

HD_RT_EXPORT wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count) {
    bool recorded = hd_rt_string_on();
    if (recorded)
        hd_rt_string_will_write(to, count * sizeof *to, HD_RT_CODE());
    for (size_t i = 0; i < count; i++)
        ((volatile wchar_t *)to)[i] = character;
    if (recorded)
        hd_rt_string_wrote(to, count * sizeof *to, HD_RT_CODE());
    return to;
}

/* --- comparing ------------------------------------------------------------------------------- */

static int difference(const unsigned char *a, const unsigned char *b, size_t size, size_t *same) {
    *same = 0;
    while (*same < size && a[*same] == b[*same])
        ++*same;
    return *same < size ? a[*same] - b[*same] : 0;
}

/* All bytes of the two are read, one after the other. */
static __attribute__((noinline)) int compare_piece(const unsigned char *a, const unsigned char *b,
                                                   size_t size, uintptr_t code) {
    unsigned char kept[HD_RT_PIECE];
    size_t same;
    hd_rt_string_reads(a, size, code);
    hd_rt_string_move(kept, a, size);
    hd_rt_string_reads(b, size, code);
    return difference(kept, b, size, &same);
}

static int compare_bytes(const unsigned char *a, const unsigned char *b, size_t size,
                         uintptr_t code) {
    size_t same;
    int result = 0;
    if (!hd_rt_string_on())
        return difference(a, b, size, &same);
    if (!hd_rt.exploring && (!hd_rt_string_steps() || size > HD_RT_PIECE)) {
        result = difference(a, b, size, &same);
        /* Of what is small all is read, as in a run that follows a schedule. */
        size_t seen = same < size && size > HD_RT_PIECE ? same + 1 : size;
        hd_rt_string_reads(a, seen, code);
        hd_rt_string_reads(b, seen, code);
        return result;
    }
    for (size_t at = 0; at < size && !result; at += HD_RT_PIECE)
        result =
            compare_piece(a + at, b + at, size - at < HD_RT_PIECE ? size - at : HD_RT_PIECE, code);
    return result;
}

HD_RT_EXPORT int memcmp(const void *a, const void *b, size_t size) {
    return compare_bytes(a, b, size, HD_RT_CODE());
}

HD_RT_EXPORT int bcmp(const void *a, const void *b, size_t size) {
    return compare_bytes(a, b, size, HD_RT_CODE());
}
