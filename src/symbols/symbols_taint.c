#include "symbols_taint.h"

typedef hd_symbols_taint taint;

enum { LOW = HD_SYMBOLS_TAINT_LOW, HIGH = HD_SYMBOLS_TAINT_HIGH };

static uint32_t bit(uint8_t number) {
    return number < HD_SYMBOLS_REGISTERS ? UINT32_C(1) << number : 0;
}

/* --- the frame ------------------------------------------------------------------------------ */

static bool has_bytes(const taint *it, int64_t from, uint32_t size) {
    for (int64_t at = from < LOW ? LOW : from; at < from + size && at < HIGH; at++)
        if (it->bytes[(at - LOW) / 64] >> (at - LOW) % 64 & 1)
            return true;
    return false;
}

static bool has_any_bytes(const taint *it) {
    uint64_t any = 0;
    for (size_t i = 0; i < HD_SYMBOLS_TAINT_WORDS; i++)
        any |= it->bytes[i];
    return any;
}

static void clear_bytes(taint *it, int64_t from, uint32_t size) {
    for (int64_t at = from < LOW ? LOW : from; at < from + size && at < HIGH; at++)
        it->bytes[(at - LOW) / 64] &= ~(UINT64_C(1) << (at - LOW) % 64);
}

bool hd_symbols_taint_frame(taint *it, int64_t from, uint32_t size) {
    if (from < LOW || from + size > HIGH)
        return false;
    for (int64_t at = from; at < from + size; at++)
        it->bytes[(at - LOW) / 64] |= UINT64_C(1) << (at - LOW) % 64;
    return true;
}

/* --- memory --------------------------------------------------------------------------------- */

/* Where an operand is. */
enum place {
    OUTSIDE,  /* not in the frame */
    FIXED,    /* at an address in a file */
    AT,       /* at a place in the frame */
    INDEXED,  /* in the frame, not known where */
    SOMEWHERE /* perhaps in the frame */
};

static enum place find(const hd_symbols_step *p, const hd_symbols_memory *m, int64_t *at) {
    hd_symbols_value base = hd_symbols_value_of(p->before, m->base);
    hd_symbols_value index = hd_symbols_value_of(p->before, m->index);
    bool indexed = m->index != HD_SYMBOLS_NO_REGISTER;
    *at = base.number + m->offset;
    if (m->fixed) {
        *at = m->offset;
        return FIXED;
    }
    if (hd_symbols_may_be_in_frame(base) || hd_symbols_may_be_in_frame(index))
        return base.kind != HD_SYMBOLS_IN_FRAME || hd_symbols_may_be_in_frame(index) ? SOMEWHERE
               : indexed                                                             ? INDEXED
                                                                                     : AT;
    return base.kind == HD_SYMBOLS_CONSTANT && !indexed ? FIXED : OUTSIDE;
}

static bool is_address_tainted(const taint *it, const hd_symbols_memory *m) {
    return it->registers & (bit(m->base) | bit(m->index));
}

static bool reads_taint(const taint *it, const hd_symbols_frame *frame, const hd_symbols_step *p,
                        const hd_symbols_memory *m) {
    int64_t at;
    switch (find(p, m, &at)) {
    case FIXED:
        return !hd_symbols_image_constant(frame->image, (uint64_t)at, m->size);
    case AT:
        return has_bytes(it, at, m->size);
    case INDEXED:
        return has_any_bytes(it);
    case SOMEWHERE:
    case OUTSIDE:
        break;
    }
    return true;
}

static void write(taint *it, const hd_symbols_step *p, const hd_symbols_memory *m, bool tainted) {
    int64_t at;
    enum place place = find(p, m, &at);
    if (place == AT && tainted)
        it->lost |= !hd_symbols_taint_frame(it, at, m->size);
    else if (place == AT && m->writes)
        clear_bytes(it, at, m->size);
    else if (place == SOMEWHERE || place == INDEXED)
        it->lost |= tainted;
}

/* --- a step --------------------------------------------------------------------------------- */

/* Does what it does depend on what was read? */
static bool is_tainted(const taint *it, const hd_symbols_frame *frame, const hd_symbols_step *p) {
    const hd_symbols_instruction *does = &p->it;
    bool tainted = it->registers & does->uses || (does->vector && it->vectors) ||
                   (does->reads_flags && it->flags) ||
                   (does->move == HD_SYMBOLS_SUM && it->registers & bit(does->from));
    for (unsigned i = 0; i < does->memories; i++)
        tainted |= is_address_tainted(it, &does->memory[i]) ||
                   (does->memory[i].reads && reads_taint(it, frame, p, &does->memory[i]));
    return tainted;
}

void hd_symbols_taint_pass(taint *it, const hd_symbols_frame *frame, const hd_symbols_step *p) {
    const hd_symbols_instruction *does = &p->it;
    uint8_t stack = frame->image->arch->stack;
    bool tainted = is_tainted(it, frame, p);
    it->lost |= does->odd || p->before[stack].kind != HD_SYMBOLS_IN_FRAME;
    it->decided |= tainted && (does->faults || does->flow == HD_SYMBOLS_BRANCH);
    for (unsigned i = 0; i < does->memories; i++) {
        const hd_symbols_memory *m = &does->memory[i];
        it->decided |= is_address_tainted(it, m); /* it may not be there */
        if (m->writes || m->may_write)
            write(it, p, m, tainted);
    }
    if (tainted)
        it->registers |= does->changed;
    else
        it->registers &= ~does->written;
    it->flags = tainted || (it->flags && !does->sets_flags);
    it->vectors |= does->vector && tainted;
    it->lost |= it->registers >> stack & 1;
}

bool hd_symbols_taint_join(taint *to, const taint *from) {
    taint before = *to;
    uint64_t news = 0;
    to->registers |= from->registers;
    to->flags |= from->flags;
    to->vectors |= from->vectors;
    to->decided |= from->decided;
    to->lost |= from->lost;
    for (size_t i = 0; i < HD_SYMBOLS_TAINT_WORDS; i++) {
        to->bytes[i] |= from->bytes[i];
        news |= to->bytes[i] ^ before.bytes[i];
    }
    return news || to->registers != before.registers || to->flags != before.flags ||
           to->vectors != before.vectors || to->decided != before.decided ||
           to->lost != before.lost;
}
