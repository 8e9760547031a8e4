/*
 * Histories of calls, and whether they are linearizable: part of heddle/linear.h.
 *
 * A history is a set of calls by threads.  Each call knows which calls of other threads had
 * returned when it began.  It is linearizable if all its calls can be put in one order, in which
 * none comes before a call that had returned when it began, and in which the sequential model gives
 * every call its result (Herlihy and Wing 1990).  The search is that of Wing and Gong (1993): place
 * any call that nothing keeps back, and go back where the model gives another result.  Of models
 * that can be compared byte by byte, a state that was left before with the same calls placed is not
 * searched again (Lowe 2017).
 *
 * A call that has not returned may have taken effect or not.  In a history that is stuck, where no
 * thread will ever go on, it may not: then what has returned must have an order, after which the
 * model lets every other call wait.
 */
#ifndef HEDDLE_LINEAR_HISTORY_H
#define HEDDLE_LINEAR_HISTORY_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Results that are more than numbers. */
#define HEDDLE_DONE (LLONG_MIN + 1)  /* of a call that returns nothing */
#define HEDDLE_EMPTY (LLONG_MIN + 2) /* nothing was there */
#define HEDDLE_WAITS                                                                               \
    (LLONG_MIN + 3) /* of a model: the call waits, until others change the state                   \
                     */

enum {
    HEDDLE_LINEAR_THREADS = 8, /* of a history; the first is the one that starts the others */
    HEDDLE_LINEAR_CALLS = 32,
    HEDDLE_LINEAR_MEMO = 1 << 14 /* bytes */
};

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heddle_operation {
    const char *name;
    const char *domain[2]; /* of its arguments; NULL: it has no such argument */
    long long (*run)(long long a, long long b);
    long long (*apply)(void *model, long long a, long long b);
    const char *by; /* all operations with this name are called by one thread; NULL: by any */
    struct heddle_operation *next;
} heddle_operation;

/* How the states of a model are handled. */
typedef struct heddle_linear_model {
    size_t size;
    int plain; /* they can be compared byte by byte */
    void (*copy)(void *to, const void *from);
    void (*drop)(void *state);
} heddle_linear_model;

typedef struct heddle_call {
    const heddle_operation *operation;
    long long a, b, result;
    unsigned thread, number; /* its place among the calls of its thread */
    int returned;
    uint64_t seen; /* byte t: how many calls of thread t had returned when it began */
} heddle_call;

/* By thread, those of a thread in their order. */
typedef struct heddle_history {
    unsigned count;
    int stuck;
    heddle_call call[HEDDLE_LINEAR_CALLS];
} heddle_history;

/* ---- Is it linearizable? ---- */

typedef struct heddle_linear_search {
    const heddle_history *history;
    const heddle_linear_model *model;
    uint64_t returned;                    /* calls that must be placed */
    uint64_t before[HEDDLE_LINEAR_CALLS]; /* calls that must be placed before this one */
    unsigned char order[HEDDLE_LINEAR_CALLS], best[HEDDLE_LINEAR_CALLS]; /* the longest so far */
    unsigned best_count;
    size_t memo_used;
} heddle_linear_search;

/* States that were left: the calls placed, then the bytes of the model. */
__attribute__((weak)) unsigned char heddle_linear_memo[HEDDLE_LINEAR_MEMO];

static inline unsigned heddle_linear_seen(uint64_t seen, unsigned thread) {
    return (unsigned)(seen >> (8 * thread)) & 255;
}

static inline int heddle_linear_precedes(const heddle_call *first, const heddle_call *second) {
    if (first->thread == second->thread)
        return first->number < second->number;
    return first->returned && first->number < heddle_linear_seen(second->seen, first->thread);
}

/* The position in the memo, or its end. */
static inline size_t heddle_linear_recall(const heddle_linear_search *s, uint64_t placed,
                                          const void *state) {
    size_t at = 0, step = sizeof placed + s->model->size;
    while (at < s->memo_used &&
           (memcmp(heddle_linear_memo + at, &placed, sizeof placed) != 0 ||
            memcmp(heddle_linear_memo + at + sizeof placed, state, s->model->size) != 0))
        at += step;
    return at;
}

static inline int heddle_linear_was_left(const heddle_linear_search *s, uint64_t placed,
                                         const void *state) {
    return s->model->plain && heddle_linear_recall(s, placed, state) < s->memo_used;
}

static inline void heddle_linear_leave(heddle_linear_search *s, uint64_t placed,
                                       const void *state) {
    size_t step = sizeof placed + s->model->size;
    if (!s->model->plain || s->memo_used + step > sizeof heddle_linear_memo)
        return;
    memcpy(heddle_linear_memo + s->memo_used, &placed, sizeof placed);
    memcpy(heddle_linear_memo + s->memo_used + sizeof placed, state, s->model->size);
    s->memo_used += step;
}

/* Room for a state of the model, on the stack: what is allocated could be memory that the program
 * is tested for. */
#define HEDDLE_LINEAR_ROOM(model)                                                                  \
    ((void *)(((uintptr_t)__builtin_alloca((model)->size + 64) + 63) & ~(uintptr_t)63))

/* What the model gives for the call in that state, which becomes `next`. */
static inline long long heddle_linear_apply(const heddle_linear_search *s, unsigned call,
                                            const void *state, void *next) {
    const heddle_call *it = &s->history->call[call];
    s->model->copy(next, state);
    return it->operation->apply(next, it->a, it->b);
}

/* Does every call that is not placed wait in that state? */
static inline int heddle_linear_all_wait(const heddle_linear_search *s, uint64_t placed,
                                         const void *state) {
    void *next = HEDDLE_LINEAR_ROOM(s->model);
    int wait = 1;
    unsigned i;
    for (i = 0; i < s->history->count && wait; i++)
        if (!(placed >> i & 1)) {
            wait = heddle_linear_apply(s, i, state, next) == HEDDLE_WAITS;
            s->model->drop(next);
        }
    return wait;
}

static inline int heddle_linear_may_be_next(const heddle_linear_search *s, uint64_t placed,
                                            unsigned i) {
    return !(placed >> i & 1) && !(s->before[i] & ~placed) &&
           (s->history->call[i].returned || !s->history->stuck);
}

/* Can the calls that are not placed be placed after those that are? */
static inline int heddle_linear_place(heddle_linear_search *s, uint64_t placed, unsigned count,
                                      const void *state) {
    void *next = HEDDLE_LINEAR_ROOM(s->model);
    unsigned i;
    if (!(s->returned & ~placed) &&
        (!s->history->stuck || heddle_linear_all_wait(s, placed, state)))
        return 1;
    if (count > s->best_count) {
        s->best_count = count;
        memcpy(s->best, s->order, count);
    }
    for (i = 0; i < s->history->count; i++) {
        const heddle_call *call = &s->history->call[i];
        uint64_t more = placed | (uint64_t)1 << i;
        long long result;
        int found;
        if (!heddle_linear_may_be_next(s, placed, i))
            continue;
        result = heddle_linear_apply(s, i, state, next);
        s->order[count] = (unsigned char)i;
        found = result != HEDDLE_WAITS && (!call->returned || result == call->result) &&
                !heddle_linear_was_left(s, more, next) &&
                heddle_linear_place(s, more, count + 1, next);
        s->model->drop(next);
        if (found)
            return 1;
    }
    heddle_linear_leave(s, placed, state);
    return 0;
}

static inline int heddle_linear_holds(heddle_linear_search *s, const heddle_history *history,
                                      const heddle_linear_model *model, const void *initial) {
    unsigned i, k;
    memset(s, 0, sizeof *s);
    s->history = history;
    s->model = model;
    for (i = 0; i < history->count; i++) {
        s->returned |= (uint64_t)(history->call[i].returned != 0) << i;
        for (k = 0; k < history->count; k++)
            if (heddle_linear_precedes(&history->call[k], &history->call[i]))
                s->before[i] |= (uint64_t)1 << k;
    }
    return heddle_linear_place(s, 0, 0, initial);
}

/* ---- Can calls wait for ever? ---- */

/* By the model, in some order of the calls that are left: then 0.  The first thread makes as many
 * calls before the others begin, and the rest when they have ended. */
static inline int heddle_linear_all_return(const heddle_history *h,
                                           const heddle_linear_model *model, uint64_t made,
                                           unsigned before, const void *state) {
    void *next = HEDDLE_LINEAR_ROOM(model);
    int left = 0, went = 0, good = 1;
    unsigned first = 0, others = 0, i;
    for (i = 0; i < h->count; i++) {
        first += h->call[i].thread == 0 && (made >> i & 1);
        others += h->call[i].thread != 0 && !(made >> i & 1);
    }
    for (i = 0; i < h->count && good; i++) {
        const heddle_call *call = &h->call[i];
        int follows = i && h->call[i - 1].thread == call->thread && !(made >> (i - 1) & 1);
        int main_goes = first < before || !others;
        if (made >> i & 1)
            continue;
        left = 1;
        if (follows || main_goes != (call->thread == 0))
            continue;
        model->copy(next, state);
        if (call->operation->apply(next, call->a, call->b) != HEDDLE_WAITS) {
            went = 1;
            good = heddle_linear_all_return(h, model, made | (uint64_t)1 << i, before, next);
        }
        model->drop(next);
    }
    return good && (went || !left);
}

/* ---- Drawing it ---- */

enum { HEDDLE_LINEAR_WORD = 96 };

static inline void heddle_linear_value(char *to, size_t size, long long value) {
    if (value == HEDDLE_DONE)
        snprintf(to, size, "done");
    else if (value == HEDDLE_EMPTY)
        snprintf(to, size, "empty");
    else if (value == HEDDLE_WAITS)
        snprintf(to, size, "it waits");
    else
        snprintf(to, size, "%lld", value);
}

/* "push(1)". */
static inline void heddle_linear_show(char *to, size_t size, const heddle_call *call) {
    const heddle_operation *it = call->operation;
    if (it->domain[0] && it->domain[1])
        snprintf(to, size, "%.40s(%lld,%lld)", it->name, call->a, call->b);
    else if (it->domain[0])
        snprintf(to, size, "%.40s(%lld)", it->name, call->a);
    else
        snprintf(to, size, "%.40s()", it->name);
}

/* "pop() = 1". */
static inline void heddle_linear_show_result(char *to, size_t size, const heddle_call *call) {
    char result[32];
    size_t length;
    heddle_linear_show(to, size, call);
    length = strlen(to);
    heddle_linear_value(result, sizeof result, call->result);
    if (!call->returned)
        snprintf(to + length, size - length, " ...");
    else if (call->result != HEDDLE_DONE)
        snprintf(to + length, size - length, " = %s", result);
}

/* Where calls begin and end, as columns. */
typedef struct heddle_linear_drawing {
    unsigned begin[HEDDLE_LINEAR_CALLS], end[HEDDLE_LINEAR_CALLS];
    unsigned char begun[HEDDLE_LINEAR_CALLS], ended[HEDDLE_LINEAR_CALLS];
    unsigned column;
} heddle_linear_drawing;

/* Has all happened that happened before the call began, and had it to? */
static inline int heddle_linear_may_begin(const heddle_history *h, const heddle_linear_drawing *d,
                                          unsigned i) {
    unsigned k;
    for (k = 0; k < h->count; k++)
        if (heddle_linear_precedes(&h->call[k], &h->call[i]) && !d->ended[k])
            return 0;
    return !d->begun[i];
}

/* Have all calls begun that began before it returned? */
static inline int heddle_linear_may_end(const heddle_history *h, const heddle_linear_drawing *d,
                                        unsigned i) {
    unsigned k;
    for (k = 0; k < h->count; k++)
        if (k != i && !d->begun[k] && !heddle_linear_precedes(&h->call[i], &h->call[k]))
            return 0;
    return d->begun[i] && !d->ended[i] && h->call[i].returned;
}

static inline void heddle_linear_lay_out(const heddle_history *h, heddle_linear_drawing *d) {
    enum { GAP = 2, AROUND = 6 };
    int more = 1;
    unsigned i;
    memset(d, 0, sizeof *d);
    while (more) {
        more = 0;
        for (i = 0; i < h->count; i++)
            if (heddle_linear_may_begin(h, d, i)) {
                d->begun[i] = 1;
                d->begin[i] = d->column;
                d->column += GAP;
                more = 1;
            }
        for (i = 0; i < h->count; i++)
            if (heddle_linear_may_end(h, d, i)) {
                char text[HEDDLE_LINEAR_WORD];
                unsigned least;
                heddle_linear_show_result(text, sizeof text, &h->call[i]);
                least = d->begin[i] + (unsigned)strlen(text) + AROUND;
                d->column = d->column > least ? d->column : least;
                d->ended[i] = 1;
                d->end[i] = d->column;
                d->column += GAP;
                more = 1;
            }
    }
    for (i = 0; i < h->count; i++)
        if (!d->ended[i]) {
            char text[HEDDLE_LINEAR_WORD];
            unsigned least;
            if (!d->begun[i]) /* only of a history that was not taken in single steps */
                d->begin[i] = d->column;
            heddle_linear_show_result(text, sizeof text, &h->call[i]);
            least = d->begin[i] + (unsigned)strlen(text) + AROUND;
            d->column = d->column > least ? d->column : least;
        }
}

/* A bar from its beginning to its end, with its text in the middle. */
static inline void heddle_linear_draw_call(char *row, const heddle_linear_drawing *d, unsigned i,
                                           const heddle_call *call) {
    char text[HEDDLE_LINEAR_WORD];
    unsigned end = d->ended[i] ? d->end[i] : d->column, length, x;
    heddle_linear_show_result(text, sizeof text, call);
    length = (unsigned)strlen(text);
    for (x = d->begin[i]; x < end; x++)
        row[x] = '-';
    row[d->begin[i]] = '|';
    row[end] = d->ended[i] ? '|' : ' ';
    x = d->begin[i] + (end - d->begin[i] - length) / 2;
    memcpy(row + x, text, length);
    row[x - 1] = row[x + length] = ' ';
}

/* The name of a thread: main, A, B, ... */
static inline void heddle_linear_thread_name(char *to, size_t size, unsigned thread) {
    if (thread)
        snprintf(to, size, "%c", (char)('A' + thread - 1));
    else
        snprintf(to, size, "main");
}

static inline void heddle_linear_draw(FILE *to, const heddle_history *h) {
    static char row[HEDDLE_LINEAR_CALLS * (HEDDLE_LINEAR_WORD + 16)];
    heddle_linear_drawing d;
    unsigned thread, i;
    heddle_linear_lay_out(h, &d);
    for (thread = 0; thread < HEDDLE_LINEAR_THREADS; thread++) {
        char name[8];
        unsigned length = 0;
        memset(row, ' ', sizeof row);
        for (i = 0; i < h->count; i++)
            if (h->call[i].thread == thread) {
                heddle_linear_draw_call(row, &d, i, &h->call[i]);
                length = (d.ended[i] ? d.end[i] : d.column) + 1;
            }
        while (length && row[length - 1] == ' ')
            length--;
        row[length] = '\0';
        heddle_linear_thread_name(name, sizeof name, thread);
        if (length)
            fprintf(to, "  %-4s  %s\n", name, row);
    }
}

/* The longest order of calls with these results, and what cannot come next. */
static inline void heddle_linear_explain(FILE *to, const heddle_linear_search *s,
                                         const void *initial) {
    const heddle_history *h = s->history;
    void *state = HEDDLE_LINEAR_ROOM(s->model), *next = HEDDLE_LINEAR_ROOM(s->model);
    char text[HEDDLE_LINEAR_WORD], value[32];
    uint64_t placed = 0;
    unsigned i;
    s->model->copy(state, initial);
    const char *then = s->best_count ? "Then " : "";
    fprintf(to, s->best_count ? "The most that has an order:" : "None of them can be the first");
    for (i = 0; i < s->best_count; i++) {
        const heddle_call *call = &h->call[s->best[i]];
        heddle_linear_show_result(text, sizeof text, call);
        fprintf(to, "%s %s", i ? "," : "", text);
        call->operation->apply(state, call->a, call->b);
        placed |= (uint64_t)1 << s->best[i];
    }
    fprintf(to, ".\n");
    for (i = 0; i < h->count; i++) {
        long long result;
        if (placed >> i & 1 || (s->before[i] & ~placed))
            continue;
        result = heddle_linear_apply(s, i, state, next);
        s->model->drop(next);
        heddle_linear_value(value, sizeof value, result);
        heddle_linear_show_result(text, sizeof text, &h->call[i]);
        if (h->call[i].returned)
            fprintf(to, "%s%s cannot come: by the model, %s.\n", then, text,
                    result == HEDDLE_WAITS ? "it waits" : value);
        else if (h->stuck && result != HEDDLE_WAITS)
            fprintf(to, "%s%s does not return: by the model it can (%s).\n", then, text, value);
    }
    s->model->drop(state);
}

#ifdef __cplusplus
}
#endif
#endif
