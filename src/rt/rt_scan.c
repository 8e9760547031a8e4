/*
 * Texts that calls read (rt_string.h).
 */
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_freed.h"
#include "rt_string.h"

void hd_rt_scan_begin(hd_rt_scan *scan, const void *text, unsigned unit, uintptr_t code) {
    scan->at = text;
    scan->seen = scan->told = 0;
    scan->unit = unit;
    scan->code = code;
    scan->on = hd_rt_string_on();
    scan->explored = scan->on && hd_rt.exploring;
    scan->shared = false;
    scan->other = NULL;
    if (scan->on && hd_rt_string_steps())
        hd_rt_point(HEDDLE_OP_READ, text, unit, code);
}

/* Each character lies in its block, the one that ends the text included. */
void hd_rt_scan_end(hd_rt_scan *scan) {
    if (scan->on && scan->seen > scan->told)
        hd_rt_freed_check(HEDDLE_OP_READ, scan->at + scan->told, scan->seen - scan->told,
                          scan->code);
    if (scan->on && scan->seen > scan->told && !(scan->explored && hd_rt.lane.full))
        hd_rt_record_range(false, scan->at + scan->told, scan->seen - scan->told, scan->code);
    scan->told = scan->seen;
}

/* A word is asked for once, a character that others write is a step. */
void hd_rt_scan_step(hd_rt_scan *scan, const unsigned char *at) {
    bool first = !scan->seen || ((uintptr_t)at & 7) < scan->unit;
    if (first)
        scan->shared = hd_rt_explore_shares(at, scan->unit);
    if (!first && !scan->shared)
        return;
    if (scan->shared) {
        hd_rt_scan_end(scan);
        if (scan->other)
            hd_rt_scan_end(scan->other);
    }
    hd_rt_explore_access(HEDDLE_OP_READ, at, scan->unit, scan->code);
}

/* --- kept texts ------------------------------------------------------------------------------ */

void hd_rt_texts_init(hd_rt_texts *texts) {
    texts->count = 0;
    texts->used = 0;
}

/* Where its bytes go; NULL: there is no place. */
static char *add_text(hd_rt_texts *texts, const void *at) {
    if (texts->count == HD_RT_TEXTS)
        return NULL;
    texts->text[texts->count].at = (char *)(uintptr_t)at;
    texts->text[texts->count].size = 0;
    texts->text[texts->count].place = texts->used;
    return texts->bytes + texts->used;
}

void hd_rt_texts_string(hd_rt_texts *texts, const void *text, size_t most, unsigned unit,
                        uintptr_t code) {
    hd_rt_scan scan;
    hd_rt_scan_begin(&scan, text, unit, code);
    char *bytes = add_text(texts, text);
    size_t room = bytes ? HD_RT_PIECE - texts->used : 0, kept = 0;
    uint32_t character = 1;
    for (; most && character; most--) {
        character = hd_rt_scan_next(&scan);
        if (kept + unit <= room) {
            hd_rt_copy(bytes + kept, &character, unit);
            kept += unit;
        }
    }
    hd_rt_scan_end(&scan);
    if (bytes) {
        texts->text[texts->count++].size = kept;
        texts->used += kept;
    }
}

void hd_rt_texts_record(const void *text, size_t most, unsigned unit, uintptr_t code) {
    hd_rt_scan scan;
    if (hd_rt_got_constant((uintptr_t)text))
        return;
    hd_rt_scan_begin(&scan, text, unit, code);
    while (most-- && hd_rt_scan_next(&scan))
        ;
    hd_rt_scan_end(&scan);
}

void hd_rt_texts_range(hd_rt_texts *texts, const void *at, size_t size, uintptr_t code) {
    if (!hd_rt_string_on())
        return;
    hd_rt_string_reads(at, size, code);
    char *bytes = add_text(texts, at);
    if (!bytes)
        return;
    size_t kept = size < HD_RT_PIECE - texts->used ? size : HD_RT_PIECE - texts->used;
    hd_rt_copy(bytes, at, kept);
    texts->text[texts->count++].size = kept;
    texts->used += kept;
}

void hd_rt_texts_check(const void *text, size_t most, uintptr_t code) {
    if (!text || !most || !hd_rt_freed_shades || !hd_rt_controlled() || hd_rt.ended)
        return;
    hd_rt_freed_check(HEDDLE_OP_READ, text, 1, code);
    size_t length = hd_rt_length(text, most);
    hd_rt_freed_check(HEDDLE_OP_READ, text, length < most ? length + 1 : most, code);
}

/* What is as it was is not written: it may be a constant. */
void hd_rt_texts_swap(hd_rt_texts *texts) {
    for (unsigned i = 0; i < texts->count; i++) {
        char *at = texts->text[i].at, *kept = texts->bytes + texts->text[i].place;
        for (size_t byte = 0; byte < texts->text[i].size; byte++)
            if (at[byte] != kept[byte]) {
                char now = at[byte];
                at[byte] = kept[byte];
                kept[byte] = now;
            }
    }
}
