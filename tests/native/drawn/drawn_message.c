/* Messages between threads, which memory orders decide about: see drawn_drawer.h. */
#include "drawn_drawer.h"

static int find_scalar(drawer *d, bool first) {
    return drawn_find(first ? "x0" : drawn_chance(d, 70) ? "x1" : "x2");
}

/* A message through x0: a store there after one elsewhere, or what a thread does that saw it. */
int drawn_message(drawer *d) {
    bool sends = drawn_chance(d, d->thread % 2 ? 85 : 15), fenced = drawn_chance(d, 25);
    bool block = d->on[FEATURE_frees] && drawn_chance(d, 50);
    int data =
        block ? drawn_block(d) : drawn_make(d, sends || drawn_chance(d, 30) ? OP_STORE : OP_LOAD);
    int atomic = drawn_make(d, !sends ? OP_ALOAD : drawn_chance(d, 70) ? OP_ASTORE : OP_AADD);
    int fence = fenced ? drawn_make(d, OP_FENCE) : -1;
    program *p = d->p;
    if (fenced)
        p->statements[fence].form = drawn_below(d, 5);
    if (!block) {
        p->statements[data].place = find_scalar(d, false);
        p->statements[data].k = drawn_below(d, 3);
        p->statements[data].r = p->statements[data].op == OP_LOAD ? drawn_register(d) : -1;
    }
    p->statements[atomic].place = find_scalar(d, true);
    p->statements[atomic].form = drawn_chance(d, 35) ? 0 : drawn_below(d, 5);
    p->statements[atomic].k = 1 + drawn_below(d, 2);
    if (sends) {
        p->statements[atomic].r = p->statements[atomic].op == OP_AADD ? drawn_register(d) : -1;
        p->statements[data].next = fenced ? fence : atomic;
        if (fenced)
            p->statements[fence].next = atomic;
        return data;
    }
    int seen = drawn_make(d, OP_IF);
    p->statements[atomic].r = p->statements[seen].source = drawn_register(d);
    p->statements[seen].k = 1 + drawn_below(d, 2);
    p->statements[seen].form = drawn_chance(d, 85);
    p->statements[seen].child = fenced ? fence : data;
    if (fenced)
        p->statements[fence].next = data;
    p->statements[atomic].next = seen;
    return atomic;
}
