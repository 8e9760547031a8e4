/* Draws a program: see drawn.h.  What it draws has no undefined behaviour but data races. */
#include "drawn_drawer.h"

#include <assert.h>
#include <string.h>

static uint64_t draw_bits(drawer *d) {
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int drawn_below(drawer *d, int below) {
    return (int)(draw_bits(d) % (uint64_t)below);
}

bool drawn_chance(drawer *d, int percent) {
    return drawn_below(d, 100) < percent;
}

int drawn_make(drawer *d, operation op) {
    program *p = d->p;
    assert(p->count < DRAWN_STATEMENTS);
    p->statements[p->count] = (statement){
        .op = op, .id = p->count, .r = -1, .source = -1, .other = -1, .child = -1, .next = -1};
    return p->count++;
}

void drawn_append(program *p, int *list, int s) {
    while (*list >= 0)
        list = &p->statements[*list].next;
    *list = s;
}

int drawn_register(drawer *d) {
    return drawn_below(d, DRAWN_REGISTERS);
}

/* A small number, or one that shows in every byte of a place that overlaps others. */
static long draw_value(drawer *d, place at) {
    if (at.kind == PLACE_FIELD)
        return 1 + drawn_below(d, 5);
    if (at.kind == PLACE_UNION || at.kind == PLACE_PACKED) {
        uint64_t value = 0x1111111111111111u * (uint64_t)(1 + drawn_below(d, 7));
        return (long)(at.size == 8 ? value : value & ((1ull << 8 * at.size) - 1));
    }
    return drawn_below(d, 3);
}

static bool may_be_atomic(place at) {
    return at.kind == PLACE_SCALAR || at.kind == PLACE_UNION || at.kind == PLACE_HEAP;
}

/* memcpy or memmove between two of the places, which may overlap. */
static int draw_copy(drawer *d, int number) {
    int other = d->places[drawn_below(d, d->place_count)];
    place to = drawn_place(number), from = drawn_place(other);
    if (to.kind == PLACE_FIELD || from.kind == PLACE_FIELD || other == number)
        return -1;
    bool overlap = to.at < from.at + from.size && from.at < to.at + to.size;
    int id = drawn_make(d, OP_COPY);
    statement *s = &d->p->statements[id];
    s->place = number;
    s->other = other;
    s->n = to.size < from.size ? to.size : from.size;
    s->form = overlap || drawn_chance(d, 50);
    return id;
}

static int draw_plain(drawer *d) {
    int number = d->places[drawn_below(d, d->place_count)];
    int copy = d->on[FEATURE_copies] && drawn_chance(d, 30) ? draw_copy(d, number) : -1;
    if (copy >= 0)
        return copy;
    place at = drawn_place(number);
    int often = d->on[FEATURE_orders] ? 90 : 50;
    bool atomic = d->on[FEATURE_atomic] && may_be_atomic(at) && drawn_chance(d, often);
    static const operation plain[] = {OP_STORE, OP_STORE, OP_LOAD, OP_LOAD, OP_ADD};
    static const operation atomics[] = {OP_ALOAD, OP_ASTORE, OP_AADD, OP_AEXCHANGE, OP_ACAS};
    int id = drawn_make(d, atomic ? atomics[drawn_below(d, 5)] : plain[drawn_below(d, 5)]);
    statement *s = &d->p->statements[id];
    /* How often `field += 1` reads is the compiler's choice. */
    if (s->op == OP_ADD && at.kind == PLACE_FIELD)
        s->op = OP_STORE;
    s->place = number;
    s->form = drawn_below(d, d->on[FEATURE_orders] ? 5 : 3);
    if (s->op == OP_LOAD || s->op == OP_ALOAD || s->op == OP_AADD || s->op == OP_AEXCHANGE ||
        s->op == OP_ACAS)
        s->r = drawn_register(d);
    s->k = s->op == OP_ACAS ? drawn_below(d, 3) : draw_value(d, at);
    s->k2 = 1 + drawn_below(d, 3);
    if (s->op == OP_ADD || s->op == OP_AADD)
        s->k = 1 + drawn_below(d, 2);
    if ((s->op == OP_STORE || s->op == OP_ASTORE) && at.kind != PLACE_FIELD &&
        drawn_chance(d, 25)) {
        s->source = drawn_register(d);
        s->k = drawn_below(d, 3);
    }
    return id;
}

static int draw_struct(drawer *d) {
    bool wide = drawn_chance(d, 40);
    int first = drawn_find(wide ? "d0" : "e0"), second = first + 1;
    int part = drawn_find(wide ? "d0.b" : "e0.a"), other_part = drawn_find(wide ? "d1.b" : "e1.a");
    if (drawn_chance(d, 55)) {
        int id = drawn_make(d, drawn_chance(d, 60) ? OP_STORE : OP_LOAD);
        statement *s = &d->p->statements[id];
        s->place = drawn_chance(d, 50) ? part : other_part;
        if (s->op == OP_STORE)
            s->k = 1 + drawn_below(d, 3);
        else
            s->r = drawn_register(d);
        return id;
    }
    int id = drawn_make(d, drawn_chance(d, 80) || !d->on[FEATURE_copies] ? OP_COPY : OP_SET);
    statement *s = &d->p->statements[id];
    bool turned = drawn_chance(d, 50);
    s->place = turned ? second : first;
    s->other = turned ? first : second;
    s->n = wide ? 12 : 4;
    s->form = d->on[FEATURE_copies] ? drawn_below(d, 3) : 2;
    s->k = drawn_below(d, 3);
    return id;
}

static int draw_string(drawer *d) {
    static const operation all[] = {OP_LENGTH, OP_STRCPY, OP_STRCAT,
                                    OP_STRCMP, OP_MEMCMP, OP_LENGTH};
    int first = drawn_find("S0"), id = drawn_make(d, all[drawn_below(d, 6)]);
    statement *s = &d->p->statements[id];
    if (s->op == OP_STRCAT && d->concatenations++ >= 4)
        s->op = OP_STRCPY;
    if (d->on[FEATURE_format] && drawn_chance(d, 25))
        s->op = OP_FORMAT;
    s->place = first + drawn_below(d, 2);
    s->other = s->place == first ? first + 1 : first;
    s->n = 2 + drawn_below(d, 3);
    s->k = 1 + drawn_below(d, s->op == OP_STRCAT ? 2 : 3);
    if (s->op == OP_STRCPY && drawn_chance(d, 60))
        s->other = -1;
    if (s->op == OP_LENGTH || s->op == OP_STRCMP || s->op == OP_MEMCMP)
        s->r = drawn_register(d);
    if (s->op == OP_FORMAT)
        s->source = drawn_register(d);
    return id;
}

static int draw_list(drawer *d, int most);

static void hold_children(drawer *d, int id, bool *held) {
    bool before = *held;
    *held = true;
    int child = draw_list(d, 1 + drawn_below(d, 2));
    d->p->statements[id].child = child;
    *held = before;
}

static int draw_mutex(drawer *d) {
    int m = drawn_below(d, DRAWN_MUTEXES);
    mutex_kind kind = d->p->kinds[m];
    /* A normal mutex taken twice is a deadlock, which is defined; seldom, for it hides the rest. */
    if (d->m_held[m] && kind == MUTEX_NORMAL && !drawn_chance(d, 5))
        return draw_plain(d);
    int tried = (d->on[FEATURE_try] && drawn_chance(d, 40)) ||
                (d->on[FEATURE_timed] && drawn_chance(d, 40));
    int id = drawn_make(d, tried || kind == MUTEX_ERRORCHECK ? OP_TRIED : OP_LOCKED);
    statement *s = &d->p->statements[id];
    s->place = m;
    if (s->op == OP_TRIED) {
        s->r = drawn_register(d);
        s->form = !tried                                                                 ? 2
                  : d->on[FEATURE_timed] && (!d->on[FEATURE_try] || drawn_chance(d, 50)) ? 1
                                                                                         : 0;
    }
    hold_children(d, id, &d->m_held[m]);
    return id;
}

static int draw_rwlock(drawer *d) {
    bool reads = drawn_chance(d, 50);
    if (d->w_written || (d->w_read && !reads))
        return draw_plain(d);
    bool tried = d->on[FEATURE_try] && drawn_chance(d, 35),
         timed = d->on[FEATURE_timed] && drawn_chance(d, 35);
    int id = drawn_make(d, tried || timed ? (reads ? OP_READ_TRIED : OP_WRITE_TRIED)
                                          : (reads ? OP_READ_LOCKED : OP_WRITE_LOCKED));
    if (tried || timed) {
        d->p->statements[id].r = drawn_register(d);
        d->p->statements[id].form = timed;
    }
    hold_children(d, id, reads ? &d->w_read : &d->w_written);
    return id;
}

/* Waits are in sections of m0; signals anywhere. */
static int draw_wait(drawer *d) {
    static const operation all[] = {OP_WAIT, OP_WAIT_UNTIL, OP_WAIT_UNTIL, OP_WAIT_TIMED};
    operation op = all[drawn_below(d, d->on[FEATURE_timed] ? 4 : 3)];
    int id = drawn_make(d, op);
    statement *s = &d->p->statements[id];
    s->place = drawn_below(d, 4) == 0;
    if (op == OP_WAIT_TIMED)
        s->r = drawn_register(d);
    s->other = drawn_find(drawn_chance(d, 50) ? "x0" : "x1");
    s->k = drawn_below(d, 2);
    s->form = 1;
    return id;
}

static int draw_condition(drawer *d) {
    if (drawn_chance(d, 55)) {
        int id = drawn_make(d, drawn_chance(d, 65) ? OP_SIGNAL : OP_BROADCAST);
        d->p->statements[id].place = drawn_below(d, 4) == 0;
        return id;
    }
    if (d->m_held[0])
        return draw_wait(d);
    int id = drawn_make(d, OP_LOCKED);
    d->m_held[0] = true;
    int wait = draw_wait(d);
    d->p->statements[id].child = wait;
    if (drawn_chance(d, 50)) {
        int after = draw_plain(d);
        d->p->statements[wait].next = after;
    }
    d->m_held[0] = false;
    return id;
}

static int draw_semaphore(drawer *d) {
    static const operation all[] = {OP_POST, OP_POST, OP_TAKE, OP_TAKE, OP_TRY_TAKE, OP_UNITS};
    operation op = all[drawn_below(d, 6)];
    bool tried = d->on[FEATURE_try] || d->on[FEATURE_timed];
    int id = drawn_make(d, op == OP_TRY_TAKE && !tried ? OP_TAKE : op);
    statement *s = &d->p->statements[id];
    s->place = drawn_below(d, 3) == 0;
    s->form = d->on[FEATURE_timed] && (!d->on[FEATURE_try] || drawn_chance(d, 50));
    if (s->op == OP_TRY_TAKE || s->op == OP_UNITS)
        s->r = drawn_register(d);
    return id;
}

/* The library has no lock of its own, so it is called with m0. */
static int draw_library(drawer *d) {
    int id = drawn_make(d, drawn_chance(d, 60) ? OP_NEXT : OP_NOTE);
    d->p->statements[id].k = d->thread;
    if (d->p->statements[id].op == OP_NEXT)
        d->p->statements[id].r = drawn_register(d);
    if (d->m_held[0])
        return id;
    int around = drawn_make(d, OP_LOCKED);
    d->p->statements[around].child = id;
    return around;
}

static int draw_stdio(drawer *d) {
    int id = drawn_make(d, OP_LOG);
    d->p->statements[id].form = drawn_below(d, 2);
    d->p->statements[id].k = d->thread;
    d->p->statements[id].source = drawn_register(d);
    if (d->m_held[0] || drawn_chance(d, 25))
        return id;
    int around = drawn_make(d, OP_LOCKED);
    d->p->statements[around].child = id;
    return around;
}

static int draw_simple(drawer *d, operation op) {
    int id = drawn_make(d, op);
    statement *s = &d->p->statements[id];
    s->k = 1 + drawn_below(d, 2);
    s->form = drawn_below(d, 2);
    if (op == OP_ONCE)
        s->place = drawn_below(d, 3) == 0;
    if (op == OP_LOCAL || op == OP_BLOCK || op == OP_COUNTED || op == OP_UNLOCK_ALIEN)
        s->r = drawn_register(d);
    if (op == OP_ASSERT || op == OP_PRINT || op == OP_BLOCK)
        s->source = drawn_register(d);
    if (op == OP_PRINT)
        s->k = d->thread;
    if (op == OP_UNLOCK_ALIEN)
        s->place = 1;
    if (op == OP_FENCE)
        s->form = drawn_below(d, 5);
    if (op == OP_ASSERT)
        s->k = drawn_below(d, 3), s->form = drawn_chance(d, 20);
    return id;
}

static int draw_branch(drawer *d) {
    int id = drawn_make(d, OP_IF);
    statement *s = &d->p->statements[id];
    s->source = drawn_register(d);
    s->k = drawn_below(d, 2);
    s->form = drawn_below(d, 2);
    int child = draw_list(d, 1 + drawn_below(d, 2));
    d->p->statements[id].child = child;
    return id;
}

static int draw_choice(drawer *d) {
    int id = drawn_make(d, OP_CHOOSE);
    statement *s = &d->p->statements[id];
    s->r = drawn_register(d);
    s->form = drawn_chance(d, 30);
    s->k = s->form ? 0 : drawn_below(d, 2);
    s->k2 = s->form ? 1 : s->k + 1 + drawn_below(d, 2);
    return id;
}

/* Inside, a thread does nothing that waits or fails. */
static int draw_section(drawer *d) {
    bool before[FEATURES];
    memcpy(before, d->on, sizeof before);
    memset(d->on, 0, sizeof d->on);
    d->on[FEATURE_choose] = before[FEATURE_choose];
    d->on[FEATURE_branch] = before[FEATURE_branch];
    d->on[FEATURE_atomic] = before[FEATURE_atomic];
    int id = drawn_make(d, OP_SECTION), child = draw_list(d, 1 + drawn_below(d, 3));
    d->p->statements[id].child = child;
    memcpy(d->on, before, sizeof before);
    return id;
}

/* Others see nothing of these, so they come seldom. */
static bool is_private(feature f) {
    return f == FEATURE_heap || f == FEATURE_tls || f == FEATURE_errorcheck;
}

/* Now and then with the lock around it, so that all of a program's frees may be right. */
static int draw_block(drawer *d) {
    if (!d->on[FEATURE_mutex] || d->m_held[0] || drawn_chance(d, 50))
        return drawn_block(d);
    int id = drawn_make(d, OP_LOCKED), first = drawn_block(d);
    d->p->statements[id].child = first;
    if (drawn_chance(d, 30)) {
        int second = drawn_block(d);
        d->p->statements[first].next = second;
    }
    return id;
}

static int draw_statement(drawer *d) {
    d->budget--;
    if (d->on[FEATURE_frees] && !d->on[FEATURE_orders] && drawn_chance(d, 45))
        return draw_block(d);
    if (d->on[FEATURE_orders] && drawn_chance(d, 70))
        return drawn_message(d);
    for (int tries = 0; tries < 12; tries++) {
        feature f = (feature)drawn_below(d, FEATURES);
        if (!d->on[f] || (is_private(f) && drawn_chance(d, 70)))
            continue;
        switch (f) {
        case FEATURE_mutex:
            return draw_mutex(d);
        case FEATURE_rwlock:
            return draw_rwlock(d);
        case FEATURE_condition:
            return draw_condition(d);
        case FEATURE_semaphore:
            return draw_semaphore(d);
        case FEATURE_structs:
            return draw_struct(d);
        case FEATURE_strings:
            return draw_string(d);
        case FEATURE_library:
            return draw_library(d);
        case FEATURE_stdio:
            return draw_stdio(d);
        case FEATURE_branch:
            return draw_branch(d);
        case FEATURE_choose:
            return draw_choice(d);
        case FEATURE_section:
            return draw_section(d);
        case FEATURE_orders:
            return draw_simple(d, OP_FENCE);
        case FEATURE_print:
            return draw_simple(d, OP_PRINT);
        case FEATURE_tls:
            return draw_simple(d, OP_LOCAL);
        case FEATURE_frees:
            return draw_block(d);
        case FEATURE_heap:
            return draw_simple(d, OP_BLOCK);
        case FEATURE_statics:
            return draw_simple(d, OP_COUNTED);
        case FEATURE_once:
            return draw_simple(d, OP_ONCE);
        case FEATURE_assertion:
            return draw_simple(d, OP_ASSERT);
        case FEATURE_errorcheck:
            if (!d->m_held[1] && d->p->kinds[1] != MUTEX_NORMAL)
                return draw_simple(d, OP_UNLOCK_ALIEN);
            break;
        case FEATURE_barrier:
            if (!d->met) {
                d->met = true;
                return draw_simple(d, OP_BARRIER);
            }
            break;
        default:
            break;
        }
    }
    return draw_plain(d);
}

static int draw_list(drawer *d, int most) {
    int list = -1;
    for (int i = 0; i < most && (i == 0 || d->budget > 0); i++) {
        int s = draw_statement(d);
        drawn_append(d->p, &list, s);
    }
    return list;
}

/* Functions that are called must not meet what their callers hold. */
static void draw_function(drawer *d, int number) {
    bool before[FEATURES];
    memcpy(before, d->on, sizeof before);
    static const feature off[] = {
        FEATURE_once,    FEATURE_mutex, FEATURE_rwlock,  FEATURE_condition,  FEATURE_barrier,
        FEATURE_library, FEATURE_stdio, FEATURE_statics, FEATURE_errorcheck, FEATURE_section};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        d->on[off[i]] = false;
    if (number < DRAWN_HANDLER)
        d->on[FEATURE_print] = false;
    else
        d->on[FEATURE_choose] = false; /* the process ends, there are no more steps */
    d->budget = 2;
    int list = draw_list(d, 1 + drawn_below(d, 2));
    d->p->functions[number].first = list;
    memcpy(d->on, before, sizeof before);
}

/* One thread ends the program; main waits for it, so that no two do. */
static void draw_exit(drawer *d) {
    program *p = d->p;
    int candidates[DRAWN_THREADS], count = 0;
    for (int t = 1; t < p->threads; t++)
        if (p->parent[t] == 0)
            candidates[count++] = t;
    int t = candidates[drawn_below(d, count)], id = drawn_make(d, OP_EXIT);
    p->statements[id].k = drawn_chance(d, 50) ? 0 : 3;
    if (drawn_chance(d, 60)) {
        int around = drawn_make(d, OP_IF);
        p->statements[around].source = drawn_register(d);
        p->statements[around].k = drawn_below(d, 2);
        p->statements[around].form = drawn_below(d, 2);
        p->statements[around].child = id;
        id = around;
    }
    drawn_append(p, &p->functions[t].first, id);
}

void drawn_generate(program *p, uint64_t seed, int attempt, const bool allowed[FEATURES],
                    const bool wanted[FEATURES]) {
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->attempt = attempt;
    drawer d = {.p = p, .state = seed * 1000 + (uint64_t)attempt};
    for (int i = 0; i < DRAWN_FUNCTIONS; i++)
        p->functions[i].first = -1;
    drawn_choose_features(&d, allowed, wanted);
    drawn_choose_places(&d);
    p->threads = 3 + (attempt < 4 ? drawn_below(&d, 3) : drawn_below(&d, 2));
    p->units[0] = drawn_below(&d, 2);
    p->units[1] = 0;
    p->party = 2;
    p->library_shared = drawn_chance(&d, 50);
    p->initial[0] = d.on[FEATURE_orders] ? 0 : drawn_below(&d, 2);
    p->initial[1] = drawn_below(&d, 2);
    p->made = d.on[FEATURE_frees] && drawn_chance(&d, 80);
    d.made = 1;
    bool all_joined = d.on[FEATURE_stdio] || d.on[FEATURE_library] || d.on[FEATURE_exit];
    for (int t = 0; t < p->threads; t++) {
        d.thread = t;
        d.budget = t == 0 ? drawn_below(&d, 2) : 1 + drawn_below(&d, attempt < 3 ? 4 : 3);
        d.met = t == 0;
        if (d.budget > 0)
            p->functions[t].first = draw_list(&d, d.budget);
    }
    drawn_threads(&d, all_joined);
    if (d.on[FEATURE_exit])
        draw_exit(&d);
    for (int i = 0; i < 2; i++)
        draw_function(&d, DRAWN_ONCE + i);
    if (d.on[FEATURE_handlers]) {
        p->handlers = 1 + drawn_below(&d, 2);
        for (int i = 0; i < p->handlers; i++)
            draw_function(&d, DRAWN_HANDLER + i);
    }
    p->main_ends = d.on[FEATURE_mainends];
}
