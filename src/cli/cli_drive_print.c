/*
 * What heddle race and heddle deadlock found on a program, as text and as JSON.
 */
#include <stdlib.h>

#include "cli_drive.h"
#include "cli_schedule.h"

/* ---- Text ---- */

static void print_number(const char *name, uint64_t value) {
    char number[32];
    printf("  %-16s %s\n", name, hd_text_grouped(number, value));
}

static void print_verdict(const hd_engine_drive *drive) {
    const char *name = hd_text_name(drive->path);
    const char *one = drive->deadlocks ? "deadlock" : "race";
    const char *many = drive->deadlocks ? "deadlocks" : "races";
    if (drive->shown)
        printf("%s: %s\n", name, hd_text_count(drive->shown, one, many));
    else if (!hd_verdict_complete(&drive->verdict))
        printf("%s: no verdict: nothing found%s; not all schedules were looked at\n", name,
               drive->result.found.length ? " but what was left out" : "");
    else
        printf("%s: no %s%s%s\n", name, one,
               drive->result.found.length ? " but what was left out" : "",
               hd_cli_verdict_proviso(&drive->verdict));
}

void hd_cli_drive_print(const hd_engine_drive *drive) {
    const hd_drive_result *result = &drive->result;
    print_verdict(drive);
    hd_cli_verdict_print(&drive->verdict, 16);
    printf("  %-16s %s, the longest of %s\n", "runs",
           hd_text_count((size_t)result->runs, "schedule", "schedules"),
           hd_text_count((size_t)result->events, "event", "events"));
    if (drive->deadlocks)
        print_number("lock cycles", result->cycles);
    else {
        print_number("lockset", result->lockset);
        print_number("happens-before", result->happens);
    }
    printf(
        "  %-16s %s\n", drive->deadlocks ? "deadlocks" : "races",
        drive->deadlocks
            ? hd_text_count(drive->shown, "that hangs, replayed", "that hang, replayed")
            : hd_text_count(drive->shown, "pair of places, replayed", "pairs of places, replayed"));
    if (!drive->deadlocks)
        print_number("refuted", result->refuted.length);
    print_number("unproved", result->unproved.length);
    hd_cli_race_print_filter(&drive->filter);
}

static void print_function(const hd_engine_driven *driven, int i) {
    if (driven->stacks[i] && driven->stacks[i][0])
        fputs(driven->stacks[i], stdout);
    else if (driven->functions[i] && driven->functions[i][0])
        printf("             in %s\n", hd_text_name(driven->functions[i]));
}

static void print_replay(const hd_engine_drive *drive, size_t i) {
    if (!drive->output)
        return;
    char *file = hd_engine_witness_file(drive->output, i);
    char *line = hd_engine_replay_line(drive->path, file, drive->arguments);
    printf("  replay     %s\n", line);
    free(line);
    free(file);
}

static void print_race(const hd_engine_driven *driven) {
    const hd_trace *trace = &driven->trace;
    const uint32_t *events = driven->events.data;
    printf("\nrace on %s\n", hd_text_name(driven->variable));
    hd_order_holds *holds = hd_order_holds_create(trace);
    hd_cli_race_print_event(holds, "first", events[0]);
    print_function(driven, 0);
    hd_cli_race_print_event(holds, "second", events[1]);
    hd_order_holds_free(holds);
    print_function(driven, 1);
    hd_cli_race_print_fix(trace, events[0], events[1]);
}

/* " on k, l": the locks of the ring that are waited for. */
static void print_locks(const hd_engine_drive *drive, const hd_engine_driven *driven) {
    hd_replay_waits waits = {0};
    hd_error error = {""};
    const char *word = " on";
    hd_replay_find_waits(drive->machine, &driven->found->schedule, &waits, &error);
    for (size_t i = 0; i < waits.length; i++) {
        if (waits.data[i].kind != HD_REPLAY_WAITS_LOCK)
            continue;
        printf("%s %s", word,
               hd_text_name(
                   drive->machine->type->location_name(drive->machine, waits.data[i].location)));
        word = ",";
    }
    hd_vec_release(&waits);
}

static void print_deadlock(const hd_engine_drive *drive, const hd_engine_driven *driven) {
    printf("\ndeadlock");
    if (driven->found->ring)
        print_locks(drive, driven);
    putchar('\n');
    hd_cli_waits(drive->machine, &driven->found->schedule, NULL);
    if (driven->found->ring)
        hd_cli_race_print_order_fix();
}

void hd_cli_drive_print_found(const hd_engine_drive *drive, const hd_engine_driven *driven,
                              size_t i) {
    const hd_drive_found *found = driven->found;
    if (drive->deadlocks)
        print_deadlock(drive, driven);
    else
        print_race(driven);
    printf("  found      %s, from the run of seed %llu\n", hd_drive_way_names[found->way],
           (unsigned long long)found->seed);
    hd_cli_schedule schedule = {&driven->trace,
                                driven->schedule.data,
                                driven->schedule.length,
                                driven->events.data,
                                drive->deadlocks ? 0 : 2,
                                true,
                                NULL};
    hd_cli_schedule_print(&schedule);
    print_replay(drive, i);
}

void hd_cli_drive_print_unproved(const hd_engine_drive *drive) {
    for (size_t i = 0; i < drive->result.unproved.length; i++) {
        const hd_drive_warning *warning = &drive->result.unproved.data[i];
        printf("\nunproved, on %s: %s\n", hd_text_name(warning->variable), warning->reason);
        if (warning->places[0])
            printf("  places     %s and %s\n", hd_text_name(warning->places[0]),
                   hd_text_name(warning->places[1]));
    }
}

/* ---- JSON ---- */

static void write_warnings(hd_json *json, const char *key, const hd_drive_warning *warnings,
                           size_t count) {
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "variable", warnings[i].variable);
        if (warnings[i].places[0]) {
            hd_json_text(json, "first_location", warnings[i].places[0]);
            hd_json_text(json, "second_location", warnings[i].places[1]);
        }
        hd_json_text(json, "reason", warnings[i].reason);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_cli_drive_write_result(const hd_engine_drive *drive, hd_json *json) {
    const hd_drive_result *result = &drive->result;
    hd_json_uint(json, drive->deadlocks ? "deadlocks" : "races", drive->shown);
    hd_json_uint(json, "unproved", result->unproved.length);
    hd_json_uint(json, "refuted", result->refuted.length);
    hd_json_uint(json, "suppressed", drive->filter.suppressed);
    hd_json_uint(json, "not_new", drive->filter.not_new);
    hd_json_bool(json, "cut", result->cut);
    hd_json_bool(json, "late", result->late);
    hd_json_bool(json, "whole", result->whole);
    hd_json_uint(json, "seeds", result->runs);
    hd_json_uint(json, "events", result->events);
    hd_json_uint(json, "steps", result->steps);
    if (drive->deadlocks)
        hd_json_uint(json, "cycles", result->cycles);
    else {
        hd_json_uint(json, "lockset", result->lockset);
        hd_json_uint(json, "lockset_plain", result->lockset_plain);
        hd_json_uint(json, "happens_before", result->happens);
        hd_json_uint(json, "warnings", result->warnings);
    }
    hd_json_uint(json, "executions", result->executions);
    hd_json_uint(json, "states", result->states);
    hd_json_open(json, "stages", '{');
    for (int i = 0; i < HD_DRIVE_STAGES; i++)
        hd_json_real(json, hd_drive_stage_names[i], result->seconds[i]);
    hd_json_close(json);
    write_warnings(json, "unproved_pairs", result->unproved.data, result->unproved.length);
    write_warnings(json, "refuted_pairs", result->refuted.data, result->refuted.length);
}

static void write_race(const hd_engine_driven *driven, hd_json *json) {
    hd_json_uint(json, "first", driven->events.data[0]);
    hd_json_uint(json, "second", driven->events.data[1]);
    hd_json_text(json, "variable", driven->variable);
    for (int i = 0; i < 2; i++) {
        const heddle_event *event = hd_trace_event(&driven->trace, driven->events.data[i]);
        hd_json_text(json, i ? "second_location" : "first_location",
                     hd_trace_location(&driven->trace.tables, event));
        hd_json_text(json, i ? "second_thread" : "first_thread",
                     hd_trace_thread_name(&driven->trace.tables, event->thread));
        hd_json_text(json, i ? "second_function" : "first_function", driven->functions[i]);
    }
}

void hd_cli_drive_write_found(const hd_engine_drive *drive, const hd_engine_driven *driven,
                              size_t i, hd_json *json) {
    const hd_drive_found *found = driven->found;
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "rule", drive->deadlocks ? "deadlock" : "race");
    if (drive->deadlocks) {
        hd_json_open(json, "waits", '[');
        hd_cli_waits(drive->machine, &found->schedule, json);
        hd_json_close(json);
    } else
        write_race(driven, json);
    hd_engine_shown shown = hd_engine_driven_shown(drive, driven);
    hd_engine_shown_write(&shown, json);
    hd_json_text(json, "way", hd_drive_way_names[found->way]);
    hd_json_uint(json, "seed", found->seed);
    hd_json_real(json, "seconds", found->seconds);
    hd_json_uint(json, "states", found->states);
    hd_json_open(json, "steps", '[');
    for (size_t k = 0; k < found->schedule.length; k++)
        hd_json_text(
            json, NULL,
            drive->machine->type->thread_name(drive->machine, found->schedule.data[k].thread));
    hd_json_close(json);
    if (drive->output) {
        char *file = hd_engine_witness_file(drive->output, i);
        hd_json_text(json, "witness", file);
        free(file);
    }
    hd_json_close(json);
}
