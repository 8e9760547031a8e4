/*
 * The text of a claim, both ways.  doc/witness.md is the grammar; words are separated by one space,
 * and nothing may follow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "witness_claim.h"

static const char *const orders[] = {
    [HD_WITNESS_CRW] = "crw",
    [HD_WITNESS_WCR] = "wcr",
    [HD_WITNESS_CR] = "cr",
};

/* ---- Out ---- */

static void print_read(const hd_witness_claim *claim, hd_vec_char *to) {
    hd_text_append(to, " sees %u, writer %u, challenger %u, order %s", claim->sees, claim->writer,
                   claim->challenger, orders[claim->order]);
}

static void print_state(const hd_witness_claim *claim, const hd_trace *trace, hd_vec_char *to) {
    hd_text_append(to, "state");
    for (uint32_t thread = 0; thread < claim->counts.length; thread++)
        if (claim->counts.data[thread])
            hd_text_append(to, " %s=%u", hd_trace_thread_name(&trace->tables, thread),
                           claim->counts.data[thread]);
    hd_text_append(to, claim->let_go ? ", reads let go" : ", reads kept");
}

static void print_decisions(const hd_witness_claim *claim, hd_vec_char *to) {
    if (claim->decisions)
        hd_text_append(to, ", decisions kept");
}

void hd_witness_claim_print(const hd_witness_claim *claim, const hd_trace *trace, hd_vec_char *to) {
    switch (claim->kind) {
    case HD_WITNESS_REORDERING:
        hd_text_append(to, claim->let_go ? "reordering, reads let go" : "reordering");
        print_decisions(claim, to);
        break;
    case HD_WITNESS_READ:
        hd_text_append(to, "read %u", claim->read);
        print_read(claim, to);
        break;
    case HD_WITNESS_FINAL_READ:
        hd_text_append(to, "final read of %s",
                       hd_names_text(&trace->tables.names[HEDDLE_CLASS_VARIABLE], claim->variable));
        print_read(claim, to);
        break;
    case HD_WITNESS_RACE:
        hd_text_append(to, "race %u %u", claim->first, claim->second);
        print_decisions(claim, to);
        break;
    case HD_WITNESS_UNORDERED:
        hd_text_append(to, "unordered %u %u", claim->first, claim->second);
        break;
    case HD_WITNESS_ATOMICITY:
        hd_text_append(to, "atomicity %u %u", claim->first, claim->between);
        if (claim->back)
            hd_text_append(to, " %u", claim->back);
        hd_text_append(to, " %u", claim->second);
        break;
    case HD_WITNESS_STATE:
        print_state(claim, trace, to);
        break;
    case HD_WITNESS_DEADLOCK:
        hd_text_append(to, "deadlock");
        for (size_t i = 0; i < claim->acquires.length; i++)
            hd_text_append(to, " %u", claim->acquires.data[i]);
        print_decisions(claim, to);
        break;
    case HD_WITNESS_END:
        hd_text_append(to, "recorded deadlock");
        break;
    }
}

/* ---- In ---- */

/* The state of the parser.  A function that fails sets the error if it has something better to say
 * than the form of the claim. */
typedef struct parser {
    const char *at;
    const hd_trace *trace;
    hd_error error;
} parser;

static bool eat(parser *p, const char *word) {
    size_t length = strlen(word);
    if (strncmp(p->at, word, length) != 0)
        return false;
    p->at += length;
    return true;
}

static bool digits(parser *p, const char **text, size_t *length) {
    *text = p->at;
    *length = strspn(p->at, "0123456789");
    p->at += *length;
    return *length > 0;
}

/* A number up to the trace's length: an event, 0, or a count of events. */
static bool eat_up_to_length(parser *p, uint32_t *number, bool counts) {
    enum { SHOWN = 24 };
    const char *text;
    size_t length;
    uint64_t value;
    if (!digits(p, &text, &length))
        return false;
    uint32_t events = hd_trace_length(p->trace);
    if (hd_text_u64(text, length, &value) && value <= events) {
        *number = (uint32_t)value;
        return true;
    }
    char shown[SHOWN + 4];
    snprintf(shown, sizeof shown, "%.*s%s", length < SHOWN ? (int)length : SHOWN, text,
             length < SHOWN ? "" : "...");
    if (counts)
        return hd_error_set(&p->error, "a count of %s, but the trace has %u events", shown, events);
    return hd_error_set(&p->error, "there is no event %s in the trace, which has %u", shown,
                        events);
}

static bool eat_number(parser *p, uint32_t *number) {
    return eat_up_to_length(p, number, false);
}

static bool eat_writes(parser *p, hd_witness_claim *claim) {
    if (!eat(p, " sees ") || !eat_number(p, &claim->sees) || !eat(p, ", writer ") ||
        !eat_number(p, &claim->writer) || !eat(p, ", challenger ") ||
        !eat_number(p, &claim->challenger) || !eat(p, ", order "))
        return false;
    for (unsigned order = 0; order < sizeof orders / sizeof *orders; order++)
        if (strcmp(p->at, orders[order]) == 0) {
            claim->order = (enum hd_witness_order)order;
            return eat(p, orders[order]);
        }
    return false;
}

static bool parse_read(parser *p, hd_witness_claim *claim) {
    return eat(p, " ") && eat_number(p, &claim->read) && eat_writes(p, claim);
}

/* The name of a variable may hold anything, " sees " too: the last one counts. */
static bool parse_final_read(parser *p, hd_witness_claim *claim) {
    const char *end = NULL;
    if (!eat(p, " "))
        return false;
    for (const char *at = p->at; (at = strstr(at, " sees ")); at++)
        end = at;
    if (!end)
        return false;
    size_t length = (size_t)(end - p->at);
    const hd_names *variables = &p->trace->tables.names[HEDDLE_CLASS_VARIABLE];
    claim->variable = hd_names_find(variables, p->at, length);
    if (claim->variable == HD_NAMES_NONE)
        return hd_error_set(&p->error, "there is no variable '%.*s' in the trace",
                            (int)(length < 80 ? length : 80), p->at);
    p->at = end;
    return eat_writes(p, claim);
}

static bool parse_pair(parser *p, hd_witness_claim *claim) {
    return eat(p, " ") && eat_number(p, &claim->first) && eat(p, " ") &&
           eat_number(p, &claim->second);
}

static void eat_decisions(parser *p, hd_witness_claim *claim) {
    claim->decisions = eat(p, ", decisions kept");
}

static bool parse_race(parser *p, hd_witness_claim *claim) {
    if (!parse_pair(p, claim))
        return false;
    eat_decisions(p, claim);
    return true;
}

static bool parse_atomicity(parser *p, hd_witness_claim *claim) {
    if (!(eat(p, " ") && eat_number(p, &claim->first) && eat(p, " ") &&
          eat_number(p, &claim->between) && eat(p, " ") && eat_number(p, &claim->second)))
        return false;
    if (!eat(p, " "))
        return true;
    claim->back = claim->second;
    return claim->back && eat_number(p, &claim->second);
}

static bool parse_deadlock(parser *p, hd_witness_claim *claim) {
    while (eat(p, " ")) {
        uint32_t number = 0;
        if (!eat_number(p, &number))
            return false;
        hd_vec_push(&claim->acquires, number);
    }
    eat_decisions(p, claim);
    return claim->acquires.length > 0;
}

static bool eat_reads(parser *p, hd_witness_claim *claim) {
    claim->let_go = eat(p, ", reads let go");
    return claim->let_go || eat(p, ", reads kept");
}

static bool parse_reordering(parser *p, hd_witness_claim *claim) {
    eat_decisions(p, claim);
    return !*p->at || eat_reads(p, claim);
}

/* A thread's name up to its '=', which no name holds. */
static bool eat_thread(parser *p, uint32_t *thread) {
    const hd_names *threads = &p->trace->tables.names[HEDDLE_CLASS_THREAD];
    const char *name = p->at, *equals = strchr(name, '=');
    if (!equals)
        return false;
    *thread = hd_names_find(threads, name, (size_t)(equals - name));
    p->at = equals + 1;
    if (*thread != HD_NAMES_NONE)
        return true;
    return hd_error_set(&p->error, "there is no thread '%.*s' in the trace",
                        (int)(equals - name < 80 ? equals - name : 80), name);
}

/* Counts are kept as count + 1 until all are read: 0 means not named so far. */
static bool eat_count(parser *p, hd_witness_claim *claim) {
    uint32_t thread = 0, count = 0;
    if (!eat_thread(p, &thread) || !eat_up_to_length(p, &count, true))
        return false;
    if (thread >= claim->counts.length)
        hd_vec_resize(&claim->counts, (size_t)thread + 1);
    if (claim->counts.data[thread])
        return hd_error_set(&p->error, "thread %.80s is named twice",
                            hd_trace_thread_name(&p->trace->tables, thread));
    claim->counts.data[thread] = count + 1;
    return true;
}

static bool parse_state(parser *p, hd_witness_claim *claim) {
    while (eat(p, " "))
        if (!eat_count(p, claim))
            return false;
    for (size_t i = 0; i < claim->counts.length; i++)
        claim->counts.data[i] -= claim->counts.data[i] > 0;
    return eat_reads(p, claim);
}

static bool parse_nothing(parser *p, hd_witness_claim *claim) {
    (void)claim;
    return !*p->at;
}

static const struct form {
    const char *word;
    enum hd_witness_kind kind;
    bool (*parse)(parser *p, hd_witness_claim *claim);
    const char *text;
} forms[] = {
    {"reordering", HD_WITNESS_REORDERING, parse_reordering,
     "reordering[, reads kept|let go|, decisions kept]"},
    {"read", HD_WITNESS_READ, parse_read,
     "read EVENT sees WRITE, writer WRITE, challenger WRITE, order crw|wcr|cr"},
    {"final read of", HD_WITNESS_FINAL_READ, parse_final_read,
     "final read of VARIABLE sees WRITE, writer WRITE, challenger WRITE, order wcr"},
    {"race", HD_WITNESS_RACE, parse_race, "race EVENT EVENT[, decisions kept]"},
    {"unordered", HD_WITNESS_UNORDERED, parse_pair, "unordered EVENT EVENT"},
    {"atomicity", HD_WITNESS_ATOMICITY, parse_atomicity, "atomicity EVENT EVENT [EVENT] EVENT"},
    {"state", HD_WITNESS_STATE, parse_state, "state THREAD=COUNT ..., reads kept|let go"},
    {"deadlock", HD_WITNESS_DEADLOCK, parse_deadlock, "deadlock EVENT EVENT ...[, decisions kept]"},
    {"recorded deadlock", HD_WITNESS_END, parse_nothing, "recorded deadlock"},
};

static bool parse(parser *p, hd_witness_claim *claim) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t length = strlen(forms[i].word);
        if (strncmp(p->at, forms[i].word, length) != 0 || !strchr(" ,", p->at[length]))
            continue;
        p->at += length;
        claim->kind = forms[i].kind;
        if (forms[i].parse(p, claim) && !*p->at)
            return hd_witness_claim_fits(claim, p->trace, NULL, &p->error);
        if (p->error.text[0])
            return hd_error_prefix(&p->error, "bad claim: ");
        return hd_error_set(&p->error, "bad claim: it should read '%s'", forms[i].text);
    }
    if (strcmp(p->at, "violation") == 0 || strcmp(p->at, "stuck") == 0 ||
        strcmp(p->at, "livelock") == 0)
        return hd_error_set(
            &p->error, "claim '%s' is about a run of a program; heddle replay checks it", p->at);
    return hd_error_set(&p->error, "unknown claim '%.80s'", p->at);
}

bool hd_witness_claim_parse(hd_witness_claim *claim, const hd_trace *trace, const char *text,
                            hd_error *error) {
    parser p = {.at = text, .trace = trace};
    if (parse(&p, claim))
        return true;
    hd_witness_claim_release(claim);
    return hd_error_set(error, "%s", p.error.text);
}
