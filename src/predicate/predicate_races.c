#include "predicate_races.h"

#include <string.h>

typedef HD_VEC(hd_cut_clash) pairs;

/* A space of its own: here the order of threads is free, and one is the quickest. */
static void make_space(const hd_predicate_instance *instance, hd_cut_space *space) {
    uint32_t *places = HD_NEW_ARRAY(uint32_t, hd_order_threads(instance->order) + 1);
    uint32_t count = hd_cut_space_threads(instance->order, places);
    hd_cut_places_for_diagram(instance->order, instance->model, places, count);
    hd_cut_space_init(space, instance->order, instance->model, places);
    free(places);
}

static bool concurrent(const hd_cut_space *space, uint32_t p, uint32_t c, uint32_t q, uint32_t d) {
    return hd_cut_low(space, p, c)[q] < d && hd_cut_low(space, q, d)[p] < c;
}

/* The pairs of one variable; false if that makes too many, or no time is left. */
static bool add_variable(const hd_predicate_instance *instance, const hd_cut_space *space,
                         const uint32_t *place_of, uint32_t variable, bool initialisation,
                         size_t most, pairs *to) {
    const hd_order *order = instance->order;
    const hd_trace_lists *variables = &order->index.variables;
    const uint32_t *accesses = hd_trace_list(variables, variable);
    uint32_t count = hd_trace_list_length(variables, variable);
    for (uint32_t i = 0; i < count; i++) {
        if (hd_clock_over())
            return false;
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = accesses[j], b = accesses[i];
            assert(a < b);
            uint32_t p = place_of[hd_order_thread_of(order, a)];
            uint32_t q = place_of[hd_order_thread_of(order, b)];
            uint32_t c = order->index.position[a], d = order->index.position[b];
            if (p == q || !concurrent(space, p, c, q, d) ||
                !hd_predicate_collide(instance, a, b, initialisation))
                continue;
            if (to->length == most)
                return false;
            hd_vec_push(to, ((hd_cut_clash){(uint32_t)(space->start[p] + c),
                                            (uint32_t)(space->start[q] + d)}));
        }
    }
    return true;
}

static bool find_pairs(const hd_predicate_instance *instance, const hd_cut_space *space,
                       bool initialisation, size_t most, pairs *to) {
    uint32_t *place_of = HD_NEW_ARRAY(uint32_t, hd_order_threads(instance->order) + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        place_of[space->thread[p]] = p;
    assert(space->threads == instance->space.threads); /* the same ones, in another order */
    bool fits = true;
    for (uint32_t v = 0; v < instance->order->index.variables.count && fits; v++)
        fits = add_variable(instance, space, place_of, v, initialisation, most, to);
    free(place_of);
    return fits;
}

struct shares {
    const hd_cut_clashes *clashes;
    const volatile int *stop;
    uint64_t *states, *racing; /* [worker] */
};

static int count_interval(void *context, unsigned worker, const uint32_t *least,
                          const uint32_t *most) {
    const struct shares *s = context;
    return hd_cut_clash_count(s->clashes, least, most, NULL, s->stop, &s->states[worker],
                              &s->racing[worker]);
}

/* ---- Several processes ---- */

/* An interval that another process counts (base_turns.h). */
struct part {
    const hd_cut_space *space;
    struct shares shares; /* of one worker */
    size_t count;         /* of parts */
    uint64_t states, racing;
    int why; /* other than 0: it ended early */
};

/* What a part came to. */
struct counted {
    uint64_t states, racing;
    int why;
};

static void *count_part(void *context, unsigned worker, uint64_t number) {
    struct part *part = context;
    struct counted *it = HD_NEW(struct counted);
    (void)worker;
    part->shares.states[0] = part->shares.racing[0] = 0;
    it->why =
        hd_cut_one_part(part->space, part->count, (size_t)number, count_interval, &part->shares);
    it->states = part->shares.states[0];
    it->racing = part->shares.racing[0];
    return it;
}

static bool enter_part(void *context, void *done) {
    struct part *part = context;
    const struct counted *it = done;
    part->states += it->states;
    part->racing += it->racing;
    part->why = it->why;
    free(done);
    return !part->why;
}

static void drop_part(void *context, void *done) {
    (void)context;
    free(done);
}

static void pack_part(void *context, const void *done, hd_vec_char *to) {
    const struct counted *it = done;
    (void)context;
    hd_bytes_put(to, it->states);
    hd_bytes_put(to, it->racing);
    hd_bytes_put(to, it->why != 0);
}

static void *unpack_part(void *context, uint64_t number, hd_bytes *from) {
    struct counted *it = HD_NEW(struct counted);
    (void)context;
    (void)number;
    it->states = hd_bytes_get(from, UINT64_MAX);
    it->racing = hd_bytes_get(from, it->states);
    it->why = (int)hd_bytes_get(from, 1);
    return it;
}

static int count_shared(const hd_cut_space *space, struct shares *s) {
    enum { PARTS = 256 };
    size_t counts = (size_t)space->length[0] + 1;
    struct part part = {space, *s, counts < PARTS ? counts : PARTS, 0, 0, 0};
    hd_turns turns = {.context = &part,
                      .pieces = part.count,
                      .work = count_part,
                      .enter = enter_part,
                      .drop = drop_part,
                      .pack = pack_part,
                      .unpack = unpack_part};
    hd_turns_run(&turns, 1);
    s->states[0] = part.states;
    s->racing[0] = part.racing;
    return part.why ? part.why : hd_clock_look() != HD_CLOCK_GOES;
}

static void count_all(const hd_cut_space *space, const pairs *found, hd_predicate_request *request,
                      hd_predicate_answer *answer) {
    enum { PARTS_A_WORKER = 4 };
    unsigned workers = request->workers;
    hd_cut_clashes clashes;
    hd_cut_clashes_init(&clashes, space, found->data, found->length);
    struct shares s = {.clashes = &clashes, .stop = request->control.stop};
    s.states = HD_NEW_ARRAY(uint64_t, workers);
    s.racing = HD_NEW_ARRAY(uint64_t, workers);
    size_t parts = workers > 1 ? (size_t)workers * PARTS_A_WORKER : 1;
    int why = hd_turns_crew_now() ? count_shared(space, &s)
                                  : hd_cut_parts(space, workers, parts, count_interval, &s, NULL);
    for (unsigned i = 0; i < workers; i++) {
        assert(s.racing[i] <= s.states[i]);
        request->control.states += s.states[i];
        hd_cut_count_add(&answer->states, s.racing[i]);
        answer->found |= s.racing[i] != 0;
    }
    answer->complete &= why == 0;
    free(s.states);
    free(s.racing);
    hd_cut_clashes_release(&clashes);
}

bool hd_predicate_count_races(const hd_predicate_instance *instance, bool initialisation,
                              hd_predicate_request *request, hd_predicate_answer *answer) {
    hd_cut_space space;
    pairs found = {0};
    size_t most = request->memory / 4 / (2 * sizeof(hd_cut_clash) + 4 * sizeof(uint32_t));
    if (!instance->space.threads || instance->cut_steps || instance->counts ||
        hd_cut_packing_of(&instance->space) == HD_CUT_UNPACKED)
        return false;
    make_space(instance, &space);
    bool good = find_pairs(instance, &space, initialisation, most, &found);
    if (good)
        count_all(&space, &found, request, answer);
    hd_vec_release(&found);
    hd_cut_space_release(&space);
    return good;
}
