#include "predicate_project.h"

#include <string.h>

/* ---- What it may ask for ---- */

static bool asks_for_marks_only(const hd_predicate_instance *instance, hd_predicate_error *error) {
    const hd_predicate *predicate = instance->facts.predicate;
    for (uint32_t i = 0; i < predicate->tree.nodes.length; i++) {
        const hd_predicate_node *node = &predicate->tree.nodes.data[i];
        enum hd_predicate_kind kind = node->kind;
        uint32_t leaf = predicate->leaf_of[i];
        bool other = kind == HD_PREDICATE_HELD || kind == HD_PREDICATE_POSITION ||
                     kind == HD_PREDICATE_DONE || kind == HD_PREDICATE_RACE ||
                     kind == HD_PREDICATE_DEADLOCK || kind == HD_PREDICATE_PLUGIN ||
                     (leaf != HD_PREDICATE_NONE && instance->facts.written[leaf]);
        if (other)
            return hd_predicate_fail(error, node, "this asks for more than marks and notes");
    }
    return true;
}

/* ---- The space ---- */

struct projection {
    const hd_cut_space *whole;
    hd_cut_space *space;
    uint32_t *marks; /* [start[p] + c] of the whole: marks among the first c events */
    uint32_t *count; /* [start[p] + c] of the space: the count of its c-th mark */
};

static void count_marks(struct projection *p, const hd_trace *trace) {
    const hd_cut_space *whole = p->whole;
    for (uint32_t q = 0; q < whole->threads; q++) {
        uint32_t marks = 0;
        for (uint32_t c = 1; c <= whole->length[q]; c++) {
            marks += hd_trace_event(trace, hd_cut_event(whole, q, c))->kind == HEDDLE_MARK;
            p->marks[whole->start[q] + c] = marks;
        }
        p->space->length[q] = marks;
        p->space->start[q + 1] = p->space->start[q] + marks + 1;
    }
}

/* Rows of one thread: of the c-th mark what it needs, of the next one what goes without. */
static void make_rows(struct projection *p, uint32_t q, uint32_t *used) {
    const hd_cut_space *whole = p->whole;
    hd_cut_space *space = p->space;
    for (uint32_t c = 0; c <= space->length[q]; c++, ++*used) {
        size_t at = space->start[q] + c;
        uint32_t *low = space->lows + (size_t)*used * space->stride;
        uint32_t *high = space->highs + (size_t)*used * space->stride;
        bool last = c == space->length[q];
        const uint32_t *need = hd_cut_low(whole, q, p->count[at]);
        const uint32_t *without = last ? NULL : hd_cut_high(whole, q, p->count[at + 1] - 1);
        space->low_of[at] = space->high_of[at] = *used;
        space->stretch[at] = c;
        for (uint32_t r = 0; r < space->stride; r++) {
            bool other = r < space->threads && r != q;
            low[r] = other ? p->marks[whole->start[r] + need[r]] : 0;
            high[r] = !other    ? HD_CUT_MAX_COUNT
                      : without ? p->marks[whole->start[r] + without[r]]
                                : space->length[r];
            assert(low[r] <= high[r]);
        }
    }
}

/* Is each count of the projection that of a mark, the first one apart, and do they go up? */
HD_ASSERT_ONLY static bool counts_are_marks(const struct projection *p, const hd_trace *trace) {
    const hd_cut_space *space = p->space;
    for (uint32_t q = 0; q < space->threads; q++)
        for (uint32_t c = 0; c <= space->length[q]; c++) {
            uint32_t count = p->count[space->start[q] + c];
            if (!c ? count != 0
                   : count <= p->count[space->start[q] + c - 1] ||
                         hd_trace_event(trace, hd_cut_event(p->whole, q, count))->kind !=
                             HEDDLE_MARK)
                return false;
        }
    return true;
}

static void project_space(struct projection *p, const hd_trace *trace) {
    const hd_cut_space *whole = p->whole;
    hd_cut_space *space = p->space;
    size_t threads = whole->threads;
    *space = (hd_cut_space){.order = whole->order,
                            .model = whole->model,
                            .threads = whole->threads,
                            .stride = whole->stride};
    space->thread = HD_NEW_ARRAY(uint32_t, threads + 1);
    memcpy(space->thread, whole->thread, threads * sizeof *space->thread);
    space->length = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    space->start = HD_NEW_ARRAY(size_t, threads + 1);
    count_marks(p, trace);
    size_t positions = space->start[threads];
    p->count = HD_NEW_ARRAY(uint32_t, positions + 1);
    for (uint32_t q = 0; q < threads; q++)
        for (uint32_t c = whole->length[q]; c > 0; c--)
            p->count[space->start[q] + p->marks[whole->start[q] + c]] =
                p->marks[whole->start[q] + c] ? c : 0;
    space->low_of = HD_NEW_ARRAY(uint32_t, positions + 1);
    space->high_of = HD_NEW_ARRAY(uint32_t, positions + 1);
    space->stretch = HD_NEW_ARRAY(uint32_t, positions + 1);
    space->lows = HD_NEW_ARRAY(uint32_t, positions * space->stride + HD_CUT_LANES);
    space->highs = HD_NEW_ARRAY(uint32_t, positions * space->stride + HD_CUT_LANES);
    uint32_t used = 0;
    HD_COSTLY_ASSERT(counts_are_marks(p, trace));
    for (uint32_t q = 0; q < threads; q++)
        make_rows(p, q, &used);
    assert(used == positions); /* a row for each count */
}

static void feed(hd_predicate_instance *small, const hd_predicate_instance *instance) {
    const hd_trace *trace = instance->order->trace;
    for (uint32_t p = 0; p < small->space.threads; p++)
        hd_predicate_facts_place(&small->facts, small->space.thread[p], small->space.length[p]);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (event->kind == HEDDLE_MARK)
            hd_predicate_facts_take(&small->facts, instance->place_of[event->thread], n, event);
    }
    for (uint32_t p = 0; p < small->space.threads; p++)
        assert(small->facts.places.data[p].count == small->space.length[p]);
}

bool hd_predicate_project(hd_predicate_instance *small, const hd_predicate_instance *instance,
                          hd_predicate_error *error) {
    *error = (hd_predicate_error){0};
    if (!asks_for_marks_only(instance, error))
        return false;
    if (instance->model == HD_ORDER_LOSET &&
        instance->order->trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length)
        return hd_predicate_fail(error, &instance->facts.predicate->tree.nodes.data[0],
                                 "the trace has semaphores, whose units the marks of a loset do "
                                 "not count");
    *small = (hd_predicate_instance){.order = instance->order, .model = instance->model};
    struct projection p = {.whole = &instance->space, .space = &small->space};
    p.marks = HD_NEW_ARRAY(uint32_t, instance->space.start[instance->space.threads] + 1);
    project_space(&p, instance->order->trace);
    small->counts = p.count;
    free(p.marks);
    hd_predicate_facts_init(&small->facts, instance->facts.predicate, instance->facts.tables);
    hd_bits_init(&small->between, small->space.start[small->space.threads] + 1);
    small->none = HD_NEW_ARRAY(uint32_t, small->space.stride + 1);
    feed(small, instance);
    return true;
}

void hd_predicate_lift(const hd_predicate_instance *small, const hd_predicate_instance *instance,
                       const uint32_t *marks, uint32_t *state) {
    const hd_cut_space *space = &instance->space;
    memset(state, 0, space->threads * sizeof *state);
    for (uint32_t p = 0; p < space->threads; p++) {
        assert(marks[p] <= small->space.length[p]);
        uint32_t count = small->counts[small->space.start[p] + marks[p]];
        const uint32_t *low = hd_cut_low(space, p, count);
        for (uint32_t q = 0; q < space->threads; q++) {
            uint32_t need = q == p ? count : low[q];
            state[q] = need > state[q] ? need : state[q];
        }
    }
    for (uint32_t p = 0; p < space->threads; p++) /* a wait needs nothing more than its release */
        if (hd_bits_has(&instance->between, space->start[p] + state[p]))
            state[p]++;
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, state));
}
