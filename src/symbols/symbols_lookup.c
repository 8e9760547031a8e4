#include "symbols_lookup.h"

#include <dwarf.h>

#include "symbols_types.h"

enum { DEEPEST = 40 };

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
static int declared_line(const hd_symbols_lookup *s, Dwarf_Die *die) {
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
static void find_local(hd_symbols_lookup *s, Dwarf_Die *parent, const char *name, size_t length,
                       int depth) {
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
static bool find_variable(hd_symbols_lookup *s, const char *name, size_t length) {
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
static bool type_of_this(hd_symbols_lookup *s, Dwarf_Die *type) {
    hd_symbols_lookup own = *s;
    own.declared = -1; /* `this` is declared in no line */
    return find_variable(&own, "this", strlen("this")) && hd_symbols_type_of(&own.variable, type) &&
           step_through(type);
}

static bool find_own(hd_symbols_lookup *s, const char *name, size_t length, Dwarf_Die *type) {
    Dwarf_Die object;
    return type_of_this(s, &object) && find_member(object, name, length, 0, type);
}

/* The type of what the first name of an expression says. */
static bool type_of_name(hd_symbols_lookup *s, const char *name, size_t length, Dwarf_Die *type) {
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
static bool type_of_pointer(hd_symbols_lookup *s, const char *text, Dwarf_Die *type) {
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
static bool argument_by_name(hd_symbols_lookup *s, const char *name, Dwarf_Die *type) {
    Dwarf_Die object, origin = s->function;
    return find_argument(&origin, name, type) ||
           (find_origin(&origin) && find_argument(&origin, name, type)) ||
           (type_of_this(s, &object) && find_argument(&object, name, type));
}

/* A type by the last part of its name; template arguments and all. */
static bool type_by_name(hd_symbols_lookup *s, const char *name, Dwarf_Die *type) {
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

bool hd_symbols_lookup_type(hd_symbols_lookup *s, const hd_symbols_allocated *it, Dwarf_Die *type) {
    Dwarf_Die named, pointed;
    bool has_name = it->type.length && type_by_name(s, it->type.data, &named);
    bool has_pointer = it->pointer.length && type_of_pointer(s, it->pointer.data, &pointed);
    if (has_name && (it->sure || !has_pointer || tells_nothing(pointed)))
        *type = named;
    else if (has_pointer)
        *type = pointed;
    return has_name || has_pointer;
}

bool hd_symbols_lookup_argument(hd_symbols_lookup *s, Dwarf_Die *type) {
    Dwarf_Die object;
    return type_of_this(s, &object) && find_argument(&object, NULL, type);
}

/* The part of the function, or of the block or copy in it, that has the code. */
static bool find_inner(Dwarf_Die *scope, uint64_t code) {
    Dwarf_Die die;
    if (dwarf_child(scope, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
             tag == DW_TAG_try_block || tag == DW_TAG_catch_block) &&
            dwarf_haspc(&die, code) > 0) {
            *scope = die;
            return true;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* dwarf_getscopes would look through the whole unit. */
void hd_symbols_lookup_innermost(hd_symbols_lookup *s, uint64_t code) {
    Dwarf_Die scope = s->function;
    while (find_inner(&scope, code))
        if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
            s->function = scope;
}
