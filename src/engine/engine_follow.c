#include "engine_follow.h"

#include "engine_verdict.h"

bool hd_engine_follow_load(hd_engine_follow *f, hd_error *error) {
    if (f->loaded)
        return true;
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
    hd_verdict_init(verdict, "whether the program fails again along the recording");
    if (f->end == HD_ENGINE_DIVERGED)
        hd_verdict_not(verdict, "refused", "the run is not that of the recording");
    if (f->end == HD_ENGINE_HALTED)
        hd_verdict_not(verdict, "stopped", "stopped where --to says, or where the recording ends");
    if (f->run.stopped)
        hd_verdict_not(verdict, "interrupted", "%s", f->ending.data);
    else if (f->run.timed_out)
        hd_verdict_not(verdict, "limit", "%s", f->ending.data);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "one run, along the events of the recording");
    verdict->found = f->end == HD_ENGINE_SHOWN;
}

bool hd_engine_follow_run(hd_engine_follow *f, hd_error *error) {
    if (!hd_engine_follow_load(f, error))
        return false;
    hd_launch_options how = hd_native_follow_options(&f->followed, f->argv);
    how.aside = f->aside;
    how.silent = how.no_input = f->silent;
    how.timeout = f->timeout;
    if (!hd_launch_run_program(&f->run, &how, error))
        return false;
    hd_recording_describe(&f->run, &f->ending);
    bool fails = !hd_launch_run_succeeded(&f->run) && !f->run.stopped && !f->run.timed_out;
    f->end = f->run.wire->ending == HEDDLE_WIRE_STOPPED ? HD_ENGINE_HALTED
             : fails                                    ? HD_ENGINE_SHOWN
                                                        : HD_ENGINE_NOT_SHOWN;
    if (!hd_native_follow_compare(&f->followed, &f->run, f->sink, f->context, &f->difference,
                                  error))
        return false;
    bool ended = f->run.stopped || f->run.timed_out;
    if (ended && f->difference.event && !f->difference.now[0]) {
        f->missing = f->difference.event; /* that is no divergence */
        f->difference.event = 0;
    }
    if (f->difference.event)
        diverge(f);
    judge(f);
    return true;
}

void hd_engine_follow_release(hd_engine_follow *f) {
    hd_native_followed_release(&f->followed);
    hd_launch_run_release(&f->run);
    hd_vec_release(&f->ending);
    hd_verdict_release(&f->verdict);
}
