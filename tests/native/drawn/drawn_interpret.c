/*
 * All states of a drawn program, depth first, each visited once.  A state is known by two hashes of
 * its bytes.  Two passes: in the first a failing assertion ends the program at once, in the second
 * it is a step like others, before which the other threads may go on.  What only the second finds
 * is hidden behind a failure, and is marked so.
 */
#include "drawn_state.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t a, b;
    double paths;
} seen_state;

typedef struct {
    const program *p;
    truth *t;
    uint64_t most;
    bool hidden; /* the second pass */
    seen_state *table;
    uint64_t mask;
} search;

static void add_ending(search *q, bool signal, int status, const char *output) {
    truth *t = q->t;
    for (size_t i = 0; i < t->ending_count; i++)
        if (t->endings[i].signal == signal && t->endings[i].status == status &&
            !strcmp(t->endings[i].output, output))
            return;
    t->endings = realloc(t->endings, (t->ending_count + 1) * sizeof *t->endings);
    ending *e = &t->endings[t->ending_count++];
    *e = (ending){.signal = signal, .status = status, .hidden = q->hidden};
    snprintf(e->output, sizeof e->output, "%s", output);
}

/* A step on a freed block fails; that it races, too, need not be found. */
static void add_race(search *q, int first, int second, bool fails) {
    truth *t = q->t;
    line_pair pair = first < second ? (line_pair){first, second} : (line_pair){second, first};
    for (size_t i = 0; i < t->race_count; i++)
        if (t->races[i].first == pair.first && t->races[i].second == pair.second) {
            t->race_hidden[i] &= q->hidden || fails;
            return;
        }
    t->races = realloc(t->races, (t->race_count + 1) * sizeof *t->races);
    t->race_hidden = realloc(t->race_hidden, (t->race_count + 1) * sizeof *t->race_hidden);
    t->race_hidden[t->race_count] = q->hidden || fails;
    t->races[t->race_count++] = pair;
}

static void add_failing(search *q, int line) {
    truth *t = q->t;
    for (size_t i = 0; i < t->failing_count; i++)
        if (t->failing_lines[i] == line)
            return;
    t->failing_lines = realloc(t->failing_lines, (t->failing_count + 1) * sizeof *t->failing_lines);
    t->failing_hidden =
        realloc(t->failing_hidden, (t->failing_count + 1) * sizeof *t->failing_hidden);
    t->failing_hidden[t->failing_count] = q->hidden;
    t->failing_lines[t->failing_count++] = line;
}

static bool in_conflict(access_range a, access_range b) {
    return (a.write || b.write) && !(a.atomic && b.atomic) && a.at < b.at + b.size &&
           b.at < a.at + a.size;
}

static void look_for_races(search *q, const state *s) {
    access_range of[DRAWN_THREADS][2];
    int count[DRAWN_THREADS];
    for (int t = 0; t < q->p->threads; t++)
        count[t] = s->section == t + 1 ? 0 : state_accesses(s, q->p, t, of[t]);
    for (int t = 0; t < q->p->threads; t++)
        for (int u = 0; u < t; u++)
            for (int i = 0; i < count[t]; i++)
                for (int j = 0; j < count[u]; j++)
                    if (in_conflict(of[t][i], of[u][j])) {
                        add_race(q, state_line(s, q->p, t), state_line(s, q->p, u),
                                 state_fails(s, q->p, t) || state_fails(s, q->p, u));
                        if (of[t][i].wide || of[u][j].wide)
                            q->t->coarse = true;
                    }
}

static double visit(search *q, const state *s);

static double visit_steps(search *q, const state *s) {
    double paths = 0;
    bool any = false;
    for (int t = 0; t < q->p->threads && !q->t->too_big; t++) {
        if (s->section && s->section != t + 1)
            continue;
        if (state_exits(s, q->p, t)) {
            any = true;
            paths++;
            /* heddle's runtime aborts a program that ends well while a thread waits for itself. */
            if (s->threads[t].status == 0 && state_waits_for_itself(s, q->p))
                add_ending(q, true, 6, "");
            else
                add_ending(q, false, s->threads[t].status, s->output);
            continue;
        }
        int choices = state_choices(s, q->p, t);
        if (choices && state_fails(s, q->p, t)) {
            any = true;
            paths++;
            add_ending(q, true, 6, "");
            add_failing(q, state_line(s, q->p, t));
            continue;
        }
        for (int c = 0; c < choices; c++) {
            any = true;
            state next = *s;
            state_step(&next, q->p, t, c);
            paths += visit(q, &next);
        }
    }
    if (!any) {
        if (q->hidden && !q->t->deadlock)
            q->t->deadlock_hidden = true;
        q->t->deadlock = true;
        return 1;
    }
    return paths;
}

/* In the first pass nothing goes on after a failure. */
static bool ends_by_failure(search *q, const state *s) {
    bool fails = false;
    for (int t = 0; t < q->p->threads; t++)
        if (state_asserts(s, q->p, t)) {
            fails = true;
            add_ending(q, true, 6, "");
            add_failing(q, state_line(s, q->p, t));
        }
    return fails;
}

static double visit(search *q, const state *s) {
    uint64_t a = state_hash(s, sizeof *s, 0x9e3779b97f4a7c15u) | 1,
             b = state_hash(s, sizeof *s, 0x1234567u);
    uint64_t at = a & q->mask;
    for (; q->table[at].a; at = (at + 1) & q->mask)
        if (q->table[at].a == a && q->table[at].b == b)
            return q->table[at].paths;
    if (++q->t->states > q->most) {
        q->t->too_big = true;
        return 0;
    }
    q->table[at] = (seen_state){a, b, 0};
    if (!q->hidden && ends_by_failure(q, s))
        return q->table[at].paths = 1;
    look_for_races(q, s);
    double paths = visit_steps(q, s);
    for (at = a & q->mask; q->table[at].a != a || q->table[at].b != b;)
        at = (at + 1) & q->mask;
    return q->table[at].paths = paths;
}

void drawn_interpret(const program *p, truth *t, uint64_t most_states) {
    memset(t, 0, sizeof *t);
    uint64_t size = 4096;
    while (size < 2 * most_states)
        size *= 2;
    search q = {.p = p, .t = t, .most = most_states, .mask = size - 1};
    q.table = malloc(size * sizeof *q.table);
    for (int pass = 0; pass < 2 && !t->too_big; pass++) {
        state s;
        memset(q.table, 0, size * sizeof *q.table);
        state_start(&s, p);
        q.hidden = pass == 1;
        t->states = 0;
        t->paths = visit(&q, &s);
    }
    free(q.table);
    if (p->has[FEATURE_orders] && !t->too_big)
        drawn_interpret_orders(p, t, most_states);
}

void drawn_truth_release(truth *t) {
    free(t->endings);
    free(t->races);
    free(t->race_hidden);
    free(t->failing_lines);
    free(t->failing_hidden);
    free(t->accesses);
}
