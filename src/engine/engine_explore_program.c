/*
 * What the question explore does with programs beside what it does with models: compiles a source,
 * and looks for data races.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine_explore.h"

/* ---- What is looked for ---- */

static const struct {
    const char *name;
    unsigned bit;
} sorts[] = {{"failure", HD_ENGINE_FIND_FAILURE},
             {"deadlock", HD_ENGINE_FIND_DEADLOCK},
             {"race", HD_ENGINE_FIND_RACE},
             {"outcome", HD_ENGINE_FIND_OUTCOME}};

static unsigned sort_of(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (strlen(sorts[i].name) == length && strncmp(word, sorts[i].name, length) == 0)
            return sorts[i].bit;
    return 0;
}

unsigned hd_engine_explore_usual(const hd_engine_exploration *e) {
    unsigned all = HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK;
    return e->sv_comp   ? hd_engine_property_find(e->property)
           : e->program ? all | HD_ENGINE_FIND_RACE
                        : all;
}

bool hd_engine_explore_find(hd_engine_exploration *e, const char *words, bool no_race,
                            hd_error *error) {
    const unsigned all = HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK;
    e->find = words ? 0 : hd_engine_explore_usual(e);
    while (words && *words) {
        size_t length = strcspn(words, ",");
        unsigned bit = sort_of(words, length);
        if (!bit)
            return hd_error_set(error,
                                "--find takes failure, deadlock, race, outcome, with commas "
                                "between, not '%.*s'",
                                (int)(length < 40 ? length : 40), words);
        e->find |= bit;
        words += length + (words[length] == ',');
    }
    if (no_race)
        e->find &= ~(unsigned)HD_ENGINE_FIND_RACE;
    if (!e->find)
        return hd_error_set(error, "nothing is left to be found");
    if (!e->program && e->find & ~all)
        return hd_error_set(error, "races and outcomes are found in programs, not in models");
    return true;
}

/* ---- The program ---- */

bool hd_engine_explore_make(hd_engine_exploration *e, hd_error *error) {
    size_t count = e->arguments.count;
    e->argv = HD_NEW_ARRAY(char *, count + 2);
    e->argv[0] = (char *)e->path;
    for (size_t i = 0; i < count; i++)
        e->argv[i + 1] = e->arguments.data[i];
    if (!hd_launch_is_source(e->path))
        return true;
    e->made = hd_launch_make(e->path, hd_launch_options_is_sv_comp(), error);
    e->argv[0] = e->made;
    return e->made != NULL;
}

/* ---- Data races ---- */

/* What the thread's next access is, for people. */
static void describe_access(hd_machine *machine, uint32_t thread, hd_vec_char *text,
                            hd_vec_char *variable) {
    hd_vec_char words = {0};
    machine->type->describe(machine, thread, text);
    hd_native_next_words(machine, thread, &words, variable);
    hd_vec_release(&words);
}

static void tell_race(hd_engine_exploration *e, hd_finding *finding) {
    uint64_t print = finding->fingerprint;
    bool added = !hd_finding_list_find(&e->races, print);
    hd_finding_list_add(&e->races, finding);
    if (added)
        hd_engine_explore_tell(e, hd_finding_list_find(&e->races, print));
}

/* A pair that memory orders decide is told at the end, if no state was found that has both next. */
static void add_race(hd_engine_exploration *e, const hd_explore_collision *found,
                     const hd_vec_char *first, const hd_vec_char *second, hd_vec_char *variable) {
    hd_finding finding;
    char *text = NULL;
    uint64_t print = hd_engine_explore_print_of("race", found->positions, 2);
    if (hd_engine_explore_drops_race(e, found->positions, variable->data, print))
        return;
    hd_finding_init(&finding, HD_FINDING_RACE, "race");
    if (asprintf(&text, "data race: %.*s, and %.*s%s", (int)first->length, first->data,
                 (int)second->length, second->data,
                 found->unordered ? "; the memory orders between them do not order them" : "") >= 0)
        finding.message = text;
    finding.unordered = found->unordered;
    finding.by = hd_engine_portfolio_name(e, found->machine);
    finding.variable = variable->data;
    *variable = (hd_vec_char){0};
    finding.fingerprint = print;
    finding.location = hd_engine_place(hd_engine_explore_checker(e), e->path, found->positions[0]);
    finding.schedule = e->schedule;
    e->schedule = (hd_steps){0};
    hd_log_write(HD_LOG_NOTE, "%s: %s", finding.location, finding.message);
    if (found->unordered)
        hd_finding_list_add(&e->unordered, &finding);
    else
        tell_race(e, &finding);
    hd_finding_release(&finding);
}

/* An operation on a lock names no variable. */
static hd_vec_char *name_of_two(hd_vec_char *name, hd_vec_char *other) {
    return name->length ? name : other;
}

/* The schedule leads to the state where both are next; they follow as its last two steps.  False
 * if they do not race there. */
static bool push_race(hd_engine_exploration *e, const hd_explore_collision *found) {
    hd_vec_char first = {0}, second = {0}, variable = {0}, same = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (!hd_replay_run(hd_engine_explore_checker(e), &e->schedule, NULL, &outcome, &error))
        return false;
    describe_access(hd_engine_explore_checker(e), found->threads[0], &first, &variable);
    describe_access(hd_engine_explore_checker(e), found->threads[1], &second, &same);
    /* The variable is where the two begin to overlap: a free begins with its block. */
    bool later = hd_native_next_address(hd_engine_explore_checker(e), found->threads[0]) <
                 hd_native_next_address(hd_engine_explore_checker(e), found->threads[1]);
    hd_vec_push(&e->schedule, (hd_step){found->threads[0], 0});
    hd_vec_push(&e->schedule, (hd_step){found->threads[1], 0});
    bool shown =
        hd_replay_check(hd_engine_explore_checker(e), HD_REPLAY_RACE, &e->schedule, &error);
    if (shown)
        add_race(e, found, &first, &second,
                 later ? name_of_two(&same, &variable) : name_of_two(&variable, &same));
    hd_vec_release(&variable);
    hd_vec_release(&same);
    hd_vec_release(&first);
    hd_vec_release(&second);
    return shown;
}

/* The access of a thread after so many steps of the schedule: words, variable, address. */
static uint64_t describe_after(hd_engine_exploration *e, size_t steps, uint32_t thread,
                               hd_vec_char *text, hd_vec_char *variable) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_steps part = e->schedule;
    part.length = steps;
    if (!hd_replay_run(hd_engine_explore_checker(e), &part, NULL, &outcome, &error))
        return 0;
    describe_access(hd_engine_explore_checker(e), thread, text, variable);
    return hd_native_next_address(hd_engine_explore_checker(e), thread);
}

/* The schedule has the first access somewhere, and the second as its last step. */
static bool push_unordered(hd_engine_exploration *e, const hd_explore_collision *found) {
    hd_vec_char first = {0}, second = {0}, variable = {0}, same = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    bool shown =
        hd_replay_run_unordered(hd_engine_explore_checker(e), &e->schedule, &outcome, &error) &&
        outcome.unordered && outcome.first == found->positions[0] &&
        outcome.second == found->positions[1];
    if (!shown)
        return false;
    uint64_t one = describe_after(e, outcome.earlier - 1, found->threads[0], &first, &variable);
    uint64_t other = describe_after(e, outcome.steps - 1, found->threads[1], &second, &same);
    add_race(e, found, &first, &second, one < other ? &same : &variable);
    hd_vec_release(&variable);
    hd_vec_release(&same);
    hd_vec_release(&first);
    hd_vec_release(&second);
    return true;
}

static uint64_t pair_of(const hd_explore_collision *found) {
    uint64_t a = found->positions[0], b = found->positions[1];
    return a < b ? a << 32 | b : b << 32 | a;
}

static bool try_race(hd_engine_exploration *e, const hd_explore_collision *found, bool whole) {
    hd_steps steps = {0};
    hd_explore_collision_schedule(found, whole, &steps);
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < steps.length; i++)
        hd_vec_push(&e->schedule, (hd_step){steps.data[i].thread, steps.data[i].choice});
    hd_vec_release(&steps);
    bool shown = found->unordered ? push_unordered(e, found) : push_race(e, found);
    if (hd_native_machine_broken(e->checker)) /* by a schedule that cannot be followed */
        hd_engine_explore_make_checker(e);
    return shown;
}

/* Of a pair of places: how often it is tried in vain; and what stands for a pair that races. */
enum { MOST_TRIES = 8, SHOWN };

static uint32_t count_unproved(const hd_engine_exploration *e) {
    size_t at = 0;
    uint64_t pair;
    uint32_t tries, count = 0;
    while (hd_map_each(&e->pairs, &at, &pair, &tries))
        count += tries && tries != SHOWN;
    return count;
}

/* Two accesses that nothing orders race, unless something that is not seen orders them: then no
 * schedule makes both next, whatever is tried. */
static void collide(hd_engine_exploration *e, const hd_explore_collision *found) {
    bool added;
    if (e->broken.text[0] || e->enough || hd_native_machine_changed(found->machine) ||
        hd_native_machine_broken(found->machine))
        return; /* what was searched is not what there is */
    if (hd_clock_look() == HD_CLOCK_LATE)
        return; /* the search ends at its next step */
    hd_map *pairs = found->unordered ? &e->unordered_pairs : &e->pairs;
    uint32_t *tries = hd_map_at(pairs, pair_of(found), &added);
    if (added)
        *tries = 0;
    if (*tries >= MOST_TRIES)
        return;
    bool shown = try_race(e, found, false) || try_race(e, found, true);
    if (shown || hd_clock_look() != HD_CLOCK_LATE) /* else the run was ended */
        *tries = shown ? SHOWN : *tries + 1;
}

void hd_engine_explore_collide(void *context, const hd_explore_collision *found) {
    hd_engine_exploration *e = context;
    hd_engine_portfolio_lock(e);
    collide(e, found);
    hd_engine_portfolio_unlock(e);
}

/* ---- Runs that hang ---- */

void hd_engine_explore_hang(hd_engine_exploration *e, hd_machine *machine) {
    if (e->hung.length)
        return;
    hd_native_machine_hang(machine, &e->hung);
    hd_log_write(HD_LOG_NOTE, "%.*s", (int)e->hung.length, e->hung.data);
}

/* ---- Everything together ---- */

void hd_engine_explore_gather(hd_engine_exploration *e) {
    if (e->program)
        hd_native_machine_note_unproved(e->machine, count_unproved(e));
    for (size_t i = 0; i < e->findings.found.length; i++)
        if (!e->findings.found.data[i].count) /* the search did not meet it */
            e->findings.found.data[i].count = 1;
    for (size_t i = 0; i < e->unordered.found.length; i++)
        if (!hd_finding_list_find(&e->races, e->unordered.found.data[i].fingerprint))
            tell_race(e, &e->unordered.found.data[i]);
    hd_finding_list_release(&e->unordered);
    hd_finding_list_init(&e->unordered, 0);
    for (size_t i = 0; i < e->races.found.length; i++) {
        hd_finding *race = &e->races.found.data[i];
        hd_finding_list_add(&e->findings, race);
        hd_finding_release(race);
    }
    hd_vec_clear(&e->races.found);
    hd_engine_explore_gather_outcomes(e);
}

void hd_engine_explore_forget(hd_engine_exploration *e) {
    hd_finding_list_release(&e->races);
    hd_finding_list_init(&e->races, 0);
    hd_finding_list_release(&e->unordered);
    hd_finding_list_init(&e->unordered, 0);
    hd_map_release(&e->pairs);
    hd_map_release(&e->unordered_pairs);
    e->pairs = e->unordered_pairs = (hd_map){0};
    hd_engine_explore_forget_outcomes(e);
    e->assumed = e->pruned = 0;
}

/* --- rounds of loops --- */

void hd_engine_explore_go_round(hd_engine_exploration *e, const hd_machine *machine) {
    enum { MOST = 1000 };
    hd_replay_outcome outcome;
    hd_error error;
    uint32_t thread;
    if (!hd_native_machine_leaves_out(machine) ||
        !hd_replay_run(hd_engine_explore_checker(e), &e->schedule, NULL, &outcome, &error))
        return;
    for (int i = 0; i < MOST && hd_machine_find_enabled(hd_engine_explore_checker(e), &thread);
         i++) {
        hd_vec_push(&e->schedule, (hd_step){.thread = thread});
        if (hd_engine_explore_checker(e)->type->step(hd_engine_explore_checker(e), thread, 0) !=
            HD_MACHINE_WENT_ON)
            return;
    }
}

/* The first ones; one operation is no section to speak of. */
void hd_engine_explore_sectioned(void *context, hd_machine *machine, const uint32_t *threads,
                                 const uint32_t *positions, uint32_t count) {
    enum { MOST = 8 };
    hd_engine_exploration *e = context;
    if (count < 2 || e->explained == MOST)
        return;
    hd_text_append(&e->explanation, "section %u\n", ++e->explained);
    for (uint32_t i = 0; i < count; i++) {
        hd_vec_char place = {0};
        hd_native_place(machine, positions[i], &place);
        if (!i || threads[i] != threads[i - 1])
            hd_text_append(&e->explanation, "%s  %s:", i ? "\n" : "",
                           machine->type->thread_name(machine, threads[i]));
        hd_text_append(&e->explanation, " %.*s", (int)place.length, place.data);
        hd_vec_release(&place);
    }
    hd_vec_push(&e->explanation, '\n');
}
