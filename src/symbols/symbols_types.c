#include "symbols_types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/base.h"

enum { DEEPEST = 40 };

bool hd_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

/* An object of the thread library, whose members are not shown. */
static bool is_whole(Dwarf_Die *type) {
    const char *name = dwarf_diename(type);
    static const char *const names[] = {
        "pthread_", "sem_t",           "mtx_t",       "cnd_t",        "once_flag",
        "mutex",    "recursive_mutex", "timed_mutex", "shared_mutex", "condition_variable"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Skips typedefs and qualifiers; stops at a type whose members are not shown. */
static bool peel(Dwarf_Die *type, bool whole) {
    for (int i = 0; i < DEEPEST; i++) {
        if (whole && is_whole(type))
            return false;
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_atomic_type:
        case DW_TAG_restrict_type: {
            Dwarf_Die below;
            if (!hd_symbols_type_of(type, &below))
                return false;
            *type = below;
            break;
        }
        default:
            return true;
        }
    }
    return false;
}

static uint64_t subrange_count(Dwarf_Die *range) {
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    if (dwarf_attr_integrate(range, DW_AT_count, &attribute) &&
        dwarf_formudata(&attribute, &number) == 0)
        return number;
    if (dwarf_attr_integrate(range, DW_AT_upper_bound, &attribute) &&
        dwarf_formudata(&attribute, &number) == 0)
        return number + 1;
    return 0;
}

/* "[2][3]", and the element's type and the offset in it. */
static bool enter_array(Dwarf_Die *type, uint64_t *offset, hd_vec_char *to) {
    Dwarf_Die element, range;
    Dwarf_Word size;
    if (!hd_symbols_type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 || !size)
        return false;
    uint64_t index = *offset / size;
    *offset %= size;
    uint64_t counts[8];
    int dimensions = 0;
    if (dwarf_child(type, &range) == 0)
        do {
            if (dwarf_tag(&range) == DW_TAG_subrange_type && dimensions < 8)
                counts[dimensions++] = subrange_count(&range);
        } while (dwarf_siblingof(&range, &range) == 0);
    uint64_t below = 1;
    for (int i = 1; i < dimensions; i++)
        below *= counts[i] ? counts[i] : 1;
    for (int i = 0; i < (dimensions ? dimensions : 1); i++) {
        hd_text_append(to, "[%llu]", (unsigned long long)(index / below));
        index %= below;
        if (i + 1 < dimensions)
            below /= counts[i + 1] ? counts[i + 1] : 1;
    }
    *type = element;
    return true;
}

/* The member there, or the base class. */
static bool enter_one(Dwarf_Die *type, uint64_t *offset, int wanted, hd_vec_char *to) {
    Dwarf_Die member;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        if (dwarf_tag(&member) != wanted)
            continue;
        Dwarf_Attribute attribute;
        Dwarf_Word start = 0, size;
        Dwarf_Die inner;
        if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) &&
            dwarf_formudata(&attribute, &start) != 0)
            continue;
        if (!hd_symbols_type_of(&member, &inner) || dwarf_aggregate_size(&inner, &size) != 0 ||
            *offset < start || *offset >= start + size || dwarf_hasattr(&member, DW_AT_external))
            continue;
        const char *name = dwarf_diename(&member);
        if (name && wanted == DW_TAG_member)
            hd_text_append(to, ".%s", name);
        *offset -= start;
        *type = inner;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

/* A member may be in what is left over at the end of a base class, whose size includes that. */
static bool enter_member(Dwarf_Die *type, uint64_t *offset, hd_vec_char *to) {
    return enter_one(type, offset, DW_TAG_member, to) ||
           enter_one(type, offset, DW_TAG_inheritance, to);
}

/* Memory in which the C++ library puts an object: the object's type, which is an argument. */
static void see_through(Dwarf_Die *type) {
    const char *name = dwarf_diename(type);
    Dwarf_Die die, inner;
    if (!name || (strncmp(name, "__aligned_membuf<", 17) != 0 &&
                  strncmp(name, "__aligned_buffer<", 17) != 0))
        return;
    if (dwarf_child(type, &die) == 0)
        do
            if (dwarf_tag(&die) == DW_TAG_template_type_parameter &&
                hd_symbols_type_of(&die, &inner)) {
                *type = inner;
                return;
            }
        while (dwarf_siblingof(&die, &die) == 0);
}

static void print_path(Dwarf_Die type, uint64_t offset, bool whole, hd_vec_char *to) {
    for (int depth = 0; depth < DEEPEST && peel(&type, whole); depth++) {
        bool entered = false;
        see_through(&type);
        switch (dwarf_tag(&type)) {
        case DW_TAG_array_type:
            entered = enter_array(&type, &offset, to);
            break;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
            entered = enter_member(&type, &offset, to);
            break;
        default:
            break;
        }
        if (!entered)
            break;
    }
    if (offset)
        hd_text_append(to, "+%llu", (unsigned long long)offset);
}

/* Most names of a large program are those of array elements, and libdw takes a microsecond each
 * time.  So the answer is kept. */
static void look_at_type(hd_symbols_typed *it) {
    Dwarf_Die type = it->type, range;
    Dwarf_Word size;
    hd_trace_array *array = &it->array;
    it->looked = -1;
    if (!peel(&type, true) || dwarf_tag(&type) != DW_TAG_array_type ||
        dwarf_child(&type, &range) != 0)
        return;
    do
        if (dwarf_tag(&range) == DW_TAG_subrange_type) {
            if (array->dimensions == 4 || !subrange_count(&range))
                return;
            array->counts[array->dimensions++] = subrange_count(&range);
        }
    while (dwarf_siblingof(&range, &range) == 0);
    if (!array->dimensions || !hd_symbols_type_of(&type, &type) ||
        dwarf_aggregate_size(&type, &size) != 0 || !size || !peel(&type, true))
        return;
    int tag = dwarf_tag(&type);
    if (tag != DW_TAG_base_type && tag != DW_TAG_pointer_type && tag != DW_TAG_enumeration_type)
        return;
    array->size = it->size;
    array->element = size;
    it->looked = 1;
}

bool hd_symbols_typed_init(hd_symbols_typed *it, Dwarf_Die *variable) {
    Dwarf_Word size;
    *it = (hd_symbols_typed){0};
    if (!hd_symbols_type_of(variable, &it->type) || dwarf_aggregate_size(&it->type, &size) != 0)
        return false;
    it->size = size;
    return true;
}

const hd_trace_array *hd_symbols_typed_array(hd_symbols_typed *it) {
    if (!it->looked)
        look_at_type(it);
    return it->looked > 0 ? &it->array : NULL;
}

void hd_symbols_parts_release(hd_symbols_parts *parts) {
    for (size_t i = 0; i < parts->texts.length; i++)
        hd_vec_release(&parts->texts.data[i]);
    hd_vec_release(&parts->texts);
    hd_map_release(&parts->types);
    hd_map_release(&parts->known);
}

/* The key of a part; 0: it is not kept. */
static uint64_t key_of(hd_symbols_parts *parts, const Dwarf_Die *type, uint64_t offset,
                       bool whole) {
    enum { MOST_TYPES = 1 << 20 };
    bool added;
    if (offset >> 32 || parts->types.length >= MOST_TYPES)
        return 0;
    uint32_t *number = hd_map_at(&parts->types, (uintptr_t)type->addr, &added);
    if (added)
        *number = (uint32_t)parts->types.length;
    return (uint64_t)*number << 33 | offset << 1 | (whole ? 1 : 0);
}

void hd_symbols_print_part(hd_symbols_parts *parts, hd_symbols_typed *it, uint64_t offset,
                           bool whole, hd_vec_char *to) {
    enum { MOST = 1 << 16 };
    const hd_trace_array *array = hd_symbols_typed_array(it);
    if (array) {
        hd_trace_print_element(array, offset, to);
        return;
    }
    uint64_t key = key_of(parts, &it->type, offset, whole);
    const uint32_t *known = hd_map_find(&parts->known, key);
    if (known) {
        hd_text_append_text(to, parts->texts.data[*known].data);
        return;
    }
    size_t before = to->length;
    hd_text_append_text(to, "");
    print_path(it->type, offset, whole, to);
    if (!key || parts->texts.length >= MOST)
        return;
    hd_vec_char text = {0};
    bool added;
    hd_text_append_text(&text, to->data + before);
    hd_vec_push(&parts->texts, text);
    *hd_map_at(&parts->known, key, &added) = (uint32_t)parts->texts.length - 1;
}
