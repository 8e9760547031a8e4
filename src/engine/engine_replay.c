#include "engine_replay.h"

#include <stdlib.h>
#include <string.h>

void hd_engine_replay_init(hd_engine_replay *r, const char *path, const char *file,
                           hd_engine_words arguments) {
    *r = (hd_engine_replay){.path = path, .file = file, .arguments = arguments};
    r->program = hd_engine_is_program(path);
    hd_replay_witness_init(&r->witness);
}

/* ---- The model ---- */

static bool read_parameters(hd_engine_replay *r, hd_error *error) {
    for (size_t i = 0; i < r->witness.parameters.length; i++) {
        hd_model_define define;
        if (!hd_model_define_parse(&define, r->witness.parameters.data[i], error))
            return hd_error_prefix(error, "%s: parameter: ", hd_text_name(r->file));
        hd_vec_push(&r->defines, define);
    }
    return true;
}

/* ---- The program ---- */

bool hd_engine_same_build(const char *file, const char *program, const char *path,
                          const char *build, const char *again, bool any, hd_error *error) {
    char now[HD_LAUNCH_BUILD];
    if (!build[0] || !hd_launch_build(path, now) || strcmp(build, now) == 0)
        return true;
    if (!any)
        return hd_error_set(error,
                            "%s is of another build of %s (%.12s, this is %.12s); %s it again, or "
                            "try it with --any-build",
                            hd_text_name(file), hd_text_name(program), build, now, again);
    hd_log_write(HD_LOG_WARNING, "%s is of another build of %s", hd_text_name(file),
                 hd_text_name(program));
    return true;
}

static const char *parameter(const hd_replay_witness *witness, const char *key) {
    size_t length = strlen(key);
    const char *value = NULL;
    for (size_t i = 0; i < witness->parameters.length; i++)
        if (strncmp(witness->parameters.data[i], key, length) == 0)
            value = witness->parameters.data[i] + length;
    return value;
}

/* A source is compiled as the question explore did. */
bool hd_engine_replay_program(hd_engine_replay *r, hd_error *error) {
    r->argv = HD_NEW_ARRAY(char *, r->arguments.count + 2);
    r->argv[0] = (char *)r->path;
    for (size_t i = 0; i < r->arguments.count; i++)
        r->argv[i + 1] = r->arguments.data[i];
    if (hd_launch_is_source(r->path)) {
        const char *sv_comp = parameter(&r->witness, "sv-comp=");
        r->made =
            hd_launch_make(r->path, sv_comp ? (uint32_t)strtoul(sv_comp, NULL, 10) : 0, error);
        r->argv[0] = r->made;
    }
    return r->argv[0] != NULL;
}

/* More steps than a thread of the witness takes.  Without a limit a run that goes on after the last
 * step, as that of a livelock does, would be as long as runs can be. */
static uint32_t most_steps(const hd_replay_witness *witness) {
    size_t length = witness->schedule.length;
    return length < HD_NATIVE_MOST_STEPS ? (uint32_t)length + 1 : HD_NATIVE_MOST_STEPS;
}

/* The witness says what is shared, so that its steps are the same here; addresses, and so what is
 * shared, are those of one build. */
static bool load_program(hd_engine_replay *r, hd_error *error) {
    const char *build = parameter(&r->witness, "build=");
    if (!hd_engine_replay_program(r, error) ||
        !hd_engine_same_build(r->file, r->path, r->argv[0], build ? build : "", "explore",
                              r->any_build, error))
        return false;
    r->machine = hd_engine_program_start(
        (hd_native_machine_options){.argv = r->argv,
                                    .most_steps = most_steps(&r->witness),
                                    .words = r->witness.parameters.data,
                                    .word_count = r->witness.parameters.length,
                                    .cold = true,
                                    .by_fork = true},
        error);
    for (size_t i = 0; r->machine && i < r->witness.parameters.length; i++)
        if (!hd_native_machine_add_word(r->machine, r->witness.parameters.data[i]))
            return hd_error_set(error, "%s: parameter: not one of a program: '%s'",
                                hd_text_name(r->file), hd_text_name(r->witness.parameters.data[i]));
    return r->machine != NULL;
}

/* ---- The question ---- */

bool hd_engine_replay_load(hd_engine_replay *r, hd_error *error) {
    if (r->machine)
        return true;
    if (!hd_replay_witness_load(&r->witness, r->file, error))
        return false;
    /* Programs have builds. */
    if (r->program != (parameter(&r->witness, "build=") != NULL))
        return hd_error_set(error, "%s is a witness of a %s, which %s is not",
                            hd_text_name(r->file), r->program ? "model" : "program",
                            hd_text_name(r->path));
    if (r->program)
        return load_program(r, error);
    if (!read_parameters(r, error))
        return false;
    r->machine = hd_engine_model_load(r->path, r->defines.data, r->defines.length, error);
    return r->machine != NULL;
}

/* What the run says. */
static void judge(hd_engine_replay *r) {
    const char *why = hd_clock_why();
    hd_verdict_release(&r->verdict);
    hd_verdict_init(&r->verdict, "whether the failure of the witness shows again");
    if (r->end == HD_ENGINE_HALTED)
        hd_verdict_not(&r->verdict, "stopped", "stopped where --to says");
    if (r->end == HD_ENGINE_DIVERGED)
        hd_verdict_not(&r->verdict, "refused", "the run is not that of the witness");
    if (r->end == HD_ENGINE_NOT_SHOWN && why) /* the run may have been cut off by that */
        hd_verdict_not(&r->verdict, hd_clock_look() == HD_CLOCK_LATE ? "limit" : "interrupted",
                       "%s", why);
    hd_verdict_rests(&r->verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "one run, along the schedule of the witness");
    r->verdict.found = r->end == HD_ENGINE_SHOWN;
}

bool hd_engine_replay_bind(hd_engine_replay *r) {
    if (!r->bound)
        r->bound = hd_replay_witness_bind(&r->witness, r->machine, &r->reason);
    return r->bound;
}

void hd_engine_replay_run(hd_engine_replay *r) {
    r->end = HD_ENGINE_DIVERGED;
    if (hd_engine_replay_bind(r) &&
        hd_replay_witness_run(&r->witness, r->machine, r->watch, &r->outcome, &r->reason)) {
        if (r->outcome.stopped && r->outcome.steps < r->witness.schedule.length)
            r->end = HD_ENGINE_HALTED;
        else if (hd_replay_shows(r->machine, &r->outcome, r->witness.claim, &r->reason))
            r->end = HD_ENGINE_SHOWN;
        else
            r->end = HD_ENGINE_NOT_SHOWN;
    }
    judge(r);
}

void hd_engine_replay_release(hd_engine_replay *r) {
    if (r->machine)
        r->machine->type->free(r->machine);
    free(r->argv);
    free(r->made);
    hd_vec_release(&r->defines);
    hd_replay_witness_release(&r->witness);
    hd_verdict_release(&r->verdict);
}
