/*
 * Backwards through a function (symbols_frame.h): what may be read before it is written.
 *
 * An address in the frame is made from the stack pointer, so all accesses to the frame are known
 * unless an address goes where it is not followed: into memory, into an unknown function, into a
 * computation.  Then no word of the frame counts as dead.
 *
 * Ways that the code does not show: exceptions lead from calls to other places, for which the
 * asker looks; setjmp returns twice, and a function that calls it is not looked at.
 */
#include "symbols_dead.h"

#include <stdlib.h>
#include <string.h>

#include "symbols_frame.h"

typedef hd_symbols_step step;

typedef struct live {
    uint32_t registers;
    uint64_t words[HD_SYMBOLS_DEAD_WORDS / 64];
} live;

typedef struct function {
    hd_symbols_frame frame;
    live *in;      /* by step: what is live before it; */
    bool *reads;   /* whether it is a call that may read all of the frame */
    int64_t stack; /* where the stack pointer is at the call that is asked about */
} function;

/* --- backwards ------------------------------------------------------------------------------ */

static const live all = {UINT32_MAX, {UINT64_MAX, UINT64_MAX}};

static void set_word(live *to, size_t word, bool on) {
    uint64_t it = UINT64_C(1) << word % 64;
    if (on)
        to->words[word / 64] |= it;
    else
        to->words[word / 64] &= ~it;
}

/* The words that an access touches are live, or are not if it covers them. */
static void touch(live *to, int64_t from, uint32_t size, bool writes) {
    for (size_t i = 0; i < HD_SYMBOLS_DEAD_WORDS; i++) {
        int64_t low = 4 * (int64_t)i;
        if (writes ? low >= from && low + 4 <= from + size : low < from + size && low + 4 > from)
            set_word(to, i, !writes);
    }
}

static void touch_memory(const function *f, const step *p, live *to, bool writes) {
    for (unsigned i = 0; i < p->it.memories; i++) {
        const hd_symbols_memory *memory = &p->it.memory[i];
        hd_symbols_value base = hd_symbols_value_of(p->before, memory->base);
        if ((writes ? memory->writes : memory->reads) && base.kind == HD_SYMBOLS_IN_FRAME &&
            !memory->fixed)
            touch(to, base.number + memory->offset - f->stack, memory->size, writes);
    }
}

static uint32_t registers_read(const hd_symbols_instruction *it) {
    uint32_t read = it->uses;
    for (unsigned i = 0; i < it->memories; i++) {
        read |= it->memory[i].base < HD_SYMBOLS_REGISTERS ? UINT32_C(1) << it->memory[i].base : 0;
        read |= it->memory[i].index < HD_SYMBOLS_REGISTERS ? UINT32_C(1) << it->memory[i].index : 0;
    }
    if (it->move == HD_SYMBOLS_SUM)
        read |= UINT32_C(1) << it->from;
    return read;
}

static void join(live *to, const live *from) {
    to->registers |= from->registers;
    for (size_t i = 0; i < HD_SYMBOLS_DEAD_WORDS / 64; i++)
        to->words[i] |= from->words[i];
}

static bool is_same(const live *a, const live *b) {
    return a->registers == b->registers && memcmp(a->words, b->words, sizeof a->words) == 0;
}

/* --- functions that are called -------------------------------------------------------------- */

/* Is that beyond the frame of a function, where its caller may have arguments for it? */
static bool is_beyond(const hd_symbols_frame *frame, const step *p) {
    const hd_symbols_instruction *it = &p->it;
    bool jumps = it->flow == HD_SYMBOLS_JUMP || it->flow == HD_SYMBOLS_BRANCH;
    bool ends = it->flow == HD_SYMBOLS_RETURN || it->flow == HD_SYMBOLS_END ||
                (it->flow == HD_SYMBOLS_CALL && p->callee == HD_SYMBOLS_LAST);
    if (it->flow == HD_SYMBOLS_TAIL || it->flow == HD_SYMBOLS_AWAY || (jumps && !p->off) ||
        (!ends && it->flow != HD_SYMBOLS_JUMP && !p->on))
        return true; /* not all of it is known */
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        if (i != frame->image->arch->stack && p->before[i].kind == HD_SYMBOLS_IN_FRAME &&
            p->before[i].number > 0)
            return true;
    for (unsigned i = 0; i < it->memories; i++) {
        hd_symbols_value base = hd_symbols_value_of(p->before, it->memory[i].base);
        if (base.kind == HD_SYMBOLS_IN_FRAME &&
            base.number + it->memory[i].offset + (int64_t)it->memory[i].size > 0)
            return true;
    }
    return false;
}

/* Does the function get all its arguments in registers? */
static bool keeps_to_frame(hd_symbols_image *image, uint64_t start) {
    hd_symbols_frame frame;
    bool keeps = hd_symbols_frame_init(&frame, image, start);
    for (size_t i = 0; keeps && i < frame.steps.length; i++)
        keeps = !is_beyond(&frame, &frame.steps.data[i]);
    hd_symbols_frame_release(&frame);
    return keeps;
}

/* May the call read words of the frame?  If addresses in it go nowhere, only those that are
 * arguments; a nested function has such an address in a register of its own. */
static bool reads_frame(const function *f, const step *p) {
    const hd_symbols_arch *arch = f->frame.image->arch;
    if (p->callee == HD_SYMBOLS_QUIET || p->callee == HD_SYMBOLS_COMPARE)
        return false;
    for (unsigned i = 0; i < HD_SYMBOLS_REGISTERS; i++)
        if (arch->lost >> i & 1 && hd_symbols_may_be_in_frame(p->before[i]))
            return true;
    return !p->it.target || !keeps_to_frame(f->frame.image, p->it.target);
}

/* Words of the frame that calls may read, by step. */
static void find_readers(function *f) {
    f->reads = HD_NEW_ARRAY(bool, f->frame.steps.length);
    for (size_t i = 0; i < f->frame.steps.length; i++)
        f->reads[i] = f->frame.steps.data[i].it.flow == HD_SYMBOLS_CALL &&
                      reads_frame(f, &f->frame.steps.data[i]);
}

/* --- backwards, by step --------------------------------------------------------------------- */

/* What is live before an instruction, by what is live after it. */
static live look_back(const function *f, const step *p) {
    const hd_symbols_instruction *it = &p->it;
    live in = {0};
    if (it->flow == HD_SYMBOLS_END || (it->flow == HD_SYMBOLS_CALL && p->callee == HD_SYMBOLS_LAST))
        return in;
    if (it->flow == HD_SYMBOLS_RETURN || it->flow == HD_SYMBOLS_TAIL) { /* the frame ends */
        in.registers = UINT32_MAX;
        return in;
    }
    bool jumps = it->flow == HD_SYMBOLS_JUMP || it->flow == HD_SYMBOLS_BRANCH;
    if (it->flow == HD_SYMBOLS_AWAY || (jumps && !p->off) ||
        (it->flow != HD_SYMBOLS_JUMP && !p->on))
        return all;
    if (p->on)
        join(&in, &f->in[p->on - 1]);
    if (p->off)
        join(&in, &f->in[p->off - 1]);
    if (f->reads[p - f->frame.steps.data])
        memcpy(in.words, all.words, sizeof in.words);
    hd_symbols_value compared = hd_symbols_value_of(p->before, f->frame.image->arch->argument[1]);
    if (it->flow == HD_SYMBOLS_CALL && p->callee == HD_SYMBOLS_COMPARE &&
        compared.kind == HD_SYMBOLS_IN_FRAME)
        touch(&in, compared.number - f->stack, p->size, false);
    in.registers &= ~it->written;
    touch_memory(f, p, &in, true);
    in.registers |= registers_read(it);
    touch_memory(f, p, &in, false);
    return in;
}

static void find_live(function *f) {
    f->in = HD_NEW_ARRAY(live, f->frame.steps.length);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = f->frame.steps.length; i-- > 0;) {
            live in = look_back(f, &f->frame.steps.data[i]);
            if (!is_same(&in, &f->in[i])) {
                f->in[i] = in;
                more = true;
            }
        }
    }
}

/* --- the question --------------------------------------------------------------------------- */

static void answer(const function *f, const live *in, bool all_followed, hd_symbols_dead *dead) {
    const hd_symbols_arch *arch = f->frame.image->arch;
    for (unsigned i = 0; i < sizeof arch->kept; i++)
        if (arch->kept[i] != HD_SYMBOLS_NO_REGISTER && !(in->registers >> arch->kept[i] & 1))
            dead->registers |= UINT32_C(1) << i;
    for (size_t i = 0; i < HD_SYMBOLS_DEAD_WORDS && all_followed; i++)
        if (!(in->words[i / 64] >> i % 64 & 1) && f->stack + 4 * (int64_t)i + 4 <= 0)
            dead->words[i / 64] |= UINT64_C(1) << i % 64;
}

static bool analyse(function *f, hd_symbols_image *image, uint64_t code, hd_symbols_dead *dead) {
    uint64_t start = hd_symbols_image_start(image, code);
    const step *at = start && hd_symbols_frame_init(&f->frame, image, start)
                         ? hd_symbols_frame_at(&f->frame, code)
                         : NULL;
    if (!at)
        return false;
    hd_symbols_value stack = at->before[image->arch->stack];
    f->stack = stack.number;
    find_readers(f);
    find_live(f);
    answer(f, &f->in[at - f->frame.steps.data],
           !f->frame.escapes && stack.kind == HD_SYMBOLS_IN_FRAME, dead);
    return true;
}

bool hd_symbols_dead_in(Dwfl_Module *module, uint64_t code, hd_symbols_dead *dead) {
    hd_symbols_image image;
    function f = {0};
    *dead = (hd_symbols_dead){0};
    if (!hd_symbols_image_init(&image, module))
        return false;
    bool known = analyse(&f, &image, code, dead);
    hd_symbols_frame_release(&f.frame);
    hd_symbols_image_release(&image);
    free(f.in);
    free(f.reads);
    return known;
}

bool hd_symbols_dead_at(hd_symbols *symbols, uint64_t code, hd_symbols_dead *dead) {
    return hd_symbols_dead_in(hd_symbols_module(symbols, code), code, dead);
}
