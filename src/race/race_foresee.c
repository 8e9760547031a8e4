#include "race_foresee.h"

void hd_race_foresight_release(hd_race_foresight *foresight) {
    hd_vec_release(&foresight->answers);
    hd_map_release(&foresight->by_events);
}

void hd_race_asker_init(hd_race_asker *asker, const hd_order_space *space) {
    *asker = (hd_race_asker){.solver = hd_order_solver_create(space)};
}

void hd_race_asker_release(hd_race_asker *asker) {
    hd_order_solver_free(asker->solver);
    hd_order_query_release(&asker->query);
}

static uint64_t key_of(const hd_race_question *question) {
    return (uint64_t)question->a << 32 | question->b;
}

/* Would the solver, with this limit, have said the same?  It says that it does not know only if
 * the limit is reached. */
static bool holds(const struct hd_race_foreseen *it, const hd_race_question *question) {
    const hd_race_question *asked = &it->question;
    if (asked->straight != question->straight)
        return false;
    return asked->limit == question->limit ||
           ((it->answer != HD_ORDER_UNKNOWN || question->straight) &&
            (!question->limit || it->spent < question->limit));
}

static const struct hd_race_foreseen *find(const hd_race_foresight *known,
                                           const hd_race_question *question) {
    const uint32_t *place = hd_map_find(&known->by_events, key_of(question));
    for (uint32_t at = place ? *place : 0; at; at = known->answers.data[at - 1].before)
        if (holds(&known->answers.data[at - 1], question))
            return &known->answers.data[at - 1];
    return NULL;
}

static void keep(hd_race_foresight *notes, struct hd_race_foreseen it) {
    uint32_t *place = hd_map_at(&notes->by_events, key_of(&it.question), NULL);
    it.before = *place;
    *place = (uint32_t)notes->answers.length + 1;
    hd_vec_push(&notes->answers, it);
}

static hd_order_effort effort_since(const hd_order_effort *now, const hd_order_effort *before) {
    return (hd_order_effort){.queries = now->queries - before->queries,
                             .closed = now->closed - before->closed,
                             .straight = now->straight - before->straight,
                             .runs = now->runs - before->runs,
                             .branches = now->branches - before->branches,
                             .work = now->work - before->work};
}

static enum hd_order_answer solve(hd_race_asker *asker, const hd_race_question *question) {
    hd_order_query_clear(&asker->query);
    hd_vec_push(&asker->query.next, question->a);
    hd_vec_push(&asker->query.next, question->b);
    asker->query.limit = question->limit;
    asker->query.straight = question->straight;
    return hd_order_solve(asker->solver, &asker->query);
}

enum hd_order_answer hd_race_ask(hd_race_asker *asker, hd_race_question question) {
    const struct hd_race_foreseen *known = asker->known ? find(asker->known, &question) : NULL;
    asker->last = question;
    asker->foreseen = known;
    if (known) {
        hd_order_effort_add(&asker->effort, &known->effort);
        return known->answer;
    }
    hd_order_effort before = *hd_order_solver_effort(asker->solver);
    uint64_t spent = hd_order_solver_spent(asker->solver);
    struct hd_race_foreseen it = {.question = question, .answer = solve(asker, &question)};
    it.effort = effort_since(hd_order_solver_effort(asker->solver), &before);
    it.spent = hd_order_solver_spent(asker->solver) - spent;
    hd_order_effort_add(&asker->effort, &it.effort);
    if (asker->notes && !hd_clock_over()) /* else that may be why it is not known */
        keep(asker->notes, it);
    return it.answer;
}

/* The solver makes the same one if it is asked the same. */
bool hd_race_ask_schedule(hd_race_asker *asker, hd_vec_u32 *schedule) {
    if (asker->foreseen && solve(asker, &asker->last) != HD_ORDER_FEASIBLE)
        return false;
    hd_order_solver_schedule(asker->solver, schedule);
    return true;
}
