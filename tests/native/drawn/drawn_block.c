/* A block that threads share, use through a pointer, and free: see drawn_drawer.h. */
#include "drawn_drawer.h"

/* Frees and uses with the pointer read once: whatever orders them is around them. */
static operation draw_operation(drawer *d) {
    static const operation plain[] = {OP_STORE, OP_LOAD, OP_ADD, OP_SET};
    static const operation atomics[] = {OP_ALOAD, OP_ASTORE, OP_AADD, OP_AEXCHANGE, OP_ACAS};
    int draw = drawn_below(d, 100);
    if (draw < 35)
        return OP_FREE;
    if (draw < (d->on[FEATURE_reuse] ? 60 : 45) && d->made < DRAWN_MOST_BLOCKS)
        return OP_MAKE;
    if (d->on[FEATURE_atomic] && drawn_chance(d, 40))
        return atomics[drawn_below(d, 5)];
    return plain[drawn_below(d, d->on[FEATURE_copies] ? 4 : 3)];
}

int drawn_block(drawer *d) {
    int id = drawn_make(d, draw_operation(d));
    statement *s = &d->p->statements[id];
    bool part = drawn_chance(d, 50) && s->op != OP_SET;
    s->place = drawn_find(part ? "q[1]" : "q[0]");
    s->form = drawn_below(d, d->on[FEATURE_orders] ? 5 : 2);
    s->pointer = d->on[FEATURE_atomic] ? drawn_below(d, s->op == OP_FREE ? 3 : 2) : POINTER_PLAIN;
    s->k = 1 + drawn_below(d, 2);
    s->k2 = 1 + drawn_below(d, 3);
    s->n = DRAWN_BLOCK;
    if (s->op == OP_LOAD || (s->op >= OP_ALOAD && s->op <= OP_ACAS && s->op != OP_ASTORE))
        s->r = drawn_register(d);
    if (s->op == OP_ACAS)
        s->k = drawn_below(d, 2);
    d->made += s->op == OP_MAKE;
    return id;
}
