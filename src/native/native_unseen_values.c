/*
 * Accesses that compilers do not announce although they instrument the code, by the debugging
 * information of a unit that is instrumented.
 *
 * gcc: the store of a structure that a function returns, and the read of one that is passed by
 * value.  To whom the structure belongs is not known, so every function that is called so counts;
 * of functions of the C++ library only those with a type that a static variable or a member of the
 * program has, for iterators and the like are everywhere, and local.  What C++ copies with a
 * constructor of its own is announced there.  A va_list counts where a static variable or a member
 * is one.
 *
 * clang: accesses of other than 1, 2, 4, 8 and 16 bytes: some bit-fields, vectors, structures in
 * registers, and long double where it has 10 bytes.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>

#include "native_unseen.h"
#include "symbols/symbols.h"

typedef struct unit {
    hd_native_unseen *unseen;
    bool clang, cxx, optimised;
    bool ten_bytes;          /* of a long double */
    bool indirect;           /* a call of nobody knows which function */
    HD_VEC(Dwarf_Off) kept;  /* types of static variables and members */
    HD_VEC(Dwarf_Off) calls; /* functions that are called */
} unit;

typedef void visitor(unit *it, Dwarf_Die *die);

static void visit_all(unit *it, Dwarf_Die *die, visitor *visit) {
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        visit(it, &child);
        visit_all(it, &child, visit);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void add_name(hd_native_unseen *unseen, bool structure, const char *name) {
    hd_native_names *names = structure ? &unseen->structures : &unseen->sizes;
    for (size_t i = 0; i < names->length; i++)
        if (strcmp(names->data[i], name) == 0)
            return;
    hd_vec_push(names, hd_mem_string(name, strlen(name)));
}

/* --- types ---------------------------------------------------------------------------------- */

/* The type of a DIE without its qualifiers and other names. */
static bool plain_type(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    Dwarf_Die of;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &of) &&
           dwarf_peel_type(&of, type) == 0;
}

static bool is_aggregate(Dwarf_Die *type) {
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static bool is_of_library(Dwarf_Die *die) {
    const char *file = dwarf_decl_file(die);
    return file && strncmp(file, "/usr/", 5) == 0;
}

/* Written by the author, not left to the compiler. */
static bool is_provided(Dwarf_Die *function) {
    return !dwarf_hasattr(function, DW_AT_defaulted) && !dwarf_hasattr(function, DW_AT_deleted) &&
           !dwarf_hasattr(function, DW_AT_artificial);
}

/* Of a class: X(const X &) or X(X &&). */
static bool takes_reference_to(Dwarf_Die *function, Dwarf_Die *class) {
    Dwarf_Die child, type, of;
    if (dwarf_child(function, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
            dwarf_hasattr(&child, DW_AT_artificial) || !plain_type(&child, &type))
            continue;
        int tag = dwarf_tag(&type);
        return (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) &&
               plain_type(&type, &of) && dwarf_dieoffset(&of) == dwarf_dieoffset(class);
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool copies_itself(Dwarf_Die *class, Dwarf_Die *function) {
    const char *name = dwarf_diename(function), *own = dwarf_diename(class);
    if (!name || !is_provided(function))
        return false;
    if (name[0] == '~')
        return true;
    size_t length = own ? strcspn(own, "<") : 0;
    return length && strncmp(name, own, length) == 0 && (!name[length] || name[length] == '<') &&
           takes_reference_to(function, class);
}

/* Copied by a constructor, so passed by its address. */
static bool has_copier(Dwarf_Die *class) {
    Dwarf_Die child, type;
    if (dwarf_child(class, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_subprogram &&
            (copies_itself(class, &child) || dwarf_hasattr(&child, DW_AT_virtuality)))
            return true;
        bool part = (tag == DW_TAG_member && !dwarf_hasattr(&child, DW_AT_external)) ||
                    tag == DW_TAG_inheritance;
        if (part && plain_type(&child, &type) && is_aggregate(&type) && has_copier(&type))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* A class without members has a byte that nobody uses. */
static bool is_empty(Dwarf_Die *type) {
    Dwarf_Die child, base;
    if (dwarf_child(type, &child) != 0)
        return true;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_member && !dwarf_hasattr(&child, DW_AT_external))
            return false;
        if (tag == DW_TAG_inheritance && plain_type(&child, &base) && !is_empty(&base))
            return false;
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

static bool is_odd(uint64_t size) {
    return size != 1 && size != 2 && size != 4 && size != 8 && size != 16;
}

/* A structure that the compiler moves from or to memory without a word when it is passed. */
static bool is_silent(unit *it, Dwarf_Die *type) {
    if (!is_aggregate(type) || (it->cxx && has_copier(type)))
        return false;
    int size = dwarf_bytesize(type);
    if (it->clang)
        return it->optimised && size > 0 && size <= 16 && size % 8 && is_odd((uint64_t)size % 8);
    return !is_empty(type);
}

static bool is_kept(const unit *it, Dwarf_Die *type) {
    Dwarf_Off offset = dwarf_dieoffset(type);
    for (size_t i = 0; i < it->kept.length; i++)
        if (it->kept.data[i] == offset)
            return true;
    return false;
}

/* --- functions ------------------------------------------------------------------------------ */

/* A structure where arguments are passed in registers and on the stack by one rule (aarch64); an
 * array, whose address is passed, elsewhere. */
static bool is_va_list(Dwarf_Die *type) {
    const char *name = dwarf_diename(type);
    return name && strcmp(name, "__va_list") == 0;
}

/* Counts for a function that returns it or takes it.  A va_list belongs to a call of the thread
 * that passes it on, unless the program keeps one. */
static bool matters(unit *it, Dwarf_Die *of, bool library) {
    Dwarf_Die type;
    if (!plain_type(of, &type) || !is_silent(it, &type))
        return false;
    return is_kept(it, &type) || (!library && !is_va_list(&type));
}

/* A function, or a type of functions, that returns or takes a structure. */
static bool passes_structure(unit *it, Dwarf_Die *function) {
    Dwarf_Die child;
    bool library = it->cxx && is_of_library(function);
    if (matters(it, function, library))
        return true;
    if (dwarf_child(function, &child) != 0)
        return false;
    do
        if (dwarf_tag(&child) == DW_TAG_formal_parameter && matters(it, &child, library))
            return true;
    while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* The declaration that a definition, or a copy of one, is of. */
static Dwarf_Die origin_of(Dwarf_Die die) {
    Dwarf_Attribute attribute;
    Dwarf_Die of;
    while (dwarf_formref_die(dwarf_attr(&die, DW_AT_abstract_origin, &attribute), &of) ||
           dwarf_formref_die(dwarf_attr(&die, DW_AT_specification, &attribute), &of))
        die = of;
    return die;
}

static bool is_called(const unit *it, Dwarf_Die *function) {
    Dwarf_Die origin = origin_of(*function);
    Dwarf_Off offset = dwarf_dieoffset(&origin);
    for (size_t i = 0; i < it->calls.length; i++)
        if (it->calls.data[i] == offset)
            return true;
    return false;
}

/* Where not all calls are listed: a function that is there, and in C one that is only declared,
 * for others than those used are not mentioned. */
static bool may_be_called(const unit *it, Dwarf_Die *function) {
    Dwarf_Addr low;
    if (is_called(it, function) || dwarf_hasattr(function, DW_AT_virtuality))
        return true;
    if (dwarf_hasattr(function, DW_AT_declaration))
        return !it->cxx;
    return !it->optimised && dwarf_lowpc(function, &low) == 0;
}

static void see_function(unit *it, Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    if (tag == DW_TAG_subprogram && may_be_called(it, die) && passes_structure(it, die)) {
        Dwarf_Die origin = origin_of(*die);
        const char *name = dwarf_diename(&origin);
        add_name(it->unseen, true, name ? name : "(unnamed)");
    }
    if (tag == DW_TAG_subroutine_type && it->indirect && passes_structure(it, die))
        add_name(it->unseen, true, "(a function by its address)");
}

/* --- what there is -------------------------------------------------------------------------- */

/* The types of which an array or structure is made, itself included. */
static void keep_types(unit *it, Dwarf_Die *of) {
    Dwarf_Die type;
    if (!plain_type(of, &type))
        return;
    if (dwarf_tag(&type) == DW_TAG_array_type)
        keep_types(it, &type);
    else if (is_aggregate(&type) && !is_kept(it, &type))
        hd_vec_push(&it->kept, dwarf_dieoffset(&type));
}

static bool is_static(Dwarf_Die *variable) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    return dwarf_hasattr(variable, DW_AT_external) || dwarf_hasattr(variable, DW_AT_declaration) ||
           (dwarf_getlocation(dwarf_attr(variable, DW_AT_location, &attribute), &operations,
                              &count) == 0 &&
            count && operations[0].atom == DW_OP_addr);
}

static void see_call(unit *it, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Die function;
    if (!dwarf_formref_die(dwarf_attr(die, DW_AT_call_origin, &attribute), &function) &&
        !dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attribute), &function)) {
        it->indirect = true;
        return;
    }
    function = origin_of(function);
    hd_vec_push(&it->calls, dwarf_dieoffset(&function));
}

static void collect(unit *it, Dwarf_Die *die) {
    Dwarf_Addr low;
    int tag = dwarf_tag(die);
    if ((tag == DW_TAG_variable && is_static(die)) || (tag == DW_TAG_member && !is_of_library(die)))
        keep_types(it, die);
    if (tag == DW_TAG_subprogram && dwarf_lowpc(die, &low) == 0)
        it->indirect |= !dwarf_hasattr(die, DW_AT_call_all_calls); /* some that are not listed */
    if (tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site)
        see_call(it, die);
}

/* --- sizes ---------------------------------------------------------------------------------- */

/* Adjacent bit-fields are accessed as one number: bits [low, high), in a structure in which
 * something else begins at byte `next`. */
static bool is_odd_run(uint64_t low, uint64_t high, uint64_t next) {
    uint64_t first = low / 8, size = (high + 7) / 8 - first, whole = 1;
    while (whole < size)
        whole *= 2;
    return high > low && whole != size && first + whole > next;
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number) {
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &word) != 0)
        return false;
    *number = word;
    return true;
}

/* Where a bit-field begins, in bits; either version of DWARF, bytes in little-endian order. */
static bool find_bits(Dwarf_Die *member, uint64_t *at, uint64_t *bits) {
    uint64_t byte, size, before;
    if (!number_of(member, DW_AT_bit_size, bits))
        return false;
    if (number_of(member, DW_AT_data_bit_offset, at))
        return true;
    if (!number_of(member, DW_AT_data_member_location, &byte) ||
        !number_of(member, DW_AT_byte_size, &size) || !number_of(member, DW_AT_bit_offset, &before))
        return false;
    *at = (byte + size) * 8 - before - *bits;
    return true;
}

static bool has_odd_bits(Dwarf_Die *type) {
    uint64_t low = 0, high = 0, at, bits;
    Dwarf_Die child;
    int size = dwarf_bytesize(type);
    if (size < 0 || dwarf_child(type, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) != DW_TAG_member)
            continue;
        if (find_bits(&child, &at, &bits)) {
            low = high ? low : at;
            high = at + bits;
        } else if (number_of(&child, DW_AT_data_member_location, &at)) {
            if (is_odd_run(low, high, at))
                return true;
            low = high = 0;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return is_odd_run(low, high, (uint64_t)size);
}

static void see_size(unit *it, Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    Dwarf_Word size;
    switch (dwarf_tag(die)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        if (!is_of_library(die) && has_odd_bits(die))
            add_name(it->unseen, false, name ? name : "(a structure)");
        break;
    case DW_TAG_array_type:
        if (dwarf_hasattr(die, DW_AT_GNU_vector) && dwarf_aggregate_size(die, &size) == 0 &&
            is_odd(size))
            add_name(it->unseen, false, "(a vector)");
        break;
    case DW_TAG_base_type:
        if (it->ten_bytes && name && strstr(name, "long double"))
            add_name(it->unseen, false, name);
        break;
    default:
        break;
    }
}

/* --- units ---------------------------------------------------------------------------------- */

static bool is_optimised(const char *made) {
    const char *level = NULL;
    for (const char *at = made; (at = strstr(at, " -O")); at += 3)
        level = at + 3;
    return level && *level != '0';
}

static bool is_cxx(int language) {
    static const int known[] = {DW_LANG_C_plus_plus,    DW_LANG_C_plus_plus_03,
                                DW_LANG_C_plus_plus_11, DW_LANG_C_plus_plus_14,
                                0x2b /* 17 */,          0x2e /* 20 */};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (language == known[i])
            return true;
    return false;
}

void hd_native_unseen_values(hd_native_unseen *unseen, Dwarf_Die *die, const char *made, bool x86) {
    bool clang = strstr(made, "clang");
    unit it = {.unseen = unseen,
               .clang = clang,
               .ten_bytes = clang && x86,
               .optimised = is_optimised(made),
               .cxx = is_cxx(dwarf_srclang(die))};
    visit_all(&it, die, collect);
    visit_all(&it, die, see_function);
    if (clang)
        visit_all(&it, die, see_size);
    hd_vec_release(&it.kept);
    hd_vec_release(&it.calls);
}
