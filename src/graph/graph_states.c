#include "graph_states.h"

#include "graph_fair.h"

/* How a state was reached first, and where its bytes end. */
typedef struct reached {
    uint32_t parent;
    hd_step step;
    size_t end;
} reached;

typedef struct search {
    hd_machine *machine;
    const hd_graph_states_options *options;
    hd_graph_states_result *result;
    hd_graph graph;
    HD_VEC(reached) reached;
    hd_vec_char bytes; /* of all states */
    hd_map by_hash;    /* the number of a state; where another one has its hash, at the next */
    hd_steps schedule;
    bool full; /* there was no room for a state */
} search;

bool hd_graph_states_can(const hd_machine *machine) {
    enum { MOST = 64 };
    return machine->type->state && machine->type->go_to && machine->type->undo &&
           machine->type->tell_states && machine->threads <= MOST;
}

/* ---- States ---- */

static size_t begin_of(const search *s, uint32_t number) {
    return number ? s->reached.data[number - 1].end : 0;
}

static uint64_t hash_of(const char *bytes, size_t length) {
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ length;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

/* The state that the machine is in, by number; UINT32_MAX: there is no room for it. */
static uint32_t number_of(search *s, uint32_t parent, hd_step step) {
    size_t begin = s->bytes.length;
    if (s->full)
        return UINT32_MAX;
    bool added, told = s->machine->type->state(s->machine, &s->bytes);
    size_t length = s->bytes.length - begin;
    for (uint64_t hash = hash_of(s->bytes.data + begin, length); told; hash++) {
        uint32_t *known = hd_map_at(&s->by_hash, hash, &added);
        if (added) {
            size_t most = s->options->most_bytes;
            *known = (uint32_t)s->reached.length;
            s->full |= s->reached.length >= s->options->most_states ||
                       s->bytes.length + s->graph.edges.length * sizeof(hd_graph_edge) > most;
            if (s->full)
                break;
            hd_vec_push(&s->reached, (reached){parent, step, s->bytes.length});
            return *known;
        }
        size_t first = begin_of(s, *known);
        if (s->reached.data[*known].end - first == length &&
            memcmp(s->bytes.data + first, s->bytes.data + begin, length) == 0) {
            s->bytes.length = begin;
            return *known;
        }
    }
    s->full = true;
    return UINT32_MAX;
}

static void go_to(search *s, uint32_t number) {
    size_t begin = begin_of(s, number);
    s->machine->type->go_to(s->machine, s->bytes.data + begin, s->reached.data[number].end - begin);
}

/* The steps to a state. */
static void find_way(search *s, uint32_t number) {
    hd_steps *steps = &s->schedule;
    hd_vec_clear(steps);
    for (uint32_t at = number; at; at = s->reached.data[at].parent)
        hd_vec_push(steps, s->reached.data[at].step);
    for (size_t a = 0, b = steps->length; a + 1 < b; a++) {
        hd_step swapped = steps->data[a];
        steps->data[a] = steps->data[--b];
        steps->data[b] = swapped;
    }
}

static void show(search *s, hd_graph_seen seen) {
    seen.schedule = &s->schedule;
    if (s->options->visit(s->options->context, s->machine, &seen))
        s->result->stopped = true;
}

/* ---- Steps ---- */

static bool does_write(const hd_machine_operation *operation) {
    bool writes = false;
    for (uint32_t i = 0; i < operation->count; i++)
        writes |= (operation->accesses[i].mode & HD_MACHINE_WRITES) != 0;
    return writes;
}

static void take(search *s, uint32_t from, hd_step step, hd_graph_edge edge) {
    enum hd_machine_result result = s->machine->type->step(s->machine, step.thread, step.choice);
    s->result->steps++;
    if (result == HD_MACHINE_WENT_ON) {
        edge.to = number_of(s, from, step);
        if (edge.to != UINT32_MAX)
            hd_vec_push(&s->graph.edges, edge);
    } else {
        find_way(s, from);
        hd_vec_push(&s->schedule, step);
        show(s, (hd_graph_seen){.end = HD_GRAPH_FAILURE});
    }
    s->machine->type->undo(s->machine);
}

/* All ways that a state goes on. */
static void expand(search *s, uint32_t number) {
    hd_machine *machine = s->machine;
    hd_machine_operation operation = {0};
    hd_graph_node node = {.first = s->graph.edges.length};
    bool waits = false, retries = false;
    go_to(s, number);
    for (uint32_t t = 0; t < machine->threads && !s->result->stopped; t++) {
        if (!machine->type->next(machine, t, &operation)) {
            s->graph.can_end |= UINT64_C(1) << t;
            continue;
        }
        waits |= !operation.idle;
        retries |= operation.retries;
        if (!operation.enabled)
            continue;
        node.enabled |= UINT64_C(1) << t;
        hd_graph_edge edge = {.thread = (uint8_t)t,
                              .only = operation.choices == 1 && !operation.outside,
                              .writes = does_write(&operation)};
        for (uint32_t c = 0, choices = operation.choices; c < choices && !s->result->stopped; c++)
            take(s, number, (hd_step){t, c}, edge);
    }
    hd_vec_push(&s->graph.nodes, node);
    if (!node.enabled && waits && !retries && !s->result->stopped) {
        find_way(s, number);
        show(s, (hd_graph_seen){.end = HD_GRAPH_DEADLOCK});
    }
}

/* ---- Everything together ---- */

static int show_cycle(void *context, uint32_t node, const hd_steps *cycle, bool writes) {
    search *s = context;
    find_way(s, node);
    size_t before = s->schedule.length;
    for (size_t i = 0; i < cycle->length; i++)
        hd_vec_push(&s->schedule, cycle->data[i]);
    show(s, (hd_graph_seen){.end = HD_GRAPH_LIVELOCK, .before = before, .writes = writes});
    return s->result->stopped;
}

/* Of states that were reached and not left, what follows is not known: nothing is enabled there, so
 * that no cycle has them. */
static void close_graph(search *s) {
    while (s->graph.nodes.length <= s->reached.length)
        hd_vec_push(&s->graph.nodes, (hd_graph_node){.first = s->graph.edges.length});
}

void hd_graph_states(hd_machine *machine, const hd_graph_states_options *options,
                     hd_graph_states_result *result) {
    search s = {.machine = machine, .options = options, .result = result};
    uint32_t next = 0;
    *result = (hd_graph_states_result){0};
    machine->type->tell_states(machine, true);
    number_of(&s, 0, (hd_step){0, 0});
    while (next < s.reached.length && !result->stopped && !s.full && !hd_clock_over())
        expand(&s, next++);
    result->all = next == s.reached.length && !s.full;
    result->states = (uint32_t)s.reached.length;
    close_graph(&s);
    if (!result->stopped)
        result->complete =
            hd_graph_fair(&s.graph, show_cycle, &s) && result->all && !result->stopped;
    machine->type->tell_states(machine, false);
    hd_graph_release(&s.graph);
    hd_vec_release(&s.reached);
    hd_vec_release(&s.bytes);
    hd_map_release(&s.by_hash);
    hd_vec_release(&s.schedule);
}
