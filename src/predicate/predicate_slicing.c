#include "predicate_slicing.h"

#include <stdio.h>
#include <string.h>

struct slicer {
    hd_predicate_slicing *to;
    hd_predicate_instance *instance;
    const hd_cut_space *space;
    uint32_t
        *rows;     /* J of event c of p at (start[p] + c) * threads; of count 0: of all solutions */
    hd_bits known; /* [start[p] + c]: some solution has the event */
};

static uint32_t *row_of(const struct slicer *s, uint32_t place, uint32_t count) {
    return s->rows + (s->space->start[place] + count) * s->space->threads;
}

static bool is_known(const struct slicer *s, uint32_t place, uint32_t count) {
    return hd_bits_has(&s->known, s->space->start[place] + count);
}

/* A solution, or an intersection of solutions, with at least so many events of the thread. */
static void meet(struct slicer *s, uint32_t place, uint32_t count, const uint32_t *state) {
    uint32_t *row = row_of(s, place, count);
    bool known = is_known(s, place, count);
    for (uint32_t q = 0; q < s->space->threads; q++)
        row[q] = known && row[q] < state[q] ? row[q] : state[q];
    hd_bits_set(&s->known, s->space->start[place] + count);
}

/* ---- Terms ---- */

/* The least solutions of a term, from one count of a thread to the next. */
static void slice_term(struct slicer *s, const hd_predicate_form *form,
                       const hd_predicate_term *term, uint32_t *now) {
    const hd_cut_space *space = s->space;
    for (uint32_t p = 0; p < space->threads; p++) {
        memset(now, 0, space->stride * sizeof *now);
        for (uint32_t c = 0; c <= space->length[p] && hd_predicate_go_on(&s->to->control); c++) {
            const uint32_t *low = hd_cut_low(space, p, c);
            for (uint32_t q = 0; q < space->threads; q++)
                now[q] = low[q] > now[q] ? low[q] : now[q];
            now[p] = now[p] > c ? now[p] : c;
            if (!hd_predicate_least(form, term, now))
                break;
            meet(s, p, c, now);
        }
    }
}

static bool slice_terms(struct slicer *s, const hd_predicate_form *form) {
    for (size_t i = 0; i < form->terms.length; i++)
        if (hd_predicate_term_class(form, i) > HD_PREDICATE_LINEAR)
            return false;
    uint32_t *now = HD_NEW_ARRAY(uint32_t, s->space->stride + 1);
    for (size_t i = 0; i < form->terms.length && hd_predicate_go_on(&s->to->control); i++)
        slice_term(s, form, &form->terms.data[i], now);
    free(now);
    s->to->regular =
        form->terms.length == 1 && hd_predicate_term_class(form, 0) == HD_PREDICATE_CONJUNCTIVE;
    return true;
}

/* ---- All solutions ---- */

static int take_solution(void *context, const uint32_t *state) {
    struct slicer *s = context;
    for (uint32_t p = 0; p < s->space->threads; p++)
        meet(s, p, state[p], state);
    return 0;
}

static bool slice_solutions(struct slicer *s, hd_error *error) {
    const hd_cut_space *space = s->space;
    hd_predicate_request request = {.class = HD_CUT_CONSISTENT,
                                    .ask = HD_PREDICATE_EVERY_STATE,
                                    .workers = 1,
                                    .memory = s->to->memory,
                                    .sink = take_solution,
                                    .context = s,
                                    .control = s->to->control};
    hd_predicate_answer answer;
    if (!hd_predicate_detect(s->instance, &request, &answer, error))
        return false;
    s->to->control.stopped = !answer.complete;
    s->to->enumerated = true;
    hd_predicate_answer_release(&answer);
    /* A solution with more events of a thread has those before. */
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = space->length[p]; c-- > 0;)
            if (is_known(s, p, c + 1))
                meet(s, p, c, row_of(s, p, c + 1));
    return true;
}

/* ---- The loset ---- */

/* What has been found as a trace. */
struct writing {
    const struct slicer *s;
    const uint32_t *least, *most;
    uint32_t *number;       /* [event]: its number in the slice; 0: it is in no solution */
    uint32_t *step;         /* [event]: the event that its step is known by */
    uint32_t *first, *last; /* [such an event]: of the step in the order of the trace */
};

static bool is_always(const struct writing *w, uint32_t place, uint32_t count) {
    return count <= w->least[place];
}

static bool same_step(const struct writing *w, uint32_t p, uint32_t c, uint32_t q, uint32_t d) {
    return row_of(w->s, p, c)[q] >= d && row_of(w->s, q, d)[p] >= c;
}

/* The last event of the step in its first thread. */
static uint32_t step_of(const struct writing *w, uint32_t p, uint32_t c) {
    const uint32_t *row = row_of(w->s, p, c);
    for (uint32_t q = 0; q < w->s->space->threads; q++)
        if (!is_always(w, q, row[q]) && same_step(w, p, c, q, row[q]))
            return hd_cut_event(w->s->space, q, row[q]);
    assert(false); /* an event is in its own step */
    return 0;
}

static uint32_t place_of(const struct writing *w, uint32_t event) {
    const hd_predicate_instance *instance = w->s->instance;
    return instance->place_of[hd_order_thread_of(instance->order, event)];
}

static uint32_t copy_name(hd_trace *to, const hd_trace *from, enum heddle_class class,
                          uint32_t id) {
    const hd_names *names = &from->tables.names[class];
    return hd_names_add(&to->tables.names[class], hd_names_text(names, id),
                        hd_names_size(names, id));
}

static bool stays(const heddle_event *event) {
    unsigned class = hd_trace_kinds[event->kind].class;
    return (class == HEDDLE_CLASS_VARIABLE || class == HEDDLE_CLASS_LOCK ||
            class == HEDDLE_CLASS_BLOCK || class == HEDDLE_CLASS_LABEL) &&
           event->kind != HEDDLE_TRYFAIL;
}

/* The event in the slice; one that orders threads becomes the beginning of a block. */
static heddle_event copy_event(hd_trace *to, const hd_trace *from, const heddle_event *event) {
    heddle_event copy = *event;
    copy.flags &= (uint8_t)~HEDDLE_REENTRANT;
    copy.thread = copy_name(to, from, HEDDLE_CLASS_THREAD, event->thread);
    copy.location = copy_name(to, from, HEDDLE_CLASS_LOCATION, event->location);
    if (stays(event)) {
        copy.object = copy_name(to, from, hd_trace_kinds[event->kind].class, event->object);
        return copy;
    }
    copy.kind = HEDDLE_BEGIN;
    copy.flags = 0;
    copy.size = 0;
    copy.object = hd_trace_name(to, HEDDLE_CLASS_BLOCK, "%s %s", hd_trace_kinds[event->kind].op,
                                hd_trace_object_name(&from->tables, event));
    return copy;
}

static void add_edge(struct writing *w, uint32_t first, uint32_t second) {
    hd_trace *to = &w->s->to->trace;
    uint32_t a = w->number[first], b = w->number[second];
    assert(a && b && a != b);
    if (hd_trace_event(to, a)->thread != hd_trace_event(to, b)->thread)
        hd_vec_push(&to->loset->edges, (hd_trace_edge){a, b});
}

/* False if the clock is over; then the trace is not whole. */
static bool copy_events(struct writing *w) {
    const hd_trace *from = w->s->instance->order->trace;
    hd_trace *to = &w->s->to->trace;
    uint32_t before = 0;
    for (uint32_t n = 1; n <= hd_trace_length(from); n++) {
        uint32_t p = place_of(w, n), c = w->s->instance->order->index.position[n];
        if (!hd_predicate_go_on(&w->s->to->control))
            return false;
        if (c > w->most[p])
            continue;
        hd_trace_append(to, copy_event(to, from, hd_trace_event(from, n)));
        w->number[n] = hd_trace_length(to);
        if (is_always(w, p, c)) {
            if (before)
                add_edge(w, before, n);
            before = n;
            if (c == w->least[p])
                hd_vec_push(&to->loset->always, w->number[n]);
            continue;
        }
        uint32_t step = w->step[n] = step_of(w, p, c);
        if (w->first[step])
            add_edge(w, w->last[step], n);
        else
            w->first[step] = n;
        w->last[step] = n;
    }
    /* What is always there comes before the rest. */
    for (uint32_t p = 0; before && p < w->s->space->threads; p++)
        if (w->least[p] < w->most[p])
            add_edge(w, before, hd_cut_event(w->s->space, p, w->least[p] + 1));
    return true;
}

/* The steps that come before this one: in each thread, that of the last event which is not in it.
 */
static void order_step(struct writing *w, uint32_t step) {
    uint32_t p = place_of(w, step), c = w->s->instance->order->index.position[step];
    const uint32_t *row = row_of(w->s, p, c);
    for (uint32_t q = 0; q < w->s->space->threads; q++) {
        uint32_t d = row[q];
        while (!is_always(w, q, d) && same_step(w, p, c, q, d))
            d--;
        if (is_always(w, q, d))
            continue;
        uint32_t before = w->step[hd_cut_event(w->s->space, q, d)];
        add_edge(w, w->last[before], w->first[step]);
    }
}

static bool write_steps(struct writing *w) {
    hd_trace *to = &w->s->to->trace;
    uint32_t length = hd_trace_length(w->s->instance->order->trace);
    for (uint32_t n = 1; n <= length; n++) {
        if (w->step[n] != n)
            continue;
        if (!hd_predicate_go_on(&w->s->to->control))
            return false;
        w->s->to->steps++;
        order_step(w, n);
    }
    /* Members of a step, each list after its first event. */
    hd_vec_u32 *members = hd_mem_zero((size_t)length + 1, sizeof *members);
    for (uint32_t n = 1; n <= length; n++)
        if (w->step[n])
            hd_vec_push(&members[w->step[n]], w->number[n]);
    for (uint32_t n = 1; n <= length; n++) {
        for (size_t i = 0; members[n].length > 1 && i <= members[n].length; i++)
            hd_vec_push(&to->loset->together, i < members[n].length ? members[n].data[i] : 0);
        hd_vec_release(&members[n]);
    }
    free(members);
    return true;
}

static bool write_slice(struct slicer *s) {
    size_t events = (size_t)hd_trace_length(s->instance->order->trace) + 1;
    struct writing w = {.s = s, .least = s->to->least, .most = s->to->most};
    w.number = HD_NEW_ARRAY(uint32_t, events);
    w.step = HD_NEW_ARRAY(uint32_t, events);
    w.first = HD_NEW_ARRAY(uint32_t, events);
    w.last = HD_NEW_ARRAY(uint32_t, events);
    hd_trace_init(&s->to->trace);
    s->to->trace.loset = HD_NEW(hd_trace_loset);
    bool whole = copy_events(&w) && write_steps(&w);
    free(w.number);
    free(w.step);
    free(w.first);
    free(w.last);
    return whole;
}

/* ---- All of it ---- */

static bool find_rows(struct slicer *s, hd_error *error) {
    hd_predicate_form form;
    hd_predicate_form_init(&form, s->instance);
    int worst = 0;
    for (size_t i = 0; i < form.terms.length; i++) {
        int class = (int)hd_predicate_term_class(&form, i);
        worst = class > worst ? class : worst;
    }
    bool good = (form.split && slice_terms(s, &form)) || slice_solutions(s, error);
    static const char *const names[] = {
        "conjunctive", "linear", "additive", "pairs of events", "general, with a conjunctive part",
        "general"};
    snprintf(s->to->class, sizeof s->to->class, "%s%s",
             form.terms.length > 1 ? "a disjunction, " : "",
             form.terms.length ? names[worst] : "never true");
    hd_predicate_form_release(&form);
    return good;
}

static void find_ends(struct slicer *s) {
    hd_predicate_slicing *to = s->to;
    to->least = HD_NEW_ARRAY(uint32_t, s->space->stride + 1);
    to->most = HD_NEW_ARRAY(uint32_t, s->space->stride + 1);
    for (uint32_t p = 0; p < s->space->threads; p++) {
        to->least[p] = row_of(s, 0, 0)[p];
        while (to->most[p] < s->space->length[p] && is_known(s, p, to->most[p] + 1))
            to->most[p]++;
    }
}

bool hd_predicate_slicing_run(hd_predicate_slicing *slicing, hd_predicate_instance *instance,
                              hd_error *error) {
    const hd_cut_space *space = &instance->space;
    struct slicer s = {.to = slicing, .instance = instance, .space = space};
    size_t positions = space->start[space->threads];
    assert(instance->model == HD_ORDER_POSET);
    if (slicing->memory / sizeof *s.rows / (space->threads + 1) < positions)
        return hd_error_set(error, "the slice needs more than the memory of --memory");
    s.rows = HD_NEW_ARRAY(uint32_t, positions * space->threads + 1);
    hd_bits_init(&s.known, positions + 1);
    bool good = find_rows(&s, error);
    slicing->complete = good && !slicing->control.stopped;
    slicing->empty = slicing->complete && (!space->threads || !is_known(&s, 0, 0));
    if (slicing->complete && !slicing->empty) {
        find_ends(&s);
        slicing->complete = write_slice(&s);
    }
    hd_bits_release(&s.known);
    free(s.rows);
    return good;
}

void hd_predicate_slicing_release(hd_predicate_slicing *slicing) {
    free(slicing->least);
    free(slicing->most);
    hd_trace_release(&slicing->trace);
    *slicing = (hd_predicate_slicing){0};
}
