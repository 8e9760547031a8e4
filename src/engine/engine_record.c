/*
 * The question record: how some runs of a program end, and their traces.
 */
#include "engine_record.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_verdict.h"
#include "engine_world.h"

/* "bank.htr" and 3: "bank.3.htr". */
static const char *numbered(const char *path, uint64_t number) {
    static char name[4200];
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash))
        dot = path + strlen(path);
    snprintf(name, sizeof name, "%.*s.%llu%s", (int)(dot - path), path, (unsigned long long)number,
             dot);
    return name;
}

/* What is doubtful in the run, each sentence once for all runs. */
static void add_notes(hd_engine_recording *r, const hd_trace_end *end) {
    for (size_t i = 0; i < end->notes.length; i++) {
        const hd_note *note = &end->notes.data[i];
        size_t before = r->verdict.notes.length;
        hd_verdict_note(&r->verdict, note->code, "%s", note->text);
        if (r->verdict.notes.length > before)
            hd_log_write(HD_LOG_WARNING, "%s: %s [%s]", hd_text_name(r->how.argv[0]), note->text,
                         note->code);
    }
}

static void print_notes(const hd_launch_run *run, const hd_recording_summary *summary,
                        const char *program, const char *output, const char *ending) {
    if (run->stopped)
        hd_log_write(HD_LOG_WARNING, "record: %s; %s kept", ending,
                     hd_text_count((size_t)summary->events, "event", "events"));
    else if (!hd_launch_run_succeeded(run) || run->wire->ending == HEDDLE_WIRE_EXEC)
        hd_log_write(HD_LOG_WARNING, "%s: %s", hd_text_name(program), ending);
    hd_log_sink *sink;
    hd_log_diverted(&sink);
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK && hd_log_get_level() > HD_LOG_ERROR && !sink) {
        hd_vec_char text = {0};
        hd_native_waiting(run, &text);
        fputs(text.data, stderr);
        hd_vec_release(&text);
    }
    if (summary->nothing) {
        hd_log_write(HD_LOG_WARNING, "%s: it did nothing that is recorded: no trace is written",
                     hd_text_name(program));
        return;
    }
    hd_log_write(HD_LOG_NOTE, "%s: %llu events, %u threads, %llu switches", hd_text_name(output),
                 (unsigned long long)summary->events, summary->threads,
                 (unsigned long long)run->wire->switches);
    hd_engine_note_incomplete(output, summary->incomplete, summary->lost);
}

/* What the program printed, from its file; the beginning, to be freed. */
static char *take_printed(const hd_engine_recording *r, uint64_t *bytes) {
    char part[4096]; /* as much as heddle explore keeps */
    off_t size = r->how.captured ? lseek(r->how.captured, 0, SEEK_END) : -1;
    if (size < 0)
        return NULL;
    ssize_t length = pread(r->how.captured, part, sizeof part, 0);
    *bytes = (uint64_t)size;
    return hd_mem_string(part, length > 0 ? (size_t)length : 0);
}

/* Did the program end as one does that is asked to end?  A crash, even then, is one. */
static bool ended_by_it(const hd_launch_run *run) {
    int by = WIFSIGNALED(run->status) ? WTERMSIG(run->status) : run->stopped;
    return by == run->stopped || by == SIGKILL;
}

static enum hd_engine_end end_of(const hd_launch_run *run) {
    if (run->timed_out || (run->stopped && ended_by_it(run)))
        return HD_ENGINE_ENDED_LATE;
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        return HD_ENGINE_ENDED_STUCK;
    if (WIFSIGNALED(run->status))
        return HD_ENGINE_ENDED_KILLED;
    return WEXITSTATUS(run->status) ? HD_ENGINE_ENDED_FAILED : HD_ENGINE_ENDED_WELL;
}

/* Says what became of a run, and remembers it. */
static void keep(hd_engine_recording *r, const hd_launch_run *run,
                 const hd_recording_summary *summary, const char *output) {
    hd_vec_char ending = {0}, place = {0};
    hd_recording_describe(run, &ending);
    hd_recording_failed_place(run, &place);
    if (!hd_launch_run_succeeded(run)) {
        r->failed++;
        r->found += !run->timed_out && !(run->stopped && ended_by_it(run));
    }
    print_notes(run, summary, r->how.argv[0], output, ending.data);
    uint64_t bytes = 0;
    char *printed = take_printed(r, &bytes);
    hd_vec_push(
        &r->kept,
        (hd_engine_run){.seed = r->how.seed,
                        .printed = printed,
                        .bytes = bytes,
                        .switches = run->wire->switches,
                        .summary = *summary,
                        .status = run->status,
                        .output = summary->nothing ? NULL : hd_mem_string(output, strlen(output)),
                        .ending = ending.data,
                        .place = place.data,
                        .end = end_of(run),
                        .rule = hd_launch_run_rule(run)});
    r->enough = r->each && r->each(r->context, hd_vec_last(&r->kept)) != 0;
}

static bool save_schedule(const char *path, const hd_launch_run *run, hd_error *error) {
    if (!path)
        return true;
    hd_launch_schedule schedule;
    hd_launch_schedule_of(&schedule, run);
    bool good = hd_launch_schedule_save(&schedule, path, error);
    hd_launch_schedule_release(&schedule);
    return good;
}

/* With what came from outside, if that is asked for; it is a file beside the trace. */
static bool run_program(hd_engine_recording *r, hd_launch_run *run, hd_error *error) {
    hd_vec_char world = {0};
    bool good = true;
    if (r->outside) {
        hd_engine_world_name(r->output, &world);
        r->how.world = world.data;
        good = hd_engine_world_begin(world.data, error);
    }
    good = good && hd_launch_run_program(run, &r->how, error);
    if (good && r->outside)
        hd_engine_world_end(world.data, run);
    r->how.world = NULL;
    hd_vec_release(&world);
    return good;
}

/* A run that was killed is saved event by event, which takes a second for some ten million: whoever
 * asked for the end is told what is still done. */
static void note_writing(const hd_engine_recording *r, const hd_launch_run *run) {
    enum { MANY = 2000000 };
    hd_launch_piece piece;
    size_t events = 0;
    for (uint64_t i = 0; hd_launch_chunk(run, i, &piece); i++)
        events += (size_t)(piece.records - piece.silent);
    if (hd_recording_packed(run) || events <= MANY)
        return;
    if (run->stopped)
        hd_log_write(HD_LOG_WARNING,
                     "record: ended by %s; writes about %s; another signal ends it at once, and "
                     "nothing is kept",
                     hd_stop_name(run->stopped), hd_text_count(events, "event", "events"));
    else if (run->timed_out && r->how.timeout)
        hd_log_write(
            HD_LOG_WARNING,
            "record: ended by --timeout; writes about %s; after a signal only the first of "
            "them, and another one ends it at once, and nothing is kept",
            hd_text_count(events, "event", "events"));
}

/* Saves what the run did.  One that failed before it did anything that is recorded has no trace;
 * how it ended is an answer all the same. */
static bool save(const hd_engine_recording *r, const hd_launch_run *run, const char *output,
                 hd_recording_summary *summary, hd_error *error) {
    hd_error wrong = {""};
    bool ended = !run->timed_out && !run->stopped && run->wire->ending != HEDDLE_WIRE_EXEC;
    if (!hd_recording_save(run, output, r->format, summary, &wrong)) {
        bool fails = summary->nothing && ended && !hd_launch_run_succeeded(run);
        summary->nothing = fails;
        return fails || hd_error_set(error, "%s", wrong.text);
    }
    return save_schedule(r->save_schedule, run, error);
}

static bool record_one(hd_engine_recording *r, hd_error *error) {
    hd_launch_run run;
    hd_trace_end end = {0};
    hd_recording_summary summary = {.classify = r->runs > 1, .end = &end};
    if (r->how.captured &&
        (ftruncate(r->how.captured, 0) != 0 || lseek(r->how.captured, 0, SEEK_SET) != 0))
        return hd_error_set(error, "cannot keep the output: %s", strerror(errno));
    hd_clock clock = {.until = r->seconds > 0 ? hd_progress_clock() + r->seconds : 0};
    hd_clock_begin(&clock);
    if (!run_program(r, &run, error)) {
        hd_clock_end(&clock);
        return false;
    }
    r->timed_out += run.timed_out;
    r->asked |= run.wire->asked;
    r->replaced += run.wire->ending == HEDDLE_WIRE_EXEC;
    const char *output = r->runs > 1 ? numbered(r->output, r->kept.length + 1) : r->output;
    summary.uncounted = r->uncounted && !run.stopped && hd_log_get_level() < HD_LOG_NOTE;
    note_writing(r, &run);
    bool good = save(r, &run, output, &summary, error);
    hd_clock_end(&clock);
    summary.end = NULL;
    if (good) {
        bool added = true;
        add_notes(r, &end);
        hd_engine_verdict_doubts(&r->verdict, &end, HD_VERDICT_FIRM);
        if (r->runs > 1)
            hd_map_at(&r->classes, summary.class, &added);
        if (added)
            keep(r, &run, &summary, output);
        else if (!summary.nothing)
            unlink(output);
    }
    hd_trace_end_release(&end);
    hd_launch_run_release(&run);
    return good;
}

/* Of these runs, not of others. */
static void judge(hd_engine_recording *r) {
    hd_verdict *verdict = &r->verdict;
    if (r->timed_out) /* by --timeout the program is asked whether it hangs */
        hd_verdict_not(verdict, r->how.timeout ? "hang" : "limit", "%s ended by a limit on time",
                       hd_text_count((size_t)r->timed_out, "run was", "runs were"));
    if (r->replaced)
        hd_verdict_not(verdict, "damaged", "%s another program (exec), which is not recorded",
                       hd_text_count((size_t)r->replaced, "run became", "runs became"));
    if (hd_stop_asked())
        hd_verdict_not(verdict, "interrupted", "ended by %s", hd_stop_name(hd_stop_asked()));
    else if (r->late && hd_clock_look() == HD_CLOCK_STOPPED)
        hd_verdict_not(verdict, "interrupted", "interrupted before all were run");
    else if (r->late)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time before all were run");
    for (size_t i = 0; i < r->kept.length; i++)
        if (r->kept.data[i].summary.incomplete)
            hd_verdict_not(verdict, "damaged", "%s is incomplete", r->kept.data[i].output);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "%s: what other schedules do is not asked",
                     r->runs == 1 ? "one run" : "these runs");
    hd_engine_verdict_inputs(verdict, r->arguments, !r->how.no_input);
    bool drawn = r->asked & (HEDDLE_WIRE_ASKED_SOME | HEDDLE_WIRE_ASKED_ALL |
                             HEDDLE_WIRE_ASKED_SAMPLED | HEDDLE_WIRE_ASKED_FIRST);
    bool fixed = r->asked & HEDDLE_WIRE_ASKED_FIXED;
    if (drawn || fixed)
        hd_verdict_rests(verdict, "inputs", "asked", HD_VERDICT_FIRM,
                         "inputs that the program asks for: %s%s%s", fixed ? "as given" : "",
                         drawn && fixed ? ", those of heddle_choose " : "",
                         drawn ? "drawn from the seed of the run" : "");
    verdict->found = r->found > 0;
}

void hd_engine_record_init(hd_engine_recording *r) {
    *r = (hd_engine_recording){
        .how = {.seed = 1, .patience = 10, .limit = (uint64_t)4096 << 20, .calls = true},
        .format = HD_TRACE_BINARY,
        .runs = 1};
}

bool hd_engine_record_capture(hd_engine_recording *r, hd_error *error) {
    r->how.aside = false;
    r->how.silent = true;
    r->how.captured = memfd_create("output", MFD_CLOEXEC);
    return r->how.captured > 0 ||
           hd_error_set(error, "cannot keep the output: %s", strerror(errno));
}

bool hd_engine_record_run(hd_engine_recording *r, hd_error *error) {
    enum { PATIENCE = 2 };
    hd_verdict_init(&r->verdict, r->runs == 1 ? "how one run ends" : "how some runs end");
    for (uint64_t i = 0; i < r->runs; i++, r->how.seed++) {
        if (i && (r->enough || hd_clock_look() != HD_CLOCK_GOES)) {
            r->late = !r->enough;
            r->runs = i;
            break;
        }
        if (!record_one(r, error))
            return false;
        if (r->timed_out == PATIENCE && i + 1 < r->runs) {
            hd_log_write(HD_LOG_WARNING,
                         "%s: %d runs were ended by a limit on time; no more are tried",
                         hd_text_name(r->how.argv[0]), PATIENCE);
            r->runs = i + 1;
        }
    }
    if (r->runs > 1)
        hd_log_write(HD_LOG_NOTE, "%llu runs, %zu of them different, %llu of these failed",
                     (unsigned long long)r->runs, r->kept.length, (unsigned long long)r->failed);
    judge(r);
    return true;
}

void hd_engine_record_release(hd_engine_recording *r) {
    for (size_t i = 0; i < r->kept.length; i++) {
        free(r->kept.data[i].output);
        free(r->kept.data[i].ending);
        free(r->kept.data[i].place);
        free(r->kept.data[i].printed);
    }
    hd_vec_release(&r->kept);
    hd_map_release(&r->classes);
    hd_verdict_release(&r->verdict);
    if (r->how.captured > 0)
        close(r->how.captured);
}
