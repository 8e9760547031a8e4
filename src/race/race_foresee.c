#include "race_foresee.h"

#include <stdlib.h>
#include <string.h>

void hd_race_foresight_release(hd_race_foresight *foresight) {
    hd_vec_release(&foresight->answers);
    hd_vec_release(&foresight->events);
    hd_map_release(&foresight->by_events);
}

void hd_race_asker_init(hd_race_asker *asker, const hd_order_space *space) {
    *asker = (hd_race_asker){.solver = hd_order_solver_create(space)};
}

void hd_race_asker_release(hd_race_asker *asker) {
    hd_order_solver_free(asker->solver);
    hd_order_query_release(&asker->query);
    hd_vec_release(&asker->last_events);
}

/* That of two events is theirs alone. */
static uint64_t key_of(const hd_race_question *question) {
    enum { SHIFT = 32, TURN = 27 };
    uint64_t key = 0;
    for (uint32_t i = 0; i < question->count; i++)
        key = (key << SHIFT | key >> SHIFT) ^ question->events[i] ^ (i > 1 ? key >> TURN : 0);
    return key;
}

static bool same_events(const hd_race_foresight *known, const struct hd_race_foreseen *it,
                        const hd_race_question *question) {
    return it->question.count == question->count &&
           memcmp(known->events.data + it->start, question->events,
                  question->count * sizeof *question->events) == 0;
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
        if (holds(&known->answers.data[at - 1], question) &&
            same_events(known, &known->answers.data[at - 1], question))
            return &known->answers.data[at - 1];
    return NULL;
}

static void keep(hd_race_foresight *notes, struct hd_race_foreseen it) {
    uint32_t *place = hd_map_at(&notes->by_events, key_of(&it.question), NULL);
    it.start = notes->events.length;
    it.before = *place;
    for (uint32_t i = 0; i < it.question.count; i++)
        hd_vec_push(&notes->events, it.question.events[i]);
    it.question.events = NULL; /* they move */
    *place = (uint32_t)notes->answers.length + 1;
    hd_vec_push(&notes->answers, it);
}

void hd_race_foresight_put(const hd_race_foresight *foresight, hd_vec_char *to) {
    hd_bytes_put(to, foresight->answers.length);
    for (size_t i = 0; i < foresight->answers.length; i++) {
        const struct hd_race_foreseen *it = &foresight->answers.data[i];
        hd_bytes_put(to, it->question.count);
        for (uint32_t k = 0; k < it->question.count; k++)
            hd_bytes_put(to, foresight->events.data[it->start + k]);
        hd_bytes_put(to, it->question.limit);
        hd_bytes_put(to, it->question.straight);
        hd_bytes_put(to, it->answer);
        hd_bytes_put(to, it->spent);
        hd_order_effort_put(&it->effort, to);
    }
}

void hd_race_foresight_get(hd_race_foresight *foresight, uint32_t last, hd_bytes *from) {
    enum { LEAST = 11 }; /* bytes of one */
    size_t count = hd_bytes_get_count(from, LEAST);
    hd_vec_u32 events = {0};
    for (size_t i = 0; i < count && !from->bad; i++) {
        struct hd_race_foreseen it = {0};
        hd_vec_clear(&events);
        it.question.count = (uint32_t)hd_bytes_get_count(from, 1);
        for (uint32_t k = 0; k < it.question.count; k++)
            hd_vec_push(&events, (uint32_t)hd_bytes_get(from, last));
        it.question.events = events.data;
        it.question.limit = hd_bytes_get(from, UINT64_MAX);
        it.question.straight = hd_bytes_get(from, 1);
        it.answer = (enum hd_order_answer)hd_bytes_get(from, HD_ORDER_UNKNOWN);
        it.spent = hd_bytes_get(from, UINT64_MAX);
        it.effort = hd_order_effort_get(from);
        keep(foresight, it);
    }
    hd_vec_release(&events);
}

hd_race_piece *hd_race_piece_new(uint32_t from, uint32_t end) {
    hd_race_piece *piece = HD_NEW(hd_race_piece);
    assert(from <= end);
    piece->from = from;
    piece->end = end;
    return piece;
}

void hd_race_piece_drop(void *context, void *done) {
    (void)context;
    hd_race_foresight_release(&((hd_race_piece *)done)->foresight);
    free(done);
}

void hd_race_piece_pack(void *context, const void *done, hd_vec_char *to) {
    (void)context;
    hd_race_foresight_put(&((const hd_race_piece *)done)->foresight, to);
}

static enum hd_order_answer solve(hd_race_asker *asker, const hd_race_question *question) {
    hd_order_query_clear(&asker->query);
    for (uint32_t i = 0; i < question->count; i++)
        hd_vec_push(&asker->query.next, question->events[i]);
    asker->query.limit = question->limit;
    asker->query.straight = question->straight;
    return hd_order_solve(asker->solver, &asker->query);
}

enum hd_order_answer hd_race_ask(hd_race_asker *asker, hd_race_question question) {
    const struct hd_race_foreseen *known = asker->known ? find(asker->known, &question) : NULL;
    hd_vec_clear(&asker->last_events);
    for (uint32_t i = 0; i < question.count; i++)
        hd_vec_push(&asker->last_events, question.events[i]);
    asker->last = question;
    asker->last.events = asker->last_events.data;
    asker->foreseen = known;
    if (known) {
        hd_order_effort_add(&asker->effort, &known->effort);
        return known->answer;
    }
    hd_order_effort before = *hd_order_solver_effort(asker->solver);
    uint64_t spent = hd_order_solver_spent(asker->solver);
    struct hd_race_foreseen it = {.question = question, .answer = solve(asker, &question)};
    it.effort = hd_order_effort_since(hd_order_solver_effort(asker->solver), &before);
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
