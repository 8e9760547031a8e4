/*
 * Which parts of a temporal predicate are decided how; see predicate_temporal.h.
 */
#include <stdio.h>
#include <string.h>

#include "predicate_temporal_graph.h"

struct decider {
    hd_predicate_temporal formula; /* with nodes of its own */
    const hd_predicate_temporal *given;
    hd_predicate_instance *instances; /* [atom] */
    hd_predicate_temporal_check *check;
    hd_predicate_error *error;
    bool failed;
};

static void by(hd_predicate_temporal_check *check, const char *algorithm) {
    size_t used = strlen(check->algorithm);
    if (strstr(check->algorithm, algorithm))
        return;
    snprintf(check->algorithm + used, sizeof check->algorithm - used, "%s%s", used ? "; " : "",
             algorithm);
}

static void because(hd_predicate_temporal_check *check, const char *why) {
    size_t used = strlen(check->why);
    if (strstr(check->why, why))
        return;
    snprintf(check->why + used, sizeof check->why - used, "%s%s", used ? "; " : "", why);
}

static bool is_eventually(enum hd_predicate_temporal_kind kind) {
    return kind == HD_PREDICATE_T_EF || kind == HD_PREDICATE_T_AF;
}

static bool is_always(enum hd_predicate_temporal_kind kind) {
    return kind == HD_PREDICATE_T_EG || kind == HD_PREDICATE_T_AG;
}

/* All runs of a poset end in its last state: what must always come again, or stay from some state
 * on, is decided there, for all states alike. */
static void simplify(struct decider *d) {
    hd_predicate_temporal_node *nodes = d->formula.nodes.data;
    for (size_t i = 0; i < d->formula.nodes.length; i++) {
        hd_predicate_temporal_node *node = &nodes[i];
        if (!is_eventually(node->kind) && !is_always(node->kind))
            continue;
        const hd_predicate_temporal_node *inner = &nodes[node->a];
        bool mixed =
            is_eventually(node->kind) ? is_always(inner->kind) : is_eventually(inner->kind);
        if (mixed || inner->kind == HD_PREDICATE_T_LAST) {
            node->kind = HD_PREDICATE_T_LAST;
            node->a = inner->a;
        }
    }
}

static bool in_last_state(const struct decider *d, uint32_t node) {
    const hd_predicate_temporal_node *n = &d->formula.nodes.data[node];
    switch (n->kind) {
    case HD_PREDICATE_T_ATOM:
        return hd_predicate_true(&d->instances[n->a], d->instances[n->a].space.length);
    case HD_PREDICATE_T_NOT:
        return !in_last_state(d, n->a);
    case HD_PREDICATE_T_AND:
        return in_last_state(d, n->a) && in_last_state(d, n->b);
    case HD_PREDICATE_T_OR:
        return in_last_state(d, n->a) || in_last_state(d, n->b);
    case HD_PREDICATE_T_EU:
    case HD_PREDICATE_T_AU:
        return in_last_state(d, n->b);
    default:
        return in_last_state(d, n->a);
    }
}

/* ---- By detection ---- */

static bool fail(struct decider *d, const hd_predicate_temporal_node *n,
                 const hd_predicate_error *error) {
    *d->error = *error;
    d->error->at = n->at;
    d->error->length = n->length;
    d->failed = true;
    return false;
}

/* The schedule to the state that was found. */
static bool prove(struct decider *d, const hd_predicate_instance *instance, const uint32_t *state,
                  hd_error *error) {
    hd_predicate_prover *prover =
        hd_predicate_prover_create(instance, false, d->check->memory, error);
    if (!prover)
        return false;
    d->check->has_path = hd_predicate_prove(prover, state, &d->check->path) == HD_ORDER_FEASIBLE;
    hd_predicate_prover_free(prover);
    return true;
}

/* EF and AF of a predicate: 1, 0, or -1 if that is not known. */
static int detect(struct decider *d, const hd_predicate_temporal_node *n,
                  hd_predicate_instance *instance, bool every_run) {
    hd_predicate_error wrong = {0};
    bool poset = d->check->model == HD_ORDER_POSET;
    hd_predicate_request request = {.class = poset ? HD_CUT_CONSISTENT : HD_CUT_REACHABLE,
                                    .ask = every_run ? HD_PREDICATE_EVERY_RUN
                                                     : HD_PREDICATE_LEAST_STATE,
                                    .workers = 1,
                                    .memory = d->check->memory,
                                    .control = d->check->control};
    hd_predicate_answer answer;
    if (!hd_predicate_detect(instance, &request, &answer, &wrong.error)) {
        fail(d, n, &wrong);
        return -1;
    }
    int found = answer.found ? 1 : answer.complete ? 0 : -1;
    d->check->looked_at += answer.looked_at;
    by(d->check, answer.algorithm);
    because(d->check, every_run ? "what every run passes is decided as --definitely"
                                : "what some run passes is decided by detection");
    if (found == 1 && !every_run && !prove(d, instance, answer.state, &wrong.error))
        fail(d, n, &wrong);
    if (!found && every_run && answer.avoiding.length) {
        d->check->has_path = true;
        for (size_t i = 0; i < answer.avoiding.length; i++)
            hd_vec_push(&d->check->path, answer.avoiding.data[i]);
    }
    hd_predicate_answer_release(&answer);
    return found;
}

/* The same of its opposite. */
static int detect_not(struct decider *d, const hd_predicate_temporal_node *n,
                      const hd_predicate_temporal_node *atom, bool every_run) {
    hd_predicate opposite;
    hd_predicate_instance instance;
    hd_predicate_error wrong = {0};
    int found = -1;
    size_t room = (size_t)atom->length + 8;
    char *text = hd_mem_zero(room, 1);
    snprintf(text, room, "!(%.*s)", (int)atom->length, d->given->text + atom->at);
    bool read = hd_predicate_init(&opposite, text, &wrong);
    bool good = read && hd_predicate_instance_init(&instance, d->check->order, &opposite,
                                                   d->check->model, d->check->memory, &wrong);
    if (!good)
        fail(d, n, &wrong);
    else {
        found = detect(d, n, &instance, every_run);
        hd_predicate_instance_release(&instance);
    }
    if (read)
        hd_predicate_release(&opposite);
    free(text);
    return found;
}

static enum hd_predicate_temporal_truth truth_of(int found) {
    return found < 0 ? HD_PREDICATE_T_UNKNOWN : found ? HD_PREDICATE_T_TRUE : HD_PREDICATE_T_FALSE;
}

static enum hd_predicate_temporal_truth not_of(enum hd_predicate_temporal_truth truth) {
    return truth == HD_PREDICATE_T_UNKNOWN ? truth
           : truth                         ? HD_PREDICATE_T_FALSE
                                           : HD_PREDICATE_T_TRUE;
}

static enum hd_predicate_temporal_truth by_detection(struct decider *d,
                                                     const hd_predicate_temporal_node *n) {
    const hd_predicate_temporal_node *atom = &d->formula.nodes.data[n->a];
    hd_predicate_instance *instance = &d->instances[atom->a];
    switch (n->kind) {
    case HD_PREDICATE_T_EF:
        return truth_of(detect(d, n, instance, false));
    case HD_PREDICATE_T_AF:
        return truth_of(detect(d, n, instance, true));
    case HD_PREDICATE_T_AG:
        return not_of(truth_of(detect_not(d, n, atom, false)));
    default:
        return not_of(truth_of(detect_not(d, n, atom, true)));
    }
}

/* ---- At the start ---- */

static enum hd_predicate_temporal_truth by_graph(struct decider *d, uint32_t node) {
    hd_predicate_temporal_graph(&d->formula, d->instances, node, d->check);
    by(d->check, "all states, from the last back");
    because(d->check, "nothing quicker is known for operators in each other, or until");
    return d->check->start;
}

static enum hd_predicate_temporal_truth decide(struct decider *d, uint32_t node);

/* A side that decides it alone is enough. */
static enum hd_predicate_temporal_truth decide_two(struct decider *d,
                                                   const hd_predicate_temporal_node *n) {
    enum hd_predicate_temporal_truth enough =
        n->kind == HD_PREDICATE_T_AND ? HD_PREDICATE_T_FALSE : HD_PREDICATE_T_TRUE;
    enum hd_predicate_temporal_truth a = decide(d, n->a);
    if (a == enough || d->failed)
        return a;
    enum hd_predicate_temporal_truth b = decide(d, n->b);
    return b == enough || a == not_of(enough) ? b : a;
}

static enum hd_predicate_temporal_truth decide(struct decider *d, uint32_t node) {
    const hd_predicate_temporal_node *n = &d->formula.nodes.data[node];
    d->check->has_path = false;
    hd_vec_clear(&d->check->path);
    switch (n->kind) {
    case HD_PREDICATE_T_ATOM:
        return truth_of(hd_predicate_true(&d->instances[n->a], d->instances[n->a].none));
    case HD_PREDICATE_T_LAST:
        by(d->check, "last state");
        because(d->check, "every run of a poset ends in its last state");
        return truth_of(in_last_state(d, n->a));
    case HD_PREDICATE_T_NOT:
        return not_of(decide(d, n->a));
    case HD_PREDICATE_T_AND:
    case HD_PREDICATE_T_OR: {
        enum hd_predicate_temporal_truth truth = decide_two(d, n);
        d->check->has_path = false; /* of one side: it shows nothing of the whole */
        hd_vec_clear(&d->check->path);
        return truth;
    }
    default:
        break;
    }
    bool atom = d->formula.nodes.data[n->a].kind == HD_PREDICATE_T_ATOM;
    bool one = is_eventually(n->kind) || is_always(n->kind);
    return one && atom && !d->check->enumerate ? by_detection(d, n) : by_graph(d, node);
}

/* ---- All of it ---- */

static bool make_instances(struct decider *d, uint32_t *made) {
    const hd_predicate_temporal *formula = d->given;
    for (size_t i = 0; i < formula->atoms.length; i++)
        if (hd_predicate_uses(&formula->atoms.data[i], HD_PREDICATE_RACE))
            hd_order_count_orders(d->check->order); /* for all of them the same order */
    for (*made = 0; *made < formula->atoms.length; ++*made) {
        if (hd_predicate_instance_init(&d->instances[*made], d->check->order,
                                       &formula->atoms.data[*made], d->check->model,
                                       d->check->memory, d->error))
            continue;
        for (size_t i = 0; i < formula->nodes.length; i++) {
            const hd_predicate_temporal_node *n = &formula->nodes.data[i];
            if (n->kind == HD_PREDICATE_T_ATOM && n->a == *made)
                d->error->at += n->at;
        }
        return false;
    }
    return true;
}

bool hd_predicate_temporal_decide(const hd_predicate_temporal *formula,
                                  hd_predicate_temporal_check *check, hd_predicate_error *error) {
    struct decider d = {.formula = *formula, .given = formula, .check = check, .error = error};
    size_t count = formula->nodes.length;
    uint32_t made;
    check->complete = true;
    d.instances = HD_NEW_ARRAY(hd_predicate_instance, formula->atoms.length + 1);
    d.formula.nodes.data = HD_NEW_ARRAY(hd_predicate_temporal_node, count + 1);
    memcpy(d.formula.nodes.data, formula->nodes.data, count * sizeof *formula->nodes.data);
    bool good = make_instances(&d, &made);
    if (good) {
        if (check->model == HD_ORDER_POSET && !check->enumerate)
            simplify(&d);
        uint32_t root = (uint32_t)count - 1;
        check->start = check->all ? by_graph(&d, root) : decide(&d, root);
        good = !d.failed;
    }
    for (uint32_t i = 0; i < made; i++)
        hd_predicate_instance_release(&d.instances[i]);
    free(d.instances);
    free(d.formula.nodes.data);
    return good;
}

void hd_predicate_temporal_check_release(hd_predicate_temporal_check *check) {
    hd_vec_release(&check->path);
    *check = (hd_predicate_temporal_check){0};
}
