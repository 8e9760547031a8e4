#include "symbols_allocations.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "symbols_lookup.h"
#include "symbols_shorten.h"
#include "symbols_types.h"

/* A place that allocates. */
typedef struct site {
    const char *label;      /* NULL: not known */
    const char *function;   /* NULL: the pointer is a global variable */
    hd_symbols_typed typed; /* the type of one element; size 0: not known */
    bool counted;           /* made by new[]: the number of elements may be before them */
} site;

/* A file whose words are known. */
typedef struct source {
    const char *path;
    hd_symbols_source
        *words; /* NULL: it cannot be read, or was changed after the program was made */
} source;

struct hd_symbols_allocations {
    HD_VEC(site) sites;
    hd_map by_code; /* place in `sites` */
    HD_VEC(source) sources;
    hd_arena texts;
    hd_vec_char part; /* of a block, while it is named */
};

void hd_symbols_allocations_free(hd_symbols_allocations *allocations) {
    if (!allocations)
        return;
    for (size_t i = 0; i < allocations->sources.length; i++)
        hd_symbols_source_free(allocations->sources.data[i].words);
    hd_vec_release(&allocations->sources);
    hd_vec_release(&allocations->sites);
    hd_map_release(&allocations->by_code);
    hd_arena_release(&allocations->texts);
    hd_vec_release(&allocations->part);
    free(allocations);
}

/* --- the source ------------------------------------------------------------------------------ */

/* Is it a file, and not younger than the program? */
static bool is_usable(const char *path, const char *program) {
    struct stat text, binary;
    return stat(path, &text) == 0 && S_ISREG(text.st_mode) && stat(program, &binary) == 0 &&
           text.st_mtime <= binary.st_mtime;
}

static const hd_symbols_source *words_of(hd_symbols_allocations *a, const char *path,
                                         const char *program) {
    for (size_t i = 0; i < a->sources.length; i++)
        if (strcmp(a->sources.data[i].path, path) == 0)
            return a->sources.data[i].words;
    source fresh = {.path = hd_arena_string(&a->texts, path, strlen(path))};
    if (is_usable(path, program))
        fresh.words = hd_symbols_source_read(path);
    hd_vec_push(&a->sources, fresh);
    return fresh.words;
}

/* --- sites ----------------------------------------------------------------------------------- */

/* "(*out)", "q->head", else "(new Account)"; with the line if there are others like it. */
static void print_label(const site *of, const hd_symbols_allocated *it, bool repeats,
                        hd_vec_char *to) {
    Dwarf_Die type = of->typed.type;
    const char *name = it->pointer.length ? NULL : dwarf_diename(&type);
    if (name)
        hd_text_append(to, "(new %s)", name);
    else
        hd_text_append(to, *it->pointer.data == '*' ? "(%s)" : "%s", it->pointer.data);
    hd_symbols_shorten(to, 0);
    if (repeats)
        hd_text_append(to, "@%d", it->line);
}

static void fill_site(hd_symbols_allocations *a, hd_symbols_lookup *s,
                      const hd_symbols_source *words, const hd_symbols_allocated *it, site *to) {
    Dwarf_Die type;
    Dwarf_Word size;
    int line = 0;
    if (hd_symbols_lookup_type(s, it, &type) && dwarf_aggregate_size(&type, &size) == 0) {
        to->typed.type = type;
        to->typed.size = size;
    }
    if (!it->pointer.length && (!to->typed.size || !dwarf_diename(&type)))
        return; /* a word that is no type */
    to->counted = it->array;
    to->function = s->where;
    if (!s->where || dwarf_decl_line(&s->function, &line) != 0)
        line = 0;
    hd_vec_char label = {0};
    print_label(to, it, hd_symbols_source_repeats(words, it, line), &label);
    to->label = hd_arena_string(&a->texts, label.data, label.length);
    hd_vec_release(&label);
}

/* The allocator of a container, whose argument is the type of an element or a node. */
static bool is_allocator(hd_symbols_lookup *s, site *to) {
    static const char file[] = "/new_allocator.h";
    size_t length = strlen(s->file);
    Dwarf_Die type;
    Dwarf_Word size;
    if (length < sizeof file || strcmp(s->file + length - sizeof file + 1, file) != 0 ||
        !hd_symbols_lookup_argument(s, &type) || dwarf_aggregate_size(&type, &size) != 0)
        return false;
    to->typed.type = type;
    to->typed.size = size;
    return size != 0;
}

static void fill_allocator(hd_symbols_allocations *a, site *to) {
    Dwarf_Die type = to->typed.type;
    const char *name = dwarf_diename(&type);
    hd_vec_char label = {0};
    hd_text_append(&label, "(new %s)", name ? name : "element");
    hd_symbols_shorten(&label, 0);
    to->label = hd_arena_string(&a->texts, label.data, label.length);
    hd_vec_release(&label);
}

static void read_site(hd_symbols_allocations *a, hd_symbols *symbols, uint64_t code, site *to) {
    hd_symbols_place place;
    hd_symbols_lookup s = {.symbols = symbols};
    Dwarf_Die *function = hd_symbols_entry(symbols, code);
    Dwfl_Module *module = hd_symbols_module(symbols, code);
    Dwarf_Addr bias = 0;
    const char *program =
        module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    if (!function || !program || !hd_symbols_find_place(symbols, code, &place) ||
        !dwarf_diecu(function, &s.unit, NULL, NULL) || !dwfl_module_getdwarf(module, &bias))
        return;
    s.file = place.file;
    s.line = place.line;
    s.function = *function;
    hd_symbols_lookup_innermost(&s, code - 1 - bias);
    s.where = hd_symbols_qualified(symbols, &s.function);
    if (is_allocator(&s, to)) {
        fill_allocator(a, to);
        return;
    }
    hd_vec_char path = {0};
    if (place.file[0] != '/' && place.folder)
        hd_text_append(&path, "%s/", place.folder);
    hd_text_append_text(&path, place.file);
    const hd_symbols_source *words = words_of(a, path.data, program);
    hd_symbols_allocated it;
    if (words && hd_symbols_source_find(words, place.line, place.column, &it))
        fill_site(a, &s, words, &it, to);
    if (words)
        hd_symbols_allocated_release(&it);
    hd_vec_release(&path);
}

static site *site_of(hd_symbols *symbols, uint64_t code) {
    hd_symbols_allocations **all = hd_symbols_allocations_of(symbols);
    if (!*all)
        *all = HD_NEW(hd_symbols_allocations);
    bool added;
    uint32_t *place = hd_map_at(&(*all)->by_code, code, &added);
    if (added) {
        *place = (uint32_t)(*all)->sites.length;
        site fresh = {0};
        read_site(*all, symbols, code, &fresh);
        hd_vec_push(&(*all)->sites, fresh);
    }
    return &(*all)->sites.data[*place];
}

/* --- names ----------------------------------------------------------------------------------- */

/* Where the elements of a block begin, and how many there are; false if that is not known. */
typedef struct elements {
    uint64_t start, count;
} elements;

/* new[] of a class may keep the number of elements before the first one. */
static bool find_elements(site *it, uint64_t size, elements *to) {
    enum { COUNT = sizeof(uint64_t) };
    uint64_t element = it->typed.size;
    *to = (elements){0, 1};
    if (!element || size < element)
        return false;
    bool plain = size % element == 0;
    bool counted = it->counted && size > COUNT && (size - COUNT) % element == 0;
    if (plain && counted) {
        int tag = dwarf_tag(&it->typed.type);
        if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
            tag == DW_TAG_typedef)
            return false; /* both are possible */
        counted = false;
    }
    if (counted)
        *to = (elements){COUNT, (size - COUNT) / element};
    else if (plain)
        to->count = size / element;
    return true;
}

static void print_element(hd_symbols *symbols, site *it, const elements *all, uint64_t offset,
                          bool whole, hd_vec_char *to) {
    if (offset < all->start) {
        hd_text_append_text(to, ".count");
        return;
    }
    uint64_t index = (offset - all->start) / it->typed.size;
    if (all->count == 1 && !all->start)
        index = 0;
    else {
        hd_text_append_text(to, "[");
        hd_text_append_number(to, index);
        hd_text_append_text(to, "]");
    }
    hd_symbols_print_part(hd_symbols_parts_of(symbols), &it->typed,
                          offset - all->start - index * it->typed.size, whole, to);
}

/* The part of a block: "q->length", "v[3].x", "*count", "*(p+8)". */
static void print_block(hd_symbols *symbols, site *it, const char *which, uint64_t size,
                        uint64_t offset, bool whole, hd_vec_char *to) {
    elements all;
    hd_vec_char *part = &(*hd_symbols_allocations_of(symbols))->part;
    bool known = find_elements(it, size, &all), one = known && all.count == 1 && !all.start;
    bool typed = it->label[0] == '(' && it->label[1] != '*'; /* (new int) */
    hd_vec_clear(part);
    hd_text_append_text(part, "");
    if (known)
        print_element(symbols, it, &all, offset, whole, part);
    bool member = one && part->data[0] == '.', through = !(known && (!one || member)) && !typed;
    if (through)
        hd_text_append_text(to, offset ? "*(" : "*");
    hd_text_append_text(to, it->label);
    hd_text_append_text(to, which);
    if (member)
        hd_text_append_text(to, "->");
    if (!through)
        hd_text_append_text(to, part->data + (member ? 1 : 0));
    if (offset && (through || !known)) {
        hd_text_append_text(to, "+");
        hd_text_append_number(to, offset);
    }
    if (through && offset)
        hd_text_append_text(to, ")");
}

bool hd_symbols_block(hd_symbols *symbols, uint64_t code, uint64_t size, const char *which,
                      uint64_t offset, bool whole, hd_vec_char *to) {
    site *it = site_of(symbols, code);
    if (!it->label)
        return false;
    print_block(symbols, it, which, size, offset, whole, to);
    if (it->function) {
        hd_text_append_text(to, " in ");
        hd_text_append_text(to, it->function);
        hd_text_append_text(to, "()");
    }
    return true;
}
