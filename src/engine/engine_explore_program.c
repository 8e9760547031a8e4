/*
 * What the question explore does with programs beside what it does with models: it compiles a
 * source, and looks for data races (engine_explore_races.c).
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
        hd_native_machine_note_unproved(e->machine, hd_engine_explore_unproved(e));
    hd_engine_explore_try_lesser(e);
    for (size_t i = 0; i < e->findings.found.length; i++)
        if (!e->findings.found.data[i].count) /* the search did not meet it */
            e->findings.found.data[i].count = 1;
    for (size_t i = 0; i < e->unordered.found.length; i++)
        if (!hd_finding_list_find(&e->races, e->unordered.found.data[i].fingerprint))
            hd_finding_list_add(&e->races, &e->unordered.found.data[i]);
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
    hd_map_release(&e->variables);
    hd_engine_explore_forget_lesser(e);
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
