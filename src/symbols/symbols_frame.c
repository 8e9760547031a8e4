#include "symbols_frame.h"

#include <assert.h>
#include <string.h>

#include "base/base.h"

typedef hd_symbols_value value;
typedef hd_symbols_step step;

/* --- functions that are called -------------------------------------------------------------- */

const char *hd_symbols_number_after(const char *name, const char *prefix, uint32_t *number) {
    size_t length = strlen(prefix), digits;
    uint64_t wide;
    if (strncmp(name, prefix, length) != 0)
        return NULL;
    digits = strspn(name + length, "0123456789");
    if (!hd_text_u64(name + length, digits, &wide) || wide > UINT32_MAX)
        return NULL;
    *number = (uint32_t)wide;
    return name + length + digits;
}

static enum hd_symbols_callee callee_of(const char *name, uint32_t *size) {
    static const char *const quiet[] = {"__tsan_func_entry",    "__tsan_func_exit",
                                        "sched_yield",          "pthread_mutex_lock",
                                        "pthread_mutex_unlock", "pthread_mutex_trylock"};
    static const char *const last[] = {"__assert_fail", "abort", "_exit", "exit",
                                       "__stack_chk_fail"};
    static const char *const twice[] = {"setjmp", "vfork", "getcontext"};
    uint32_t bits;
    const char *rest;
    if (!name)
        return HD_SYMBOLS_ANY;
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        if (strstr(name, twice[i]))
            return HD_SYMBOLS_TWICE;
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (strcmp(name, quiet[i]) == 0)
            return HD_SYMBOLS_QUIET;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        if (strcmp(name, last[i]) == 0)
            return HD_SYMBOLS_LAST;
    if ((rest = hd_symbols_number_after(name, "__tsan_read", &bits)) && !*rest)
        return HD_SYMBOLS_QUIET;
    if ((rest = hd_symbols_number_after(name, "__tsan_write", &bits)) && !*rest)
        return HD_SYMBOLS_QUIET;
    if (strncmp(name, "heddle_rt_atomic_", strlen("heddle_rt_atomic_")) == 0)
        return HD_SYMBOLS_QUIET;
    if (!(rest = hd_symbols_number_after(name, "__tsan_atomic", &bits)) || *rest != '_')
        return HD_SYMBOLS_ANY;
    *size = bits / 8;
    if (strcmp(rest, "_compare_exchange_strong") == 0 ||
        strcmp(rest, "_compare_exchange_weak") == 0)
        return HD_SYMBOLS_COMPARE;
    return HD_SYMBOLS_QUIET;
}

/* --- forwards ------------------------------------------------------------------------------- */

static const value nothing = {HD_SYMBOLS_UNKNOWN, 0};

static bool is_same(value a, value b) {
    return a.kind == b.kind &&
           (a.kind == HD_SYMBOLS_UNKNOWN || a.kind == HD_SYMBOLS_MIXED || a.number == b.number);
}

/* What holds on both ways. */
static value meet(value a, value b) {
    if (is_same(a, b))
        return a;
    return hd_symbols_may_be_in_frame(a) || hd_symbols_may_be_in_frame(b)
               ? (value){HD_SYMBOLS_MIXED, 0}
               : nothing;
}

/* Comes to an address with these values; 0 if there is no code that is known. */
static uint32_t come_to(hd_symbols_frame *f, uint64_t address, const value *values) {
    bool added, news = false;
    if (f->steps.length == HD_SYMBOLS_MOST_STEPS)
        return 0;
    uint32_t *number = hd_map_at(&f->at, address, &added);
    if (added) {
        step it = {.address = address};
        if (!hd_symbols_image_decode(f->image, address, &it.it))
            return 0; /* the key stays, for nothing */
        hd_vec_push(&f->steps, it);
        *number = (uint32_t)f->steps.length;
    }
    if (!*number)
        return 0;
    step *to = &f->steps.data[*number - 1];
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++) {
        value before = to->before[i];
        to->before[i] = to->seen ? meet(before, values[i]) : values[i];
        news |= !is_same(before, to->before[i]);
    }
    if (!to->seen || news)
        hd_vec_push(&f->todo, *number - 1);
    to->seen = true;
    return *number;
}

/* The value that the instruction gives to it->to. */
static value move(const hd_symbols_frame *f, const step *p) {
    const hd_symbols_instruction *it = &p->it;
    const value *values = p->before;
    value from = hd_symbols_value_of(values, it->from);
    const hd_symbols_memory *memory = &it->memory[0];
    value base = hd_symbols_value_of(values, memory->base);
    switch (it->move) {
    case HD_SYMBOLS_SUM:
        if (from.kind == HD_SYMBOLS_UNKNOWN || from.kind == HD_SYMBOLS_LOADED)
            return it->number ? nothing : from;
        return (value){from.kind, from.number + it->number};
    case HD_SYMBOLS_NUMBER:
        return (value){HD_SYMBOLS_CONSTANT, it->number};
    case HD_SYMBOLS_LOAD:
        if (memory->fixed)
            return (value){HD_SYMBOLS_LOADED, memory->offset};
        if (base.kind == HD_SYMBOLS_CONSTANT && memory->index == HD_SYMBOLS_NO_REGISTER)
            return (value){HD_SYMBOLS_LOADED, base.number + memory->offset};
        return f->spills && hd_symbols_may_be_in_frame(base) ? (value){HD_SYMBOLS_MIXED, 0}
                                                             : nothing;
    default:
        return nothing;
    }
}

/* Does an address in the frame go where it is not followed? */
static bool escapes(const hd_symbols_frame *f, const step *p) {
    const hd_symbols_instruction *it = &p->it;
    value stack = p->before[f->image->arch->stack];
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        if (it->uses >> i & 1 && hd_symbols_may_be_in_frame(p->before[i]))
            return true;
    for (unsigned i = 0; i < it->memories; i++) {
        value base = hd_symbols_value_of(p->before, it->memory[i].base);
        if (hd_symbols_may_be_in_frame(hd_symbols_value_of(p->before, it->memory[i].index)) ||
            base.kind == HD_SYMBOLS_MIXED ||
            (base.kind == HD_SYMBOLS_IN_FRAME && it->memory[i].index != HD_SYMBOLS_NO_REGISTER))
            return true;
    }
    if (it->flow == HD_SYMBOLS_TAIL || it->flow == HD_SYMBOLS_AWAY)
        return it->flow == HD_SYMBOLS_AWAY || stack.kind != HD_SYMBOLS_IN_FRAME ||
               stack.number != 0;
    if (it->flow != HD_SYMBOLS_CALL || p->callee == HD_SYMBOLS_QUIET ||
        p->callee == HD_SYMBOLS_LAST)
        return false;
    for (unsigned i = 0; i < sizeof f->image->arch->argument; i++) {
        value argument = hd_symbols_value_of(p->before, f->image->arch->argument[i]);
        if (hd_symbols_may_be_in_frame(argument) &&
            !(p->callee == HD_SYMBOLS_COMPARE && i == 1 && argument.kind == HD_SYMBOLS_IN_FRAME))
            return true;
    }
    return false;
}

/* Which function a call is one of. */
static void find_callee(const hd_symbols_frame *f, step *p) {
    value by = hd_symbols_value_of(p->before, p->it.by);
    p->name = NULL;
    if (p->it.target)
        p->name = hd_symbols_image_at(f->image, p->it.target);
    else if (p->it.through)
        p->name = hd_symbols_image_loaded(f->image, p->it.through);
    else if (by.kind == HD_SYMBOLS_LOADED)
        p->name = hd_symbols_image_loaded(f->image, (uint64_t)by.number);
    p->callee = (uint8_t)callee_of(p->name, &p->size);
}

/* What it leaves in the registers that it changes, if it is no address that is followed: perhaps
 * one in the frame, if it is computed from one, or loaded where one may have been put. */
static value change(const hd_symbols_frame *f, const step *p) {
    const hd_symbols_instruction *it = &p->it;
    bool in_frame = false;
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        in_frame |= it->uses >> i & 1 && hd_symbols_may_be_in_frame(p->before[i]);
    for (unsigned i = 0; i < it->memories; i++)
        in_frame |= f->spills &&
                    hd_symbols_may_be_in_frame(hd_symbols_value_of(p->before, it->memory[i].base));
    return in_frame && it->flow != HD_SYMBOLS_CALL ? (value){HD_SYMBOLS_MIXED, 0} : nothing;
}

/* Does an address in the frame go into memory, or may it? */
static bool spills(const step *p) {
    bool used = false;
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        used |= p->it.uses >> i & 1 && hd_symbols_may_be_in_frame(p->before[i]);
    return used && (p->it.memories || p->it.vector);
}

static void pass(hd_symbols_frame *f, uint32_t number) {
    value after[HD_SYMBOLS_REGISTERS];
    step *p = &f->steps.data[number];
    const hd_symbols_instruction it = p->it;
    if (it.flow == HD_SYMBOLS_CALL)
        find_callee(f, p);
    f->returns_twice |= p->callee == HD_SYMBOLS_TWICE;
    f->escapes |= escapes(f, p);
    f->spills |= spills(p);
    memcpy(after, p->before, sizeof after);
    value moved = hd_symbols_value_of(after, it.moved), made = move(f, p), other = change(f, p);
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        if (it.changed >> i & 1 || (it.flow == HD_SYMBOLS_CALL && f->image->arch->lost >> i & 1))
            after[i] = other;
    if (it.move)
        after[it.to] = made;
    if (it.moved != HD_SYMBOLS_NO_REGISTER)
        after[it.moved] = hd_symbols_may_be_in_frame(moved)
                              ? (value){moved.kind, moved.number + it.by_how_much}
                              : nothing;
    bool ends = it.flow == HD_SYMBOLS_RETURN || it.flow == HD_SYMBOLS_END ||
                it.flow == HD_SYMBOLS_TAIL || it.flow == HD_SYMBOLS_AWAY ||
                (it.flow == HD_SYMBOLS_CALL && p->callee == HD_SYMBOLS_LAST);
    uint32_t on = 0, off = 0;
    if (it.flow == HD_SYMBOLS_JUMP || it.flow == HD_SYMBOLS_BRANCH)
        off = come_to(f, it.target, after);
    if (!ends && it.flow != HD_SYMBOLS_JUMP)
        on = come_to(f, it.next, after);
    p = &f->steps.data[number];
    p->on = on;
    p->off = off;
    f->escapes |= !ends && ((it.flow != HD_SYMBOLS_JUMP && !on) ||
                            ((it.flow == HD_SYMBOLS_JUMP || it.flow == HD_SYMBOLS_BRANCH) && !off));
}

static void pass_all(hd_symbols_frame *f) {
    while (f->todo.length)
        pass(f, hd_vec_pop(&f->todo));
}

bool hd_symbols_frame_init(hd_symbols_frame *frame, hd_symbols_image *image, uint64_t start) {
    value values[HD_SYMBOLS_REGISTERS] = {nothing};
    *frame = (hd_symbols_frame){.image = image};
    values[image->arch->stack] = (value){HD_SYMBOLS_IN_FRAME, 0};
    come_to(frame, start, values);
    pass_all(frame);
    for (uint32_t i = 0; frame->spills && i < frame->steps.length; i++)
        hd_vec_push(&frame->todo, i); /* loads bring something else */
    pass_all(frame);
    return frame->steps.length && !frame->returns_twice &&
           frame->steps.length < HD_SYMBOLS_MOST_STEPS;
}

void hd_symbols_frame_release(hd_symbols_frame *frame) {
    hd_vec_release(&frame->steps);
    hd_vec_release(&frame->todo);
    hd_map_release(&frame->at);
}

const hd_symbols_step *hd_symbols_frame_at(const hd_symbols_frame *frame, uint64_t address) {
    const uint32_t *number = hd_map_find(&frame->at, address);
    return number && *number ? &frame->steps.data[*number - 1] : NULL;
}
