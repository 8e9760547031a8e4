/*
 * The clients of a structure, small programs that call its operations: part of heddle/linear.h.
 *
 * A client is calls that the first thread makes before it starts the others, the calls of each of
 * these, and calls that the first thread makes after they have ended.  As text,
 *
 *     [push(1)] push(2) pop() | pop() [pop()]
 *
 * All clients up to the bounds are made, those with fewer calls first.  Clients that differ only in
 * the order of their threads are made once.  The calls at the end are the same for all clients.
 */
#ifndef HEDDLE_LINEAR_CLIENTS_H
#define HEDDLE_LINEAR_CLIENTS_H

#include <ctype.h>
#include <stdlib.h>

#include <heddle/linear_history.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_LINEAR_KINDS = 64, HEDDLE_LINEAR_TEXT = 1024 };

/* Words of the options of a test, or of heddle test. */
typedef struct heddle_linear_bounds {
    unsigned threads, operations; /* threads at most; calls of each of them, at most */
    unsigned before;              /* calls before, at most */
    char after[256];              /* "pop+pop" */
    unsigned long long clients;   /* at most */
} heddle_linear_bounds;

/* An operation with its arguments; those that are fresh are another number in each call. */
typedef struct heddle_linear_kind {
    const heddle_operation *operation;
    int fresh[2];
    long long value[2];
} heddle_linear_kind;

typedef struct heddle_linear_client {
    unsigned before, threads, length[HEDDLE_LINEAR_THREADS];
    unsigned kind[HEDDLE_LINEAR_CALLS]; /* those before, then thread after thread */
    unsigned count;
} heddle_linear_client;

typedef struct heddle_linear_maker {
    heddle_linear_kind kind[HEDDLE_LINEAR_KINDS];
    unsigned kinds;
    heddle_linear_bounds bounds;
    int (*each)(void *context, const struct heddle_linear_maker *maker,
                const heddle_linear_client *client); /* non-zero: no more */
    void *context;
} heddle_linear_maker;

/* With --clients, which heddle test reads: it says what is wrong, with the name of the test. */
__attribute__((weak)) int heddle_linear_listing;

__attribute__((noreturn)) static inline void heddle_linear_bad(const char *what, const char *text) {
    if (heddle_linear_listing)
        printf("heddle bad: %s: '%s'\n", what, text);
    else
        fprintf(stderr, "heddle/linear.h: %s: '%s'\n", what, text);
    exit(2);
}

/* ---- Bounds ---- */

static inline int heddle_linear_number(const char *word, const char *name, unsigned long long low,
                                       unsigned long long high, unsigned long long *to) {
    size_t length = strlen(name);
    char *end;
    if (strncmp(word, name, length) != 0 || word[length] != '=')
        return 0;
    *to = strtoull(word + length + 1, &end, 10);
    if (!isdigit((unsigned char)word[length + 1]) || *end || *to < low || *to > high)
        heddle_linear_bad("not a bound of clients", word);
    return 1;
}

/* Other words are for heddle test. */
static inline void heddle_linear_read_word(heddle_linear_bounds *bounds, const char *word) {
    unsigned long long number;
    if (heddle_linear_number(word, "threads", 1, HEDDLE_LINEAR_THREADS - 1, &number))
        bounds->threads = (unsigned)number;
    else if (heddle_linear_number(word, "operations", 1, 8, &number))
        bounds->operations = (unsigned)number;
    else if (heddle_linear_number(word, "before", 0, 8, &number))
        bounds->before = (unsigned)number;
    else if (heddle_linear_number(word, "clients", 1, ULLONG_MAX, &number))
        bounds->clients = number;
    else if (heddle_linear_number(word, "most", 1, ULLONG_MAX, &number))
        bounds->clients = number < bounds->clients ? number : bounds->clients;
    else if (strncmp(word, "after=", 6) == 0)
        snprintf(bounds->after, sizeof bounds->after, "%s", word + 6);
}

static inline void heddle_linear_read(heddle_linear_bounds *bounds, const char *options) {
    char word[256];
    while (*options) {
        size_t length = strcspn(options, " \t");
        if (length >= sizeof word)
            heddle_linear_bad("an option is too long", options);
        memcpy(word, options, length);
        word[length] = '\0';
        heddle_linear_read_word(bounds, word);
        options += length + strspn(options + length, " \t");
    }
    if (bounds->threads * bounds->operations + bounds->before > HEDDLE_LINEAR_CALLS - 8)
        heddle_linear_bad("clients can have 24 calls at most", "threads, operations, before");
}

/* ---- Kinds of calls ---- */

/* The values of a domain: "fresh", "1,2,5", "0..3", or "" for an argument that does not exist.
 * Their number; 0: it is not one. */
static inline unsigned heddle_linear_values(const char *domain, long long *values, int *fresh) {
    unsigned count = 0;
    char *end;
    *fresh = domain && strcmp(domain, "fresh") == 0;
    values[0] = 0;
    if (!domain || *fresh)
        return 1;
    for (;;) {
        long long low = strtoll(domain, &end, 10), high = low;
        if (end == domain)
            return 0;
        if (end[0] == '.' && end[1] == '.') {
            domain = end + 2;
            high = strtoll(domain, &end, 10);
            if (end == domain)
                return 0;
        }
        for (; low <= high; low++) {
            if (count == HEDDLE_LINEAR_KINDS)
                return 0;
            values[count++] = low;
        }
        if (!*end)
            return count;
        if (*end != ',')
            return 0;
        domain = end + 1;
    }
}

static inline void heddle_linear_add_kinds(heddle_linear_maker *maker,
                                           const heddle_operation *operation) {
    long long a[HEDDLE_LINEAR_KINDS], b[HEDDLE_LINEAR_KINDS];
    int fresh[2];
    unsigned as = heddle_linear_values(operation->domain[0], a, &fresh[0]), i, k;
    unsigned bs = heddle_linear_values(operation->domain[1], b, &fresh[1]);
    if (strlen(operation->name) > 40)
        heddle_linear_bad("an operation has a name of more than 40 characters", operation->name);
    if (!as || !bs)
        heddle_linear_bad("an operation has arguments that are not \"fresh\", \"1,2\" or \"0..3\"",
                          operation->name);
    for (i = 0; i < as; i++)
        for (k = 0; k < bs; k++) {
            heddle_linear_kind *kind = &maker->kind[maker->kinds];
            if (maker->kinds == HEDDLE_LINEAR_KINDS)
                heddle_linear_bad("too many operations and arguments", operation->name);
            maker->kinds++;
            kind->operation = operation;
            memcpy(kind->fresh, fresh, sizeof fresh);
            kind->value[0] = a[i];
            kind->value[1] = b[k];
        }
}

static inline void heddle_linear_maker_init(heddle_linear_maker *maker,
                                            const heddle_operation *operations,
                                            const heddle_linear_bounds *bounds) {
    memset(maker, 0, sizeof *maker);
    maker->bounds = *bounds;
    for (; operations; operations = operations->next)
        heddle_linear_add_kinds(maker, operations);
}

/* ---- All clients ---- */

/* Threads of equal length are in order. */
static inline int heddle_linear_is_first(const heddle_linear_client *c) {
    const unsigned *at = c->kind + c->before;
    unsigned t, i;
    for (t = 0; t + 1 < c->threads; at += c->length[t++]) {
        const unsigned *next = at + c->length[t];
        if (c->length[t] != c->length[t + 1])
            continue;
        i = 0;
        while (i < c->length[t] && at[i] == next[i])
            i++;
        if (i < c->length[t] && at[i] > next[i])
            return 0;
    }
    return 1;
}

/* Are operations that belong to one thread in the calls of one only? */
static inline int heddle_linear_is_owned(const heddle_linear_maker *maker,
                                         const heddle_linear_client *c) {
    unsigned owner[HEDDLE_LINEAR_CALLS], t = 0, end = c->before, i, k;
    for (i = c->before; i < c->count; i++) {
        const char *by = maker->kind[c->kind[i]].operation->by;
        while (i >= end + c->length[t])
            end += c->length[t++];
        owner[i] = t;
        for (k = c->before; by && k < i; k++) {
            const char *other = maker->kind[c->kind[k]].operation->by;
            if (other && owner[k] != t && strcmp(other, by) == 0)
                return 0;
        }
    }
    return 1;
}

/* All clients with these lengths. */
static inline int heddle_linear_fill(heddle_linear_maker *maker, heddle_linear_client *c) {
    unsigned i;
    memset(c->kind, 0, sizeof c->kind);
    for (;;) {
        if (heddle_linear_is_first(c) && heddle_linear_is_owned(maker, c) &&
            maker->each(maker->context, maker, c))
            return 1;
        for (i = c->count; i && ++c->kind[i - 1] == maker->kinds; i--)
            c->kind[i - 1] = 0;
        if (!i)
            return 0;
    }
}

/* All ways to share `left` calls among `threads` more threads, none with more than the last. */
static inline int heddle_linear_share(heddle_linear_maker *maker, heddle_linear_client *c,
                                      unsigned left, unsigned threads) {
    unsigned most = c->threads ? c->length[c->threads - 1] : maker->bounds.operations, length;
    if (!threads)
        return left ? 0 : heddle_linear_fill(maker, c);
    for (length = most < left ? most : left; length; length--) {
        int stop;
        c->length[c->threads++] = length;
        stop = heddle_linear_share(maker, c, left - length, threads - 1);
        c->threads--;
        if (stop)
            return 1;
    }
    return 0;
}

/* Those with fewer calls first, of these those with fewer threads, of these those with more calls
 * before, which cost nothing. */
static inline void heddle_linear_make(heddle_linear_maker *maker) {
    const heddle_linear_bounds *bounds = &maker->bounds;
    unsigned most = bounds->threads * bounds->operations + bounds->before, calls, threads;
    for (calls = 1; calls <= most; calls++)
        for (threads = 1; threads <= bounds->threads; threads++) {
            unsigned before = bounds->before < calls - 1 ? bounds->before : calls - 1;
            do {
                heddle_linear_client client;
                memset(&client, 0, sizeof client);
                client.before = before;
                client.count = calls;
                if (heddle_linear_share(maker, &client, calls - before, threads))
                    return;
            } while (before--);
        }
}

/* ---- As text ---- */

typedef struct heddle_linear_text {
    char text[HEDDLE_LINEAR_TEXT];
    size_t used;
} heddle_linear_text;

static inline void heddle_linear_put(heddle_linear_text *to, const char *text) {
    size_t length = strlen(text);
    if (to->used + length >= sizeof to->text)
        heddle_linear_bad("a client is too long", to->text);
    memcpy(to->text + to->used, text, length + 1);
    to->used += length;
}

static inline void heddle_linear_put_call(heddle_linear_text *to, const heddle_linear_kind *kind,
                                          long long *fresh) {
    char text[HEDDLE_LINEAR_WORD];
    heddle_call call;
    memset(&call, 0, sizeof call);
    call.operation = kind->operation;
    call.a = kind->fresh[0] ? ++*fresh : kind->value[0];
    call.b = kind->fresh[1] ? ++*fresh : kind->value[1];
    heddle_linear_show(text, sizeof text, &call);
    heddle_linear_put(to, text);
}

static inline void heddle_linear_put_after(heddle_linear_text *to, const char *after) {
    heddle_linear_put(to, " [");
    while (*after) {
        char text[HEDDLE_LINEAR_WORD];
        size_t length = strcspn(after, "+");
        if (length > 80)
            heddle_linear_bad("a call is too long", after);
        memcpy(text, after, length);
        snprintf(text + length, 3, "%s", memchr(text, '(', length) ? "" : "()");
        heddle_linear_put(to, text);
        after += length;
        if (*after == '+') {
            heddle_linear_put(to, " ");
            after++;
        }
    }
    heddle_linear_put(to, "]");
}

static inline void heddle_linear_client_text(const heddle_linear_maker *maker,
                                             const heddle_linear_client *c,
                                             heddle_linear_text *to) {
    const unsigned *at = c->kind;
    long long fresh = 0;
    unsigned t, i;
    to->used = 0;
    for (i = 0; i < c->before; i++) {
        heddle_linear_put(to, i ? " " : "[");
        heddle_linear_put_call(to, &maker->kind[*at++], &fresh);
    }
    heddle_linear_put(to, c->before ? "] " : "");
    for (t = 0; t < c->threads; t++) {
        heddle_linear_put(to, t ? " | " : "");
        for (i = 0; i < c->length[t]; i++) {
            heddle_linear_put(to, i ? " " : "");
            heddle_linear_put_call(to, &maker->kind[*at++], &fresh);
        }
    }
    if (*maker->bounds.after)
        heddle_linear_put_after(to, maker->bounds.after);
}

/* ---- From text ---- */

/* A call at *text, which moves on. */
static inline void heddle_linear_parse_call(const char **text, const heddle_operation *operations,
                                            heddle_call *call) {
    const char *at = *text;
    size_t length = strcspn(at, "( ");
    long long value[2] = {0, 0};
    unsigned given = 0, wanted;
    char *end;
    while (operations &&
           (strlen(operations->name) != length || strncmp(operations->name, at, length) != 0))
        operations = operations->next;
    if (!operations || at[length] != '(') {
        char name[HEDDLE_LINEAR_WORD];
        snprintf(name, sizeof name, "%.*s", (int)(length < 80 ? length : 80), at);
        heddle_linear_bad("no operation has this name", name);
    }
    wanted = (operations->domain[0] != NULL) + (operations->domain[1] != NULL);
    at += length + 1;
    while (*at != ')' && given < 2) {
        value[given++] = strtoll(at, &end, 10);
        if (end == at || (*end != ',' && *end != ')'))
            break;
        at = end + (*end == ',');
    }
    if (*at != ')' || given != wanted)
        heddle_linear_bad("an operation has other arguments", *text);
    call->operation = operations;
    call->a = value[0];
    call->b = value[1];
    *text = at + 1;
}

/* The calls, thread by thread: those of the first before and after, then the others.  `before` is
 * how many it makes before. */
static inline void heddle_linear_parse(const char *text, const heddle_operation *operations,
                                       heddle_history *h, unsigned *before) {
    heddle_call call[HEDDLE_LINEAR_CALLS];
    unsigned thread = 1, count = 0, numbers[HEDDLE_LINEAR_THREADS] = {0}, t, i;
    int aside = 0, begun = 0;
    const char *at = text;
    *before = 0;
    memset(h, 0, sizeof *h);
    memset(call, 0, sizeof call);
    for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
        if (*at == '[' || *at == ']' || *at == '|') {
            aside = *at == '[' ? 1 : *at == ']' ? 0 : aside;
            thread += *at == '|';
            at++;
            if (thread == HEDDLE_LINEAR_THREADS)
                heddle_linear_bad("a client has too many threads", text);
            continue;
        }
        if (count == HEDDLE_LINEAR_CALLS)
            heddle_linear_bad("a client has too many calls", text);
        heddle_linear_parse_call(&at, operations, &call[count]);
        begun |= !aside;
        *before += !begun;
        call[count].thread = aside ? 0 : thread;
        call[count].number = numbers[call[count].thread]++;
        count++;
    }
    for (t = 0; t <= thread; t++)
        for (i = 0; i < count; i++)
            if (call[i].thread == t)
                h->call[h->count++] = call[i];
}

#ifdef __cplusplus
}
#endif
#endif
