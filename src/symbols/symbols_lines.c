#include "symbols_lines.h"

#include <dwarf.h>
#include <stdlib.h>

/* libdw finds lines by a table of units that not every compiler writes. */
void hd_symbols_lines_add(hd_symbols_lines *to, Dwarf_Die *unit, uint64_t bias) {
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *at = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        hd_symbols_code_line it = {.folder = folder};
        if (dwarf_lineaddr(at, &address) != 0 || dwarf_lineno(at, &it.number) != 0 ||
            dwarf_lineendsequence(at, &it.end) != 0)
            continue;
        if (dwarf_linecol(at, &it.column) != 0)
            it.column = 0;
        it.start = address + bias;
        it.order = (uint32_t)to->length;
        it.file = dwarf_linesrc(at, NULL, NULL);
        if (it.file)
            hd_vec_push(to, it);
    }
}

/* An end sorts before a line that begins at the same address. */
static int compare_lines(const void *a, const void *b) {
    const hd_symbols_code_line *x = a, *y = b;
    if (x->start != y->start)
        return x->start > y->start ? 1 : -1;
    if (x->end != y->end)
        return x->end ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void hd_symbols_lines_sort(hd_symbols_lines *lines) {
    size_t sorted = 1; /* libdw gives those of one unit sorted, mostly */
    while (sorted < lines->length &&
           compare_lines(&lines->data[sorted - 1], &lines->data[sorted]) < 0)
        sorted++;
    if (sorted < lines->length)
        qsort(lines->data, lines->length, sizeof *lines->data, compare_lines);
}

/* The last line that begins at or before the call; the return address may belong to the next
 * line. */
const hd_symbols_code_line *hd_symbols_lines_find(const hd_symbols_lines *lines, uint64_t code) {
    size_t low;
    hd_vec_lower(low, lines, start, code);
    /* Line 0 is code that the compiler generated. */
    while (low && !lines->data[low - 1].number && !lines->data[low - 1].end)
        low--;
    return low && !lines->data[low - 1].end ? &lines->data[low - 1] : NULL;
}

bool hd_symbols_lines_print(const hd_symbols_lines *lines, uint64_t code, hd_vec_char *to) {
    const hd_symbols_code_line *it = hd_symbols_lines_find(lines, code);
    if (!it)
        return false;
    const char *file = it->file;
    /* As given to the compiler, if that was a relative path. */
    size_t length = it->folder ? strlen(it->folder) : 0;
    if (length && strncmp(file, it->folder, length) == 0 && file[length] == '/')
        file += length + 1;
    hd_text_append(to, "%s:%d", file, it->number);
    return true;
}
