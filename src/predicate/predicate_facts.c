#include "predicate_facts.h"

#include <string.h>

void hd_predicate_facts_init(hd_predicate_facts *facts, const hd_predicate *predicate,
                             const hd_trace_tables *tables) {
    *facts = (hd_predicate_facts){.predicate = predicate, .tables = tables};
    size_t leaves = predicate->leaves.length + 1;
    facts->label = HD_NEW_ARRAY(uint32_t, 3 * leaves);
    facts->variable = facts->label + leaves;
    facts->lock = facts->variable + leaves;
    memset(facts->label, 0xff, 3 * leaves * sizeof *facts->label);
    facts->noted = HD_NEW_ARRAY(bool, 2 * leaves);
    facts->written = facts->noted + leaves;
    facts->place_of = HD_NEW_ARRAY(uint32_t, predicate->threads.length + 1);
    memset(facts->place_of, 0xff, (predicate->threads.length + 1) * sizeof *facts->place_of);
    facts->initial = HD_NEW_ARRAY(int64_t, predicate->locals.length + 1);
    int64_t *nothing = HD_NEW_ARRAY(int64_t, leaves);
    for (size_t i = 0; i < predicate->locals.length; i++)
        facts->initial[i] =
            hd_predicate_of_leaves(predicate, predicate->locals.data[i].node, nothing);
    free(nothing);
}

void hd_predicate_facts_release(hd_predicate_facts *facts) {
    for (size_t p = 0; p < facts->places.length; p++) {
        hd_predicate_place *place = &facts->places.data[p];
        for (size_t i = 0; i < facts->predicate->locals.length; i++)
            hd_vec_release(&place->columns[i]);
        free(place->columns);
        free(place->leaves);
    }
    hd_vec_release(&facts->places);
    free(facts->label);
    free(facts->noted);
    free(facts->place_of);
    free(facts->initial);
    *facts = (hd_predicate_facts){0};
}

/* ---- Names ---- */

static uint32_t find_name(const hd_predicate_facts *facts, enum heddle_class class,
                          const char *name) {
    return name ? hd_names_find(&facts->tables->names[class], name, strlen(name)) : HD_NAMES_NONE;
}

static void find_names(hd_predicate_facts *facts) {
    static const enum heddle_class classes[] = {HEDDLE_CLASS_LABEL, HEDDLE_CLASS_VARIABLE,
                                                HEDDLE_CLASS_LOCK};
    uint32_t *const numbers[] = {facts->label, facts->variable, facts->lock};
    for (int i = 0; i < 3; i++) {
        uint32_t length = facts->tables->names[classes[i]].length;
        if (length == facts->known[i])
            continue;
        facts->known[i] = length;
        for (size_t j = 0; j < facts->predicate->leaves.length; j++)
            numbers[i][j] = find_name(facts, classes[i], facts->predicate->leaves.data[j].name);
    }
}

/* ---- Events ---- */

static bool has_column(const hd_predicate_facts *facts, size_t local, uint32_t place) {
    uint32_t thread = facts->predicate->locals.data[local].thread;
    return thread == HD_PREDICATE_NONE || facts->place_of[thread] == place;
}

/* Has every column a value for each count that was not forgotten? */
HD_ASSERT_ONLY static bool columns_are_full(const hd_predicate_facts *facts, uint32_t place) {
    const hd_predicate_place *p = &facts->places.data[place];
    for (size_t i = 0; i < facts->predicate->locals.length; i++)
        if (p->columns[i].length != (has_column(facts, i, place) ? p->count - p->base + 1U : 0U))
            return false;
    return true;
}

static void extend_columns(hd_predicate_facts *facts, uint32_t place) {
    hd_predicate_place *p = &facts->places.data[place];
    for (size_t i = 0; i < facts->predicate->locals.length; i++)
        if (has_column(facts, i, place))
            hd_vec_push(&p->columns[i],
                        hd_predicate_of_leaves(facts->predicate,
                                               facts->predicate->locals.data[i].node, p->leaves));
}

uint32_t hd_predicate_facts_place(hd_predicate_facts *facts, uint32_t thread, uint32_t length) {
    uint32_t place = (uint32_t)facts->places.length;
    hd_predicate_place p = {.thread = thread, .length = length};
    p.leaves = HD_NEW_ARRAY(int64_t, facts->predicate->leaves.length + 1);
    p.columns = HD_NEW_ARRAY(hd_predicate_column, facts->predicate->locals.length + 1);
    hd_vec_push(&facts->places, p);
    const char *name = hd_trace_thread_name(facts->tables, thread);
    for (size_t i = 0; i < facts->predicate->threads.length; i++)
        if (strcmp(facts->predicate->threads.data[i], name) == 0) {
            assert(facts->place_of[i] == HD_PREDICATE_NONE); /* a thread has one place */
            facts->place_of[i] = place;
        }
    extend_columns(facts, place);
    return place;
}

static void note_value(hd_predicate_facts *facts, hd_predicate_place *place, size_t leaf,
                       uint32_t number, const heddle_event *event) {
    bool stamp = facts->predicate->leaves.data[leaf].kind == HD_PREDICATE_STAMP;
    if (!(event->flags & HEDDLE_HAS_VALUE) && !facts->valueless) {
        facts->valueless = number;
        facts->valueless_leaf = (uint32_t)leaf;
    }
    assert(!stamp || place->leaves[leaf] < (int64_t)number);
    place->leaves[leaf] = stamp ? (int64_t)number : event->value;
}

static void update_leaf(hd_predicate_facts *facts, hd_predicate_place *place, size_t leaf,
                        uint32_t number, const heddle_event *event) {
    bool mark = event->kind == HEDDLE_MARK, valued = event->flags & HEDDLE_HAS_VALUE;
    switch (facts->predicate->leaves.data[leaf].kind) {
    case HD_PREDICATE_AT:
        if (mark && !valued)
            place->leaves[leaf] = event->object == facts->label[leaf];
        break;
    case HD_PREDICATE_VALUE:
    case HD_PREDICATE_STAMP:
        if (mark && valued && event->object == facts->label[leaf]) {
            facts->noted[leaf] = true;
            note_value(facts, place, leaf, number, event);
        } else if (hd_trace_writes(event) && event->object == facts->variable[leaf]) {
            facts->written[leaf] = true;
            note_value(facts, place, leaf, number, event);
        }
        break;
    case HD_PREDICATE_HELD:
        if ((hd_trace_traits(event) & HEDDLE_T_LOCK) && !(event->flags & HEDDLE_REENTRANT) &&
            event->object == facts->lock[leaf])
            place->leaves[leaf] = hd_trace_acquires(event);
        break;
    case HD_PREDICATE_POSITION:
        place->leaves[leaf] = place->count;
        break;
    default:
        place->leaves[leaf] = place->length && place->count == place->length;
    }
}

void hd_predicate_facts_take(hd_predicate_facts *facts, uint32_t place, uint32_t number,
                             const heddle_event *event) {
    find_names(facts);
    hd_predicate_place *p = &facts->places.data[place];
    p->count++;
    assert(!p->length || p->count <= p->length);
    for (size_t i = 0; i < facts->predicate->leaves.length; i++)
        update_leaf(facts, p, i, number, event);
    extend_columns(facts, place);
    assert(columns_are_full(facts, place));
}

bool hd_predicate_facts_changed(const hd_predicate_facts *facts, uint32_t place, uint32_t count) {
    assert(count > facts->places.data[place].base); /* the one before it is known, too */
    for (uint32_t i = 0; i < facts->predicate->locals.length; i++)
        if (has_column(facts, i, place) &&
            hd_predicate_at(facts, i, place, count) != hd_predicate_at(facts, i, place, count - 1))
            return true;
    return false;
}

void hd_predicate_facts_forget(hd_predicate_facts *facts, uint32_t place, uint32_t base) {
    hd_predicate_place *p = &facts->places.data[place];
    uint32_t gone = base - p->base;
    assert(base >= p->base && base <= p->count);
    for (uint32_t i = 0; i < facts->predicate->locals.length; i++) {
        hd_predicate_column *column = &p->columns[i];
        if (!has_column(facts, i, place))
            continue;
        column->length -= gone;
        memmove(column->data, column->data + gone, column->length * sizeof *column->data);
    }
    p->base = base;
    assert(columns_are_full(facts, place));
}

/* ---- Is it clear? ---- */

static bool check_leaf(const hd_predicate_facts *facts, size_t leaf, hd_predicate_error *error) {
    const hd_predicate_leaf *l = &facts->predicate->leaves.data[leaf];
    const hd_predicate_node *node = &facts->predicate->tree.nodes.data[l->node];
    switch (l->kind) {
    case HD_PREDICATE_AT:
        return facts->label[leaf] != HD_NAMES_NONE ||
               hd_predicate_fail(error, node, "the trace has no mark '%s'", l->name);
    case HD_PREDICATE_HELD:
        return facts->lock[leaf] != HD_NAMES_NONE ||
               hd_predicate_fail(error, node, "the trace has no lock '%s'", l->name);
    case HD_PREDICATE_VALUE:
    case HD_PREDICATE_STAMP:
        if (!facts->noted[leaf] && !facts->written[leaf])
            return hd_predicate_fail(error, node, "no event of the trace notes or writes '%s'",
                                     l->name);
        return true;
    default:
        return true;
    }
}

bool hd_predicate_facts_check(const hd_predicate_facts *facts, bool whole,
                              hd_predicate_error *error) {
    const hd_predicate *predicate = facts->predicate;
    for (size_t i = 0; i < predicate->leaves.length; i++) {
        const hd_predicate_leaf *l = &predicate->leaves.data[i];
        const hd_predicate_node *node = &predicate->tree.nodes.data[l->node];
        if (facts->noted[i] && facts->written[i])
            return hd_predicate_fail(error, node, "'%s' is both a note and a variable of the trace",
                                     l->name);
        if (whole && !check_leaf(facts, i, error))
            return false;
    }
    if (facts->valueless) {
        const hd_predicate_leaf *l = &predicate->leaves.data[facts->valueless_leaf];
        return hd_predicate_fail(error, &predicate->tree.nodes.data[l->node],
                                 "event %u writes '%s', but the trace does not say what",
                                 facts->valueless, l->name);
    }
    for (size_t i = 0; whole && i < predicate->threads.length; i++)
        for (size_t n = 0; facts->place_of[i] == HD_PREDICATE_NONE; n++) {
            assert(n < predicate->tree.nodes.length); /* some node names the thread */
            const hd_predicate_node *node = &predicate->tree.nodes.data[n];
            if (node->thread && strcmp(node->thread, predicate->threads.data[i]) == 0)
                return hd_predicate_fail(error, node, "the trace has no event of a thread '%s'",
                                         node->thread);
        }
    return true;
}
