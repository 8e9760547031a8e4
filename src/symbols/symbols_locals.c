#include "symbols_locals.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>

#include "symbols_types.h"

enum { DEEPEST = 40 };

/* A variable, a frame base or a frame is located by its distance from one of these. */
enum from { NOWHERE, FROM_STACK_POINTER, FROM_FRAME_POINTER, FROM_CFA };

typedef struct rule {
    enum from from;
    int64_t offset;
} rule;

typedef struct local {
    rule at;
    hd_symbols_typed typed;
    const char *name, *function;
} local;

/* A function whose call of the entry hook returns to `code`. */
typedef struct layout {
    uint64_t code;
    rule cfa;
    uint32_t first, end; /* its variables */
} layout;

/* A variable in a frame. */
typedef struct item {
    uint64_t start, end;
    uint64_t furthest; /* end of those that do not begin after it */
    uint32_t thread, local;
    bool repeated; /* there are others of this name */
} item;

struct hd_symbols_locals {
    const hd_launch_run *run;
    hd_symbols *symbols;
    HD_VEC(local) locals;
    HD_VEC(layout) layouts;
    hd_map by_code; /* place in `layouts` */
    HD_VEC(item) items;
    hd_vec_u64 tops; /* of each thread: where its outermost frame ends */
    uint32_t known;  /* functions of the wire that are in `items` */
    hd_vec_char text[2];
};

hd_symbols_locals *hd_symbols_locals_create(const hd_launch_run *run, hd_symbols *symbols) {
    hd_symbols_locals *locals = HD_NEW(hd_symbols_locals);
    locals->run = run;
    locals->symbols = symbols;
    return locals;
}

void hd_symbols_locals_free(hd_symbols_locals *locals) {
    if (!locals)
        return;
    hd_vec_release(&locals->locals);
    hd_vec_release(&locals->layouts);
    hd_map_release(&locals->by_code);
    hd_vec_release(&locals->items);
    hd_vec_release(&locals->tops);
    hd_vec_release(&locals->text[0]);
    hd_vec_release(&locals->text[1]);
    free(locals);
}

void hd_symbols_locals_forget(hd_symbols_locals *locals) {
    locals->known = 0;
    hd_vec_clear(&locals->items);
}

/* --- where a function has its variables ------------------------------------------------------ */

/* The state of reading one function. */
typedef struct reading {
    hd_symbols_locals *locals;
    unsigned stack_pointer, frame_pointer; /* numbers of registers */
    uint64_t code;                         /* as in the file */
    rule base;
    const char *function;
} reading;

static enum from from_register(const reading *r, uint64_t number) {
    return number == r->stack_pointer   ? FROM_STACK_POINTER
           : number == r->frame_pointer ? FROM_FRAME_POINTER
                                        : NOWHERE;
}

/* The rule for an expression that is a register, or a distance from one or from the frame. */
static rule rule_of(const reading *r, const Dwarf_Op *ops, size_t count) {
    rule none = {NOWHERE, 0};
    if (count != 1)
        return none;
    unsigned op = ops[0].atom;
    if (op == DW_OP_call_frame_cfa)
        return (rule){FROM_CFA, 0};
    if (op == DW_OP_fbreg)
        return (rule){r->base.from, r->base.offset + (int64_t)ops[0].number};
    if (op == DW_OP_bregx)
        return (rule){from_register(r, ops[0].number), (int64_t)ops[0].number2};
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        return (rule){from_register(r, op - DW_OP_breg0), (int64_t)ops[0].number};
    return none;
}

static rule frame_base(const reading *r, Dwarf_Die *function) {
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation_addr(&attribute, r->code, &ops, &count, 1) != 1)
        return (rule){NOWHERE, 0};
    if (count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
        return (rule){from_register(r, ops[0].atom - DW_OP_reg0), 0};
    return rule_of(r, ops, count);
}

/* The end of the frame, by the unwind tables. */
static rule canonical_frame(const reading *r, Dwarf_CFI *tables, uint64_t code) {
    Dwarf_Frame *frame;
    Dwarf_Op *ops;
    size_t count;
    rule found = {NOWHERE, 0};
    if (!tables || dwarf_cfi_addrframe(tables, code, &frame) != 0)
        return found;
    if (dwarf_frame_cfa(frame, &ops, &count) == 0)
        found = rule_of(r, ops, count);
    free(frame);
    return found;
}

static void add_local(reading *r, Dwarf_Die *die, rule at) {
    hd_symbols_locals *locals = r->locals;
    Dwarf_Attribute attribute;
    local it = {.at = at, .function = r->function};
    it.name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    if (it.name && hd_symbols_typed_init(&it.typed, die) && it.typed.size)
        hd_vec_push(&locals->locals, it);
}

/* A variable may be in memory only in some parts of the function, even in several places. */
static void add_variable(reading *r, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t count;
    rule last = {NOWHERE, 0};
    if (!dwarf_attr(die, DW_AT_location, &attribute))
        return;
    for (ptrdiff_t next = 0;
         (next = dwarf_getlocations(&attribute, next, &base, &start, &end, &ops, &count)) > 0;) {
        rule at = rule_of(r, ops, count);
        if (at.from == NOWHERE || (at.from == last.from && at.offset == last.offset))
            continue;
        last = at;
        add_local(r, die, at);
    }
}

static void add_variables(reading *r, Dwarf_Die *parent, int depth) {
    Dwarf_Die die;
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        const char *outer = r->function;
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            add_variable(r, &die);
            break;
        case DW_TAG_inlined_subroutine: {
            const char *inner = hd_symbols_qualified(r->locals->symbols, &die);
            r->function = inner ? inner : outer;
            add_variables(r, &die, depth + 1);
            r->function = outer;
            break;
        }
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
            add_variables(r, &die, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* The registers' numbers in debugging information; false for architectures that are not known. */
static bool find_registers(reading *r, Dwfl_Module *module) {
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(module, &bias);
    if (!elf || !gelf_getehdr(elf, &header))
        return false;
    switch (header.e_machine) {
    case EM_X86_64:
        r->stack_pointer = 7;
        r->frame_pointer = 6;
        return true;
    case EM_AARCH64:
        r->stack_pointer = 31;
        r->frame_pointer = 29;
        return true;
    default:
        return false;
    }
}

static void read_layout(hd_symbols_locals *locals, layout *it) {
    Dwfl_Module *module = hd_symbols_module(locals->symbols, it->code);
    Dwarf_Die *function = hd_symbols_entry(locals->symbols, it->code);
    reading r = {.locals = locals};
    Dwarf_Addr bias;
    it->first = it->end = (uint32_t)locals->locals.length;
    if (!module || !function || !find_registers(&r, module) || !dwfl_module_getdwarf(module, &bias))
        return;
    r.code = it->code - 1 - bias;
    Dwarf_CFI *tables = dwfl_module_eh_cfi(module, &bias);
    it->cfa = canonical_frame(&r, tables, it->code - 1 - bias);
    if (it->cfa.from == NOWHERE) {
        tables = dwfl_module_dwarf_cfi(module, &bias);
        it->cfa = canonical_frame(&r, tables, it->code - 1 - bias);
    }
    r.base = frame_base(&r, function);
    r.function = hd_symbols_qualified(locals->symbols, function);
    if (r.function)
        add_variables(&r, function, 0);
    it->end = (uint32_t)locals->locals.length;
}

static const layout *layout_of(hd_symbols_locals *locals, uint64_t code) {
    bool added;
    uint32_t *place = hd_map_at(&locals->by_code, code, &added);
    if (added) {
        *place = (uint32_t)locals->layouts.length;
        layout fresh = {.code = code};
        read_layout(locals, &fresh);
        hd_vec_push(&locals->layouts, fresh);
    }
    return &locals->layouts.data[*place];
}

/* --- frames ---------------------------------------------------------------------------------- */

static bool place_at(rule by, const heddle_wire_function *frame, uint64_t cfa, uint64_t *to) {
    switch (by.from) {
    case FROM_STACK_POINTER:
        *to = frame->stack + (uint64_t)by.offset;
        return true;
    case FROM_FRAME_POINTER:
        *to = frame->frame + (uint64_t)by.offset;
        return true;
    case FROM_CFA:
        *to = cfa + (uint64_t)by.offset;
        return cfa != 0;
    default:
        return false;
    }
}

static void add_frame(hd_symbols_locals *locals, const heddle_wire_function *frame) {
    const layout *it = layout_of(locals, frame->code);
    uint64_t cfa = 0, top;
    place_at(it->cfa, frame, 0, &cfa);
    top = cfa ? cfa : frame->stack;
    if (locals->tops.length <= frame->thread)
        hd_vec_resize(&locals->tops, frame->thread + 1);
    if (locals->tops.data[frame->thread] < top)
        locals->tops.data[frame->thread] = top;
    for (uint32_t i = it->first; i < it->end; i++) {
        item fresh = {.thread = frame->thread, .local = i};
        if (!place_at(locals->locals.data[i].at, frame, cfa, &fresh.start))
            continue;
        fresh.end = fresh.start + locals->locals.data[i].typed.size;
        hd_vec_push(&locals->items, fresh);
    }
}

static int compare_starts(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->start != y->start)
        return x->start > y->start ? 1 : -1;
    return (x->local > y->local) - (x->local < y->local);
}

static int compare_names(const hd_symbols_locals *locals, const item *x, const item *y) {
    if (x->thread != y->thread)
        return x->thread > y->thread ? 1 : -1;
    const local *p = &locals->locals.data[x->local], *q = &locals->locals.data[y->local];
    int order = strcmp(p->name, q->name);
    return order ? order : strcmp(p->function, q->function);
}

static int compare_items(const void *a, const void *b, void *context) {
    const item *x = *(const item *const *)a, *y = *(const item *const *)b;
    int order = compare_names(context, x, y);
    return order ? order : compare_starts(x, y);
}

/* Marks variables of one name that are in several places. */
static void find_repeated(hd_symbols_locals *locals) {
    HD_VEC(item *) order = {0};
    size_t count = locals->items.length;
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&order, &locals->items.data[i]);
    qsort_r(order.data, count, sizeof *order.data, compare_items, locals);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && compare_names(locals, order.data[first], order.data[end]) == 0)
            end++;
        bool repeated = order.data[first]->start != order.data[end - 1]->start;
        for (size_t i = first; i < end; i++)
            order.data[i]->repeated = repeated;
    }
    hd_vec_release(&order);
}

static void read_frames(hd_symbols_locals *locals, uint32_t count) {
    const heddle_wire *wire = locals->run->wire;
    hd_vec_clear(&locals->items);
    hd_vec_clear(&locals->tops);
    for (uint32_t i = 0; i < count; i++) {
        heddle_wire_function frame = wire->function[i];
        frame.code = __atomic_load_n(&wire->function[i].code, __ATOMIC_ACQUIRE);
        if (frame.code && frame.thread < HEDDLE_WIRE_THREADS)
            add_frame(locals, &frame);
    }
    locals->known = count;
    if (!locals->items.length)
        return;
    qsort(locals->items.data, locals->items.length, sizeof *locals->items.data, compare_starts);
    uint64_t furthest = 0;
    for (size_t i = 0; i < locals->items.length; i++) {
        item *it = &locals->items.data[i];
        furthest = it->end > furthest ? it->end : furthest;
        it->furthest = furthest;
    }
    find_repeated(locals);
}

/* --- names ----------------------------------------------------------------------------------- */

static void print_item(hd_symbols_locals *locals, const item *it, uint64_t address, bool whole,
                       hd_vec_char *to) {
    local *variable = &locals->locals.data[it->local];
    hd_text_append_text(to, variable->name);
    hd_symbols_print_part(hd_symbols_parts_of(locals->symbols), &variable->typed,
                          address - it->start, whole, to);
    hd_text_append_text(to, " of ");
    hd_launch_thread_name(locals->run, it->thread, to);
    hd_text_append(to, " in %s()", variable->function);
    if (it->repeated)
        hd_text_append(to, " at %lld", (long long)(it->start - locals->tops.data[it->thread]));
}

/* Up to two different names, in order; returns how many there are, 3 means 3 or more. */
static int find_names(hd_symbols_locals *locals, uint64_t address, bool whole) {
    size_t low;
    hd_vec_upper(low, &locals->items, start, address);
    int found = 0;
    hd_vec_char *text = locals->text;
    for (; low && locals->items.data[low - 1].furthest > address; low--) {
        const item *it = &locals->items.data[low - 1];
        if (it->end <= address)
            continue;
        hd_vec_char fresh = {0};
        print_item(locals, it, address, whole, &fresh);
        bool known = (found > 0 && strcmp(fresh.data, text[0].data) == 0) ||
                     (found > 1 && strcmp(fresh.data, text[1].data) == 0);
        if (!known && found < 2) {
            hd_vec_clear(&text[found]);
            hd_text_append_text(&text[found], fresh.data);
        }
        found += !known;
        hd_vec_release(&fresh);
        if (found > 2)
            break;
    }
    return found;
}

bool hd_symbols_locals_name(hd_symbols_locals *locals, uint64_t address, bool whole,
                            hd_vec_char *to) {
    uint32_t count = __atomic_load_n(&locals->run->wire->functions, __ATOMIC_ACQUIRE);
    if (count > HEDDLE_WIRE_FUNCTIONS)
        return false; /* not everything that was there is known */
    int found = find_names(locals, address, whole);
    if (!found && count != locals->known) {
        read_frames(locals, count);
        found = find_names(locals, address, whole);
    }
    if (found < 1 || found > 2)
        return false;
    const hd_vec_char *text = locals->text;
    bool second = found == 2 && strcmp(text[0].data, text[1].data) > 0;
    hd_text_append_text(to, text[second ? 1 : 0].data);
    if (found == 2) {
        hd_text_append_text(to, " or ");
        hd_text_append_text(to, text[second ? 0 : 1].data);
    }
    return true;
}
