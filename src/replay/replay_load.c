/*
 * A machine witness in, and bound to a machine.
 */
#include <stdlib.h>
#include <string.h>

#include "replay_recording.h"
#include "replay_token.h"

void hd_replay_witness_init(hd_replay_witness *witness) {
    *witness = (hd_replay_witness){0};
    hd_trace_init(&witness->run);
}

void hd_replay_witness_release(hd_replay_witness *witness) {
    hd_vec_release(&witness->schedule);
    free(witness->program);
    free(witness->question);
    free(witness->verdict);
    for (size_t i = 0; i < witness->parameters.length; i++)
        free(witness->parameters.data[i]);
    hd_vec_release(&witness->parameters);
    hd_names_release(&witness->tokens);
    hd_trace_release(&witness->run);
    *witness = (hd_replay_witness){0};
}

/* ---- Comment lines ---- */

typedef struct loader {
    hd_replay_witness *witness;
    hd_trace_cursor *cursor;
    size_t comments; /* how many were looked at */
    bool ended;      /* all was read */
    bool has_head, has_claim, has_schedule, has_steps;
    uint64_t steps; /* that the schedule is said to have */
    hd_error *error;
} loader;

/* A key, and what takes the text after it. */
typedef struct key {
    const char *name;
    bool (*take)(loader *l, const char *text);
} key;

static bool take_claim(loader *l, const char *text) {
    if (l->has_claim)
        return hd_error_set(l->error, "a second claim");
    l->has_claim = true;
    for (int claim = HD_REPLAY_VIOLATION; claim < HD_REPLAY_CLAIMS; claim++)
        if (strcmp(text, hd_replay_claim_name((enum hd_replay_claim)claim)) == 0) {
            l->witness->claim = (enum hd_replay_claim)claim;
            return true;
        }
    return hd_error_set(l->error,
                        "claim '%.80s' is not one about a run; these are violation, stuck, race, "
                        "end, livelock",
                        text);
}

static bool take_once(loader *l, const char *what, char **to, const char *text) {
    if (*to)
        return hd_error_set(l->error, "a second %s", what);
    *to = hd_mem_string(text, strlen(text));
    return true;
}

static bool take_question(loader *l, const char *text) {
    return take_once(l, "question", &l->witness->question, text);
}

static bool take_verdict(loader *l, const char *text) {
    return take_once(l, "verdict", &l->witness->verdict, text);
}

static bool take_program(loader *l, const char *text) {
    return take_once(l, "program", &l->witness->program, text);
}

static bool take_parameter(loader *l, const char *text) {
    hd_vec_push(&l->witness->parameters, hd_mem_string(text, strlen(text)));
    return true;
}

static bool take_threads(loader *l, const char *text) {
    uint64_t value;
    if (l->witness->threads)
        return hd_error_set(l->error, "a second number of threads");
    if (!hd_text_u64(text, strlen(text), &value) || value == 0 || value > UINT32_MAX)
        return hd_error_set(l->error, "'%.40s' is not a number of threads", text);
    l->witness->threads = (uint32_t)value;
    return true;
}

/* So that a file that was cut off does not pass for a shorter schedule. */
static bool take_steps(loader *l, const char *text) {
    if (l->has_steps)
        return hd_error_set(l->error, "a second number of steps");
    l->has_steps = true;
    return hd_text_u64(text, strlen(text), &l->steps) ||
           hd_error_set(l->error, "'%.40s' is not a number of steps", text);
}

static bool bad_step(loader *l, const char *text, size_t length) {
    return hd_error_set(l->error, "bad step '%.*s' in the schedule; a step is THREAD:CHOICE",
                        (int)(length < 80 ? length : 80), text);
}

static bool take_step(loader *l, const char *text, size_t length) {
    const char *colon = memchr(text, ':', length);
    uint64_t choice;
    if (!colon)
        return bad_step(l, text, length);
    size_t name = (size_t)(colon - text);
    if (!hd_replay_token_legal(text, name) || !hd_text_u64(colon + 1, length - name - 1, &choice) ||
        choice >= UINT32_MAX)
        return bad_step(l, text, length);
    hd_vec_push(&l->witness->schedule,
                (hd_step){hd_names_add(&l->witness->tokens, text, name), (uint32_t)choice});
    return true;
}

static bool take_schedule(loader *l, const char *text) {
    l->has_schedule = true;
    while (*(text += strspn(text, " \t"))) {
        size_t length = strcspn(text, " \t");
        if (!take_step(l, text, length))
            return false;
        text += length;
    }
    return true;
}

static const key keys[] = {
    {"claim", take_claim},     {"question", take_question}, {"verdict", take_verdict},
    {"program", take_program}, {"threads", take_threads},   {"parameter", take_parameter},
    {"steps", take_steps},     {"schedule", take_schedule},
};

/* What follows "key:" and blanks; NULL if the line has another key or none. */
static const char *after_key(const char *text, const char *name) {
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != ':')
        return NULL;
    text += length + 1;
    return text + strspn(text, " \t");
}

static bool take_head(loader *l, const char *version) {
    if (strcmp(version, "1") != 0)
        return hd_error_set(l->error, "a witness of version '%.20s', which is not known", version);
    if (l->has_head)
        return hd_error_set(l->error, "a second 'heddle witness' line");
    l->has_head = true;
    return true;
}

static bool take_comment(loader *l, const hd_trace_comment *comment) {
    static const char head[] = "heddle witness ";
    const char *text = comment->text + strspn(comment->text, " \t");
    bool late = comment->before > 1;
    if (strncmp(text, head, sizeof head - 1) == 0)
        return late ? hd_error_set(l->error,
                                   "the first line of a witness must come before its events")
                    : take_head(l, text + sizeof head - 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *rest = after_key(text, keys[i].name);
        if (!rest)
            continue;
        if (!l->has_head)
            return hd_error_set(l->error, "a %s without '# heddle witness 1' before it",
                                keys[i].name);
        if (late)
            return hd_error_set(l->error, "the %s of a witness must come before its events",
                                keys[i].name);
        return keys[i].take(l, rest);
    }
    return true; /* a comment like any other */
}

static bool take_comments(loader *l) {
    const hd_trace_comment *comments;
    size_t count = hd_trace_cursor_comments(l->cursor, &comments);
    assert(l->comments <= count); /* those of before are there still */
    for (; l->comments < count; l->comments++)
        if (!take_comment(l, &comments[l->comments]))
            return hd_error_prefix(l->error, "%s:%llu: ", hd_trace_cursor_name(l->cursor),
                                   (unsigned long long)comments[l->comments].line);
    return true;
}

/* ---- All of it ---- */

static bool complete(loader *l) {
    const char *name = hd_trace_cursor_name(l->cursor);
    if (!l->has_head)
        return hd_error_set(l->error, "%s: not a witness: there is no line '# heddle witness 1'",
                            name);
    if (!l->has_claim)
        return hd_error_set(l->error, "%s: a witness without a claim", name);
    if (!l->has_schedule)
        return hd_error_set(l->error, "%s: a witness without a schedule", name);
    if (l->has_steps && l->steps != l->witness->schedule.length)
        return hd_error_set(l->error, "%s: there should be %llu steps in the schedule, not %zu",
                            name, (unsigned long long)l->steps, l->witness->schedule.length);
    if (l->witness->claim == HD_REPLAY_VIOLATION && l->witness->schedule.length == 0)
        return hd_error_set(l->error, "%s: a violation whose schedule has no step", name);
    return true;
}

static bool take_all(loader *l) {
    hd_trace_batch batch;
    int more;
    do {
        more = hd_trace_cursor_next(l->cursor, &batch, l->error);
        if (more < 0 || !take_comments(l))
            return false;
        for (size_t i = 0; more > 0 && i < batch.count; i++)
            hd_trace_append(&l->witness->run, batch.events[i]);
    } while (more > 0);
    l->ended = true;
    return complete(l);
}

/* Takes the cursor, which may be NULL, with an error set. */
static bool load_witness(hd_replay_witness *witness, hd_trace_cursor *cursor, hd_error *own,
                         hd_error *error) {
    bool good = cursor != NULL, headless = false;
    if (good) {
        loader l = {.witness = witness, .cursor = cursor, .error = own};
        good = take_all(&l);
        headless = !l.has_head && l.ended;
        hd_trace_tables_release(&witness->run.tables);
        hd_trace_cursor_take_tables(cursor, &witness->run.tables);
        hd_trace_cursor_close(cursor);
    }
    if (good)
        return true;
    assert(*own->text);
    hd_replay_witness_release(witness);
    witness->headless = headless;
    return hd_error_set(error, "%s", own->text);
}

/* Whether the events are a possible run is not asked, since they are compared with
 * one.  So a schedule without any event is no error either. */
enum { FLAGS = HD_TRACE_UNCHECKED | HD_TRACE_COMMENTS };

/* The cursor tells an error by its text, so it gets one of its own. */
bool hd_replay_witness_load(hd_replay_witness *witness, const char *path, hd_error *error) {
    hd_error own = {""};
    return load_witness(witness, hd_trace_cursor_open(path, FLAGS, &own), &own, error);
}

bool hd_replay_witness_read(hd_replay_witness *witness, const void *data, size_t size,
                            const char *name, hd_error *error) {
    hd_error own = {""};
    return load_witness(witness, hd_trace_cursor_memory(data, size, name, FLAGS, &own), &own,
                        error);
}

/* ---- On a machine ---- */

static size_t first_step_of(const hd_replay_witness *witness, uint32_t token) {
    size_t step = 0;
    while (witness->schedule.data[step].thread != token) {
        step++;
        assert(step < witness->schedule.length); /* a token comes with a step */
    }
    return step + 1;
}

bool hd_replay_witness_bind(hd_replay_witness *witness, hd_machine *machine, hd_error *error) {
    if (witness->threads && witness->threads != machine->threads)
        return hd_error_set(error, "the witness is of a program with %u threads, this one has %u",
                            witness->threads, machine->threads);
    hd_replay_tokens tokens;
    hd_replay_tokens_init(&tokens, machine);
    uint32_t *threads = HD_NEW_ARRAY(uint32_t, (size_t)witness->tokens.length + 1);
    bool good = true;
    for (uint32_t i = 0; good && i < witness->tokens.length; i++) {
        const char *token = hd_names_text(&witness->tokens, i);
        good = hd_replay_token_find(&tokens, machine, token, &threads[i]) ||
               hd_error_set(error, "step %zu: there is no thread %.80s", first_step_of(witness, i),
                            token);
    }
    for (size_t i = 0; good && i < witness->schedule.length; i++) {
        assert(witness->schedule.data[i].thread < witness->tokens.length);
        witness->schedule.data[i].thread = threads[witness->schedule.data[i].thread];
        assert(witness->schedule.data[i].thread < machine->threads);
    }
    free(threads);
    hd_replay_tokens_release(&tokens);
    return good;
}

/* Compares the events of a run with those of the file as they come. */
typedef struct comparison {
    const hd_replay_witness *witness;
    const hd_replay_watch *watch;
    hd_replay_recording now;
    size_t compared;
    bool same;
    hd_error *error;
} comparison;

/* The event's line without its location. */
static void print_event(char *to, size_t size, const hd_trace *trace, size_t index) {
    heddle_event event = trace->events.data[index];
    event.location = 0;
    hd_trace_print(to, size, &trace->tables, &event);
}

static bool same_event(const hd_trace *a, const hd_trace *b, size_t index) {
    const heddle_event *x = &a->events.data[index], *y = &b->events.data[index];
    return x->kind == y->kind && (x->flags & HEDDLE_HAS_VALUE) == (y->flags & HEDDLE_HAS_VALUE) &&
           x->value == y->value &&
           strcmp(hd_trace_thread_name(&a->tables, x->thread),
                  hd_trace_thread_name(&b->tables, y->thread)) == 0 &&
           strcmp(hd_trace_object_name(&a->tables, x), hd_trace_object_name(&b->tables, y)) == 0;
}

static bool compare_next(comparison *c, size_t number) {
    char now[256], then[256];
    const hd_trace *run = &c->witness->run;
    size_t i = c->compared++;
    assert(i < c->now.run.events.length);
    if (i >= run->events.length) {
        print_event(now, sizeof now, &c->now.run, i);
        return hd_error_set(c->error, "step %zu: it does '%s', where the witness has no event",
                            number, now);
    }
    if (same_event(&c->now.run, run, i))
        return true;
    print_event(now, sizeof now, &c->now.run, i);
    print_event(then, sizeof then, run, i);
    return hd_error_set(c->error, "step %zu: it does '%s', where the witness has '%s'", number, now,
                        then);
}

static int before(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    comparison *c = context;
    int stop = c->watch->before ? c->watch->before(c->watch->context, machine, number, step) : 0;
    if (!stop)
        hd_replay_recording_before(&c->now, machine, number, step);
    return stop;
}

static int after(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    comparison *c = context;
    int stop = c->watch->after ? c->watch->after(c->watch->context, machine, number, step) : 0;
    bool compares = c->witness->run.events.length != 0;
    if (!compares && c->witness->claim != HD_REPLAY_UNORDERED)
        return stop;
    hd_replay_recording_after(&c->now, machine, number);
    if (!compares)
        return stop;
    while (c->same && c->compared < c->now.run.events.length)
        c->same = compare_next(c, number);
    return stop || !c->same;
}

bool hd_replay_witness_run(const hd_replay_witness *witness, hd_machine *machine,
                           const hd_replay_watch *watch, hd_replay_outcome *outcome,
                           hd_error *error) {
    static const hd_replay_watch no_watch = {0};
    comparison c = {
        .witness = witness, .watch = watch ? watch : &no_watch, .same = true, .error = error};
    hd_replay_watch own = {before, after, &c};
    hd_replay_recording_init(&c.now);
    hd_replay_prepare(machine, witness->claim);
    bool good = hd_replay_run(machine, &witness->schedule, &own, outcome, error) && c.same;
    if (good && !outcome->stopped && c.compared < witness->run.events.length) {
        char then[256];
        print_event(then, sizeof then, &witness->run, c.compared);
        good = hd_error_set(error, "step %zu: the run is over, but the witness goes on with '%s'",
                            outcome->steps, then);
    }
    if (good && witness->claim == HD_REPLAY_UNORDERED)
        hd_replay_recording_judge(&c.now, outcome);
    if (good && witness->claim == HD_REPLAY_LIVELOCK && !outcome->stopped)
        good = hd_replay_run_livelock(machine, &witness->schedule, outcome, error);
    hd_replay_recording_release(&c.now);
    return good;
}
