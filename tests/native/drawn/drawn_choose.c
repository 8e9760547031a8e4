/* Which features a drawn program has, and which places: see drawn_drawer.h. */
#include "drawn_drawer.h"

static bool allowed_place(const drawer *d, int number) {
    switch (drawn_place(number).kind) {
    case PLACE_SCALAR:
        return true;
    case PLACE_UNION:
        return d->on[FEATURE_overlap];
    case PLACE_PACKED:
        return d->on[FEATURE_unaligned];
    case PLACE_FIELD:
        return d->on[FEATURE_bitfield];
    case PLACE_HEAP:
        return d->on[FEATURE_heap];
    default:
        return false;
    }
}

/* A few places, so that threads meet.  x0 and x1 are there for what waits. */
void drawn_choose_places(drawer *d) {
    d->places[0] = drawn_below(d, 2);
    d->place_count = 1;
    if (d->on[FEATURE_orders]) { /* x1 and x2 are for messages */
        d->places[0] = drawn_find("x0");
        d->places[d->place_count++] = drawn_find("x3");
        return;
    }
    while (d->place_count < 4 && (d->place_count < 2 || drawn_chance(d, 60))) {
        int number = drawn_below(d, drawn_place_count);
        if (allowed_place(d, number) && (number > 4 || drawn_chance(d, 30)))
            d->places[d->place_count++] = number;
    }
}

/* Where memory orders count, all else has a meaning in happens-before that the standards give it,
 * and no two atomic objects overlap. */
static void draw_orders(drawer *d, const bool allowed[FEATURES]) {
    static const feature off[] = {
        FEATURE_condition, FEATURE_semaphore, FEATURE_timed,     FEATURE_stdio,    FEATURE_print,
        FEATURE_library,   FEATURE_handlers,  FEATURE_exit,      FEATURE_mainends, FEATURE_unjoined,
        FEATURE_detached,  FEATURE_overlap,   FEATURE_unaligned, FEATURE_bitfield, FEATURE_strings,
        FEATURE_format,    FEATURE_heap,      FEATURE_choose,    FEATURE_section};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        d->on[off[i]] = false;
    d->on[FEATURE_atomic] = allowed[FEATURE_atomic];
    d->p->ordered = true;
}

/* All blocks of the size are the shared ones, and no thread is alone before its end. */
static void draw_reuse(drawer *d, const bool allowed[FEATURES]) {
    static const feature off[] = {FEATURE_heap, FEATURE_results,  FEATURE_stdio, FEATURE_handlers,
                                  FEATURE_exit, FEATURE_mainends, FEATURE_orders};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        d->on[off[i]] = false;
    d->on[FEATURE_frees] = allowed[FEATURE_frees];
    d->p->reuse = d->on[FEATURE_frees];
}

void drawn_choose_features(drawer *d, const bool allowed[FEATURES], const bool wanted[FEATURES]) {
    /* Either a little of everything, or much of a few, which then meet. */
    bool mixed = drawn_chance(d, 50);
    for (int f = 0; f < FEATURES; f++)
        d->on[f] = mixed && allowed[f] && drawn_chance(d, 28);
    for (int i = 0; i < 4 && !mixed; i++) {
        int f = drawn_below(d, FEATURES);
        d->on[f] = allowed[f];
    }
    for (int f = 0; f < FEATURES; f++)
        d->on[f] |= wanted[f] && allowed[f];
    if (d->on[FEATURE_try] || d->on[FEATURE_timed] || d->on[FEATURE_recursive] ||
        d->on[FEATURE_errorcheck])
        d->on[FEATURE_mutex] = allowed[FEATURE_mutex];
    if (d->on[FEATURE_format])
        d->on[FEATURE_strings] = allowed[FEATURE_strings];
    if (!d->on[FEATURE_recursive] && d->on[FEATURE_errorcheck])
        d->p->kinds[1] = MUTEX_ERRORCHECK;
    else if (d->on[FEATURE_recursive])
        d->p->kinds[1] = MUTEX_RECURSIVE;
    /* What main looks at in the end must not be in use. */
    if (d->on[FEATURE_stdio] || d->on[FEATURE_library] || d->on[FEATURE_exit])
        d->on[FEATURE_mainends] = false;
    if (d->on[FEATURE_reuse])
        draw_reuse(d, allowed);
    else if (d->on[FEATURE_orders])
        draw_orders(d, allowed);
}
