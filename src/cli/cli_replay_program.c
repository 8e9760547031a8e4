/*
 * heddle replay of a program, closer: under gdb, and with every event.
 */
#include "cli_replay.h"

#include <stdlib.h>
#include <string.h>

typedef HD_VEC(heddle_wire_decision) decisions;

static void fill(hd_native_replay *how, const hd_cli_followed *it, decisions *steps) {
    for (size_t i = 0; i < it->schedule->length; i++)
        hd_vec_push(steps, (heddle_wire_decision){(uint8_t)it->schedule->data[i].thread,
                                                  (uint8_t)it->schedule->data[i].choice});
    *how = (hd_native_replay){.argv = it->argv,
                              .words = it->words,
                              .word_count = it->word_count,
                              .decisions = steps->data,
                              .count = steps->length,
                              .stop_at = (uint32_t)it->to,
                              .aside = true};
}

int hd_cli_replay_gdb(const hd_cli_followed *it, const hd_native_commands *commands) {
    hd_native_replay how;
    decisions steps = {0};
    hd_error error = {""};
    fill(&how, it, &steps);
    if (!how.stop_at && it->claim == HD_REPLAY_RACE)
        how.stop_at = (uint32_t)how.count - 2; /* both are next there */
    hd_native_replay_gdb(&how, commands, &error);
    hd_vec_release(&steps);
    return hd_cli_fail("%s", error.text);
}

/* ---- Every event ---- */

struct hd_cli_printing {
    uint64_t number;
    uint32_t last; /* thread + 1 */
    hd_map values; /* class and object: index + 1 into `known` */
    HD_VEC(int64_t) known;
};

/* The value before, if it is known and another; keeps the one now. */
static bool changes(hd_cli_printing *p, const heddle_event *event, int64_t *before) {
    if (!(event->flags & HEDDLE_HAS_VALUE) || !hd_trace_is_access(event))
        return false;
    bool added;
    uint32_t *place = hd_map_at(&p->values, event->object, &added);
    if (added) {
        hd_vec_push(&p->known, event->value);
        *place = (uint32_t)p->known.length - 1;
        return false;
    }
    int64_t *now = &p->known.data[*place];
    *before = *now;
    *now = event->value;
    return *before != event->value;
}

static void print_event(hd_cli_printing *p, const hd_trace_tables *tables,
                        const heddle_event *event) {
    char line[512], note[64] = "";
    int64_t before;
    heddle_event bare = *event;
    bare.location = 0;
    hd_trace_print(line, sizeof line, tables, &bare);
    char *what = strchr(line, '|');
    if (what)
        *what++ = '\0';
    size_t length = what ? strcspn(what, "|") : 0;
    if (changes(p, event, &before))
        snprintf(note, sizeof note, "  was %lld", (long long)before);
    bool switched = p->last && p->last != event->thread + 1;
    p->last = event->thread + 1;
    char text[600];
    snprintf(text, sizeof text, "%.*s%s", (int)length, what ? what : "", note);
    printf("   %c %5llu  %-8s  %-40s  %s\n", switched ? '>' : ' ', (unsigned long long)++p->number,
           line, text, hd_names_text(&tables->names[HEDDLE_CLASS_LOCATION], event->location));
}

hd_cli_printing *hd_cli_printing_create(void) {
    printf("     event  thread    what                                      where\n");
    return HD_NEW(hd_cli_printing);
}

void hd_cli_printing_free(hd_cli_printing *printing) {
    if (!printing)
        return;
    hd_map_release(&printing->values);
    hd_vec_release(&printing->known);
    free(printing);
}

bool hd_cli_printing_take(void *to, const hd_trace_tables *tables, const heddle_event *events,
                          size_t count) {
    for (size_t i = 0; i < count; i++)
        print_event(to, tables, &events[i]);
    return true;
}

int hd_cli_replay_events(const hd_cli_followed *it) {
    hd_native_replay how;
    decisions steps = {0};
    hd_error error = {""};
    hd_launch_run run;
    fill(&how, it, &steps);
    bool good = hd_native_replay_record(&how, &run, &error);
    hd_vec_release(&steps);
    if (!good)
        return hd_cli_fail("%s", error.text);
    hd_trace_tables tables;
    hd_recording_summary summary = {0};
    hd_trace_tables_init(&tables);
    hd_cli_printing *printing = hd_cli_printing_create();
    good =
        hd_recording_events(&run, &tables, NULL, hd_cli_printing_take, printing, &summary, &error);
    if (good && it->output)
        good = hd_recording_save(&run, it->output, hd_trace_format_of(it->output),
                                 &(hd_recording_summary){0}, &error);
    hd_engine_note_incomplete(it->argv[0], summary.incomplete, summary.lost);
    hd_trace_tables_release(&tables);
    hd_cli_printing_free(printing);
    hd_launch_run_release(&run);
    return good ? HD_CLI_OK : hd_cli_fail("%s", error.text);
}
