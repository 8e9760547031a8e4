/*
 * Answers of the solver that other workers got ahead of time.  Private to race.
 *
 * What is asked next depends on what was answered before, so races and deadlocks are decided by one
 * thread, one after the other.  But most of what it will ask can be guessed: each worker decides
 * some variables, or cycles, as if they were alone, and keeps what the solver said, with the work
 * that it took.
 * The thread that decides then takes an answer from there if its question was asked, and if the
 * limit on work would not have made it another one; else it asks.  So the answer, its order and
 * all counts are those of one thread.
 */
#ifndef HD_RACE_FORESEE_H
#define HD_RACE_FORESEE_H

#include "order/order.h"

/* Can all of these be next?  In the trace's own order only, if straight. */
typedef struct hd_race_question {
    const uint32_t *events;
    uint32_t count;
    uint64_t limit; /* on work; 0: none */
    bool straight;
} hd_race_question;

struct hd_race_foreseen {
    hd_race_question question; /* its events are those of the foresight, from `start` on */
    size_t start;
    enum hd_order_answer answer;
    uint64_t spent; /* of what is limited */
    hd_order_effort effort;
    uint32_t before; /* another one with the same key, + 1; 0: none */
};

typedef struct hd_race_foresight {
    HD_VEC(struct hd_race_foreseen) answers;
    hd_vec_u32 events;
    hd_map by_events; /* the last one + 1 */
} hd_race_foresight;

void hd_race_foresight_release(hd_race_foresight *foresight);

/* As bytes, for another process, and back: events are at most `last`. */
void hd_race_foresight_put(const hd_race_foresight *foresight, hd_vec_char *to);
void hd_race_foresight_get(hd_race_foresight *foresight, uint32_t last, hd_bytes *from);

/* What a worker, or a process, got ahead of time for variables, or nodes, `from` to `end - 1`: what
 * goes through hd_turns. */
typedef struct hd_race_piece {
    uint32_t from, end;
    hd_race_foresight foresight;
} hd_race_piece;

hd_race_piece *hd_race_piece_new(uint32_t from, uint32_t end);
void hd_race_piece_drop(void *context, void *done);
void hd_race_piece_pack(void *context, const void *done, hd_vec_char *to);

/* Who asks. */
typedef struct hd_race_asker {
    hd_order_solver *solver;
    hd_order_query query;
    const hd_race_foresight *known; /* NULL: nothing is */
    hd_race_foresight *notes;       /* NULL: nothing is to be kept */
    hd_order_effort effort;         /* of all questions, whoever asked the solver */
    hd_vec_u32 last_events;
    hd_race_question last;
    bool foreseen; /* the last was answered from there */
} hd_race_asker;

void hd_race_asker_init(hd_race_asker *asker, const hd_order_space *space);
void hd_race_asker_release(hd_race_asker *asker);

enum hd_order_answer hd_race_ask(hd_race_asker *asker, hd_race_question question);

/* The schedule of the last question, which was answered with yes; false if the time was over
 * before it was made. */
bool hd_race_ask_schedule(hd_race_asker *asker, hd_vec_u32 *schedule);

#endif
