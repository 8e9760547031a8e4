#include "symbols_allocations.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "symbols_shorten.h"
#include "symbols_source.h"
#include "symbols_types.h"

enum { DEEPEST = 40 };

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

/* --- types ----------------------------------------------------------------------------------- */

/* The search for the type of one site. */
typedef struct search {
    hd_symbols *symbols;
    Dwarf_Die function, unit; /* the innermost function, which may have been inlined */
    const char *file;         /* as the line table has it */
    int line;
    /* the variable found so far: the last one that is declared before the line */
    Dwarf_Die variable;
    int declared;
    const char *where; /* the function it is in, NULL for a global one */
    bool found;
} search;

static void skip_qualifiers(Dwarf_Die *type) {
    for (int i = 0; i < DEEPEST; i++) {
        int tag = dwarf_tag(type);
        Dwarf_Die below;
        if ((tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
             tag != DW_TAG_atomic_type && tag != DW_TAG_restrict_type) ||
            !hd_symbols_type_of(type, &below))
            return;
        *type = below;
    }
}

/* From a pointer or an array to what it points to, or its element. */
static bool step_through(Dwarf_Die *type) {
    skip_qualifiers(type);
    int tag = dwarf_tag(type);
    Dwarf_Die below;
    if ((tag != DW_TAG_pointer_type && tag != DW_TAG_array_type && tag != DW_TAG_reference_type) ||
        !hd_symbols_type_of(type, &below))
        return false;
    *type = below;
    return true;
}

/* The member of that name, also of a base class or an unnamed part. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the type
static bool find_member(Dwarf_Die type, const char *name, size_t length, int depth,
                        Dwarf_Die *found) {
    Dwarf_Die member;
    skip_qualifiers(&type);
    if (depth > DEEPEST || dwarf_child(&type, &member) != 0)
        return false;
    do {
        int tag = dwarf_tag(&member);
        const char *known = dwarf_diename(&member);
        Dwarf_Die inner;
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            !hd_symbols_type_of(&member, &inner))
            continue;
        if (tag == DW_TAG_member && known) {
            if (strlen(known) != length || memcmp(known, name, length) != 0)
                continue;
            *found = inner;
            return true;
        }
        if (find_member(inner, name, length, depth + 1, found))
            return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool has_name(Dwarf_Die *die, const char *name, size_t length) {
    Dwarf_Attribute attribute;
    const char *known = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return known && strlen(known) == length && memcmp(known, name, length) == 0;
}

/* Where a variable is declared; 0 if that is in another file or after the line. */
static int declared_line(const search *s, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Word line;
    const char *file = dwarf_decl_file(die);
    if (!dwarf_attr_integrate(die, DW_AT_decl_line, &attribute) ||
        dwarf_formudata(&attribute, &line) != 0 || line > (Dwarf_Word)s->line ||
        (file && strcmp(file, s->file) != 0))
        return 0;
    return (int)line;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the blocks of a function
static void find_local(search *s, Dwarf_Die *parent, const char *name, size_t length, int depth) {
    Dwarf_Die die;
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter: {
            int line = declared_line(s, &die);
            if (line <= s->declared || !has_name(&die, name, length))
                break;
            s->found = true;
            s->variable = die;
            s->declared = line;
            break;
        }
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
            find_local(s, &die, name, length, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* What an inlined or moved function is a copy of: it has all variables. */
static bool find_origin(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    return dwarf_attr(die, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, die);
}

/* A copy of a function lacks the variables that the compiler has optimised away. */
static bool find_variable(search *s, const char *name, size_t length) {
    Dwarf_Die origin = s->function;
    find_local(s, &s->function, name, length, 0);
    if (!s->found && find_origin(&origin))
        find_local(s, &origin, name, length, 0);
    return s->found;
}

static bool is_type(Dwarf_Die *die) {
    switch (dwarf_tag(die)) {
    case DW_TAG_typedef:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
        return !dwarf_hasattr(die, DW_AT_declaration);
    default:
        return false;
    }
}

/* A variable (or, with `type`, a type) of the unit, in a namespace too. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the namespaces
static bool find_global(Dwarf_Die *parent, const char *name, size_t length, bool type, int depth,
                        Dwarf_Die *found) {
    Dwarf_Die die;
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        if ((type ? is_type(&die) : tag == DW_TAG_variable) && has_name(&die, name, length)) {
            *found = die;
            return true;
        }
        if ((tag == DW_TAG_namespace || (type && tag == DW_TAG_subprogram)) &&
            find_global(&die, name, length, type, depth + 1, found))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* The type of the object whose function this is. */
static bool type_of_this(search *s, Dwarf_Die *type) {
    search own = *s;
    own.declared = -1; /* `this` is declared in no line */
    return find_variable(&own, "this", strlen("this")) && hd_symbols_type_of(&own.variable, type) &&
           step_through(type);
}

static bool find_own(search *s, const char *name, size_t length, Dwarf_Die *type) {
    Dwarf_Die object;
    return type_of_this(s, &object) && find_member(object, name, length, 0, type);
}

/* The type of what the first name of an expression says. */
static bool type_of_name(search *s, const char *name, size_t length, Dwarf_Die *type) {
    if (find_variable(s, name, length))
        return hd_symbols_type_of(&s->variable, type);
    if (find_own(s, name, length, type))
        return true;
    Dwarf_Die global;
    if (!find_global(&s->unit, name, length, false, 0, &global))
        return false;
    s->where = NULL;
    return hd_symbols_type_of(&global, type);
}

static size_t name_length(const char *at) {
    return strcspn(at, "-.[");
}

/* The type of what "q->head", "*out" or "table[]" points to. */
static bool type_of_pointer(search *s, const char *text, Dwarf_Die *type) {
    bool through = *text == '*';
    text += through;
    size_t length = name_length(text);
    if (!length || !type_of_name(s, text, length, type))
        return false;
    for (text += length; *text; text += length) {
        bool arrow = *text == '-';
        if ((arrow || *text == '[') && !step_through(type))
            return false;
        text += *text == '.' ? 1 : 2;
        length = arrow || text[-1] == '.' ? name_length(text) : 0;
        if (length && !find_member(*type, text, length, 0, type))
            return false;
    }
    return (!through || step_through(type)) && step_through(type);
}

/* The template argument of that name; NULL: the first. */
static bool find_argument(Dwarf_Die *of, const char *name, Dwarf_Die *type) {
    Dwarf_Die die;
    if (dwarf_child(of, &die) != 0)
        return false;
    do
        if (dwarf_tag(&die) == DW_TAG_template_type_parameter &&
            (!name || has_name(&die, name, strlen(name))))
            return hd_symbols_type_of(&die, type);
    while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* A template argument of the function, or of the class that it is in. */
static bool argument_by_name(search *s, const char *name, Dwarf_Die *type) {
    Dwarf_Die object, origin = s->function;
    return find_argument(&origin, name, type) ||
           (find_origin(&origin) && find_argument(&origin, name, type)) ||
           (type_of_this(s, &object) && find_argument(&object, name, type));
}

/* A type by the last part of its name; template arguments and all. */
static bool type_by_name(search *s, const char *name, Dwarf_Die *type) {
    if (argument_by_name(s, name, type))
        return true;
    const char *last = name;
    for (const char *at = name; *at && *at != '<'; at++)
        if (at[0] == ':' && at[1] == ':')
            last = at + 2;
    return *last && find_global(&s->unit, last, strlen(last), true, 0, type);
}

/* Any type is better than that of a byte. */
static bool tells_nothing(Dwarf_Die type) {
    Dwarf_Word size;
    skip_qualifiers(&type);
    return dwarf_aggregate_size(&type, &size) != 0 || size <= 1;
}

static bool find_type(search *s, const hd_symbols_allocated *it, Dwarf_Die *type) {
    Dwarf_Die named, pointed;
    bool has_name = it->type.length && type_by_name(s, it->type.data, &named);
    bool has_pointer = it->pointer.length && type_of_pointer(s, it->pointer.data, &pointed);
    if (has_name && (it->sure || !has_pointer || tells_nothing(pointed)))
        *type = named;
    else if (has_pointer)
        *type = pointed;
    return has_name || has_pointer;
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

static void fill_site(hd_symbols_allocations *a, search *s, const hd_symbols_source *words,
                      const hd_symbols_allocated *it, site *to) {
    Dwarf_Die type;
    Dwarf_Word size;
    int line = 0;
    if (find_type(s, it, &type) && dwarf_aggregate_size(&type, &size) == 0) {
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
static bool is_allocator(search *s, site *to) {
    static const char file[] = "/new_allocator.h";
    size_t length = strlen(s->file);
    Dwarf_Die object, type;
    Dwarf_Word size;
    if (length < sizeof file || strcmp(s->file + length - sizeof file + 1, file) != 0 ||
        !type_of_this(s, &object) || !find_argument(&object, NULL, &type) ||
        dwarf_aggregate_size(&type, &size) != 0)
        return false;
    to->typed.type = type;
    to->typed.size = size;
    return size != 0;
}

/* The innermost function at the code, as in the file. */
static void find_innermost(search *s, uint64_t code) {
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes(&s->unit, code, &scopes);
    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) {
            s->function = scopes[i];
            break;
        }
    }
    free(scopes);
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
    search s = {.symbols = symbols};
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
    find_innermost(&s, code - 1 - bias);
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

/* "->length", "[3].x", "" if the block is one number. */
static void print_part(site *it, uint64_t size, uint64_t offset, bool whole, hd_vec_char *to) {
    uint64_t element = it->typed.size;
    if (!element || size < element) {
        if (offset)
            hd_text_append(to, "+%llu", (unsigned long long)offset);
        return;
    }
    enum { COUNT = sizeof(uint64_t) };
    if (it->counted && size > COUNT && size % element && (size - COUNT) % element == 0) {
        if (offset < COUNT) {
            hd_text_append(to, ".count");
            return;
        }
        size -= COUNT;
        offset -= COUNT;
        hd_text_append(to, "[%llu]", (unsigned long long)(offset / element));
        hd_symbols_print_part(&it->typed, offset % element, whole, to);
        return;
    }
    if (size >= 2 * element && size % element == 0) {
        hd_text_append(to, "[%llu]", (unsigned long long)(offset / element));
        offset %= element;
    }
    size_t before = to->length;
    hd_symbols_print_part(&it->typed, offset, whole, to);
    if (size != element && size % element == 0)
        return;
    if (to->length > before && to->data[before] == '.') { /* a member of the one object */
        hd_vec_char rest = {0};
        hd_text_append_text(&rest, to->data + before + 1);
        to->length = before;
        hd_text_append(to, "->%s", rest.data);
        hd_vec_release(&rest);
    }
}

bool hd_symbols_block(hd_symbols *symbols, uint64_t code, uint64_t size, const char *which,
                      uint64_t offset, bool whole, hd_vec_char *to) {
    site *it = site_of(symbols, code);
    if (!it->label)
        return false;
    hd_text_append_text(to, it->label);
    hd_text_append_text(to, which);
    print_part(it, size, offset, whole, to);
    if (it->function)
        hd_text_append(to, " in %s()", it->function);
    return true;
}
