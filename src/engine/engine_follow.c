#include "engine_follow.h"

#include <stdlib.h>

#include "engine_verdict.h"
#include "engine_world.h"

bool hd_engine_follow_load(hd_engine_follow *f, hd_error *error) {
    if (f->loaded)
        return true;
    f->of_witness = hd_engine_is_trace_witness(f->file);
    if (f->of_witness) {
        f->loaded = hd_engine_follow_load_witness(f, error);
        return f->loaded;
    }
    if (!hd_native_follow_load(&f->followed, f->file, f->to, error))
        return false;
    f->loaded = true;
    if (f->followed.guessed)
        hd_log_write(HD_LOG_WARNING, "%s: order partly guessed: the run may become another",
                     hd_text_name(f->file));
    hd_engine_note_incomplete(f->file, f->followed.incomplete, 0);
    return hd_engine_same_build(f->file, f->path, f->argv[0], f->followed.build, "record",
                                f->any_build, error);
}

/* Where the run is another one. */
static void diverge(hd_engine_follow *f) {
    const hd_native_difference *d = &f->difference;
    const char *guess =
        d->guessed ? "; the order of this one was guessed when it was recorded" : "";
    if (d->now[0])
        hd_error_set(&f->reason, "event %llu is %s, and it did %s%s", (unsigned long long)d->event,
                     d->recorded, d->now, guess);
    else
        hd_error_set(&f->reason, "event %llu, %s, did not come: %s%s", (unsigned long long)d->event,
                     d->recorded,
                     f->run.wire->ending == HEDDLE_WIRE_DIVERGED ? f->run.wire->message
                                                                 : f->ending.data,
                     guess);
    f->end = HD_ENGINE_DIVERGED;
}

static void judge(hd_engine_follow *f) {
    hd_verdict *verdict = &f->verdict;
    const char *what = f->of_witness ? "witness" : "recording";
    hd_verdict_init(verdict, f->of_witness ? "whether the program does what the witness claims"
                                           : "whether the program fails again along the recording");
    if (f->end == HD_ENGINE_DIVERGED)
        hd_verdict_not(verdict, "refused", "the run is not that of the %s", what);
    if (f->end == HD_ENGINE_HALTED)
        hd_verdict_not(verdict, "stopped", "stopped where --to says, or where the %s ends", what);
    if (f->run.stopped)
        hd_verdict_not(verdict, "interrupted", "%s", f->ending.data);
    else if (f->run.timed_out)
        hd_verdict_not(verdict, "limit", "%s", f->ending.data);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "one run, along the events of the %s", what);
    verdict->found = f->end == HD_ENGINE_SHOWN;
}

/* How a run along a witness ended, if it did not diverge: what is claimed is there once all events
 * came, but a deadlock must be where the program ends. */
static enum hd_engine_replay_end claim_shown(const hd_engine_follow *f) {
    bool deadlock =
        f->witness.claim.kind == HD_WITNESS_DEADLOCK || f->witness.claim.kind == HD_WITNESS_END;
    if (f->followed.events < f->reordered.events.length)
        return HD_ENGINE_HALTED;
    return !deadlock || f->run.wire->ending == HEDDLE_WIRE_DEADLOCK ? HD_ENGINE_SHOWN
                                                                    : HD_ENGINE_NOT_SHOWN;
}

/* Two accesses race if both are next.  The one that comes last may fail as it is done, such as a
 * read of what the other one freed; then its event does not come. */
static bool last_access_fails(const hd_engine_follow *f) {
    const hd_witness_claim *claim = &f->witness.claim;
    uint32_t ending = f->run.wire->ending;
    return f->of_witness && claim->kind == HD_WITNESS_RACE && !f->difference.now[0] &&
           f->difference.event == (claim->first > claim->second ? claim->first : claim->second) &&
           ending == HEDDLE_WIRE_ABORTED && !hd_launch_run_succeeded(&f->run);
}

/* NULL: there is no such file. */
static const char *name_world(const hd_engine_follow *f, hd_vec_char *name) {
    hd_engine_world_name(f->of_witness ? f->recording : f->file, name);
    return hd_engine_world_is_there(name->data) ? name->data : NULL;
}

bool hd_engine_follow_gdb(const hd_engine_follow *f, const hd_native_commands *commands,
                          hd_error *error) {
    hd_vec_char name = {0};
    hd_native_follow_gdb(&f->followed, f->argv, name_world(f, &name), commands, error);
    hd_vec_release(&name);
    return false;
}

bool hd_engine_follow_run(hd_engine_follow *f, hd_error *error) {
    if (!hd_engine_follow_load(f, error))
        return false;
    hd_launch_options how = hd_native_follow_options(&f->followed, f->argv);
    how.aside = f->aside;
    how.silent = how.no_input = f->silent;
    how.timeout = f->timeout;
    hd_vec_char world = {0};
    how.world = name_world(f, &world);
    how.plays = true;
    bool started = hd_launch_run_program(&f->run, &how, error);
    hd_vec_release(&world);
    if (!started)
        return false;
    hd_recording_describe(&f->run, &f->ending);
    bool fails = !hd_launch_run_succeeded(&f->run) && !f->run.stopped && !f->run.timed_out;
    f->end = f->run.wire->ending == HEDDLE_WIRE_STOPPED ? HD_ENGINE_HALTED
             : fails                                    ? HD_ENGINE_SHOWN
                                                        : HD_ENGINE_NOT_SHOWN;
    if (f->of_witness && !f->run.stopped && !f->run.timed_out)
        f->end = claim_shown(f);
    if (!hd_native_follow_compare(&f->followed, &f->run, f->sink, f->context, &f->difference,
                                  error))
        return false;
    bool ended = f->run.stopped || f->run.timed_out;
    if (ended && f->difference.event && !f->difference.now[0]) {
        f->missing = f->difference.event; /* that is no divergence */
        f->difference.event = 0;
    }
    if (f->difference.event && last_access_fails(f)) {
        f->difference.event = 0;
        f->end = HD_ENGINE_SHOWN;
    }
    if (f->difference.event)
        diverge(f);
    judge(f);
    return true;
}

void hd_engine_follow_release(hd_engine_follow *f) {
    hd_native_followed_release(&f->followed);
    hd_vec_release(&f->reordered.events);
    hd_vec_release(&f->reordered.numbers);
    hd_vec_release(&f->claim);
    if (f->recording)
        hd_witness_release(&f->witness);
    if (f->has_trace)
        hd_trace_release(&f->trace);
    free(f->recording);
    hd_launch_run_release(&f->run);
    hd_vec_release(&f->ending);
    hd_verdict_release(&f->verdict);
}
