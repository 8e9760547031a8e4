/*
 * A machine witness out.  The events of the run are the body, so that the file is
 * a trace like any other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay_token.h"

/* Of a schedule line; a longer one holds a single step. */
enum { WIDTH = 76 };

static void write_line(hd_trace_writer *writer, hd_vec_char *line) {
    hd_vec_push(line, '\0');
    hd_trace_writer_comment(writer, "schedule:%s", line->data);
    hd_vec_clear(line);
}

/* Does the token, when it is read, mean the thread that it was written for? */
HD_ASSERT_ONLY static bool reads_back(const hd_replay_tokens *tokens, const hd_machine *machine,
                                      uint32_t thread, const hd_vec_char *token) {
    uint32_t found;
    char *text = hd_mem_string(token->data, token->length);
    bool same = hd_replay_token_legal(text, token->length) &&
                hd_replay_token_find(tokens, machine, text, &found) && found == thread;
    free(text);
    return same;
}

static void write_schedule(hd_trace_writer *writer, const hd_steps *schedule, hd_machine *machine) {
    hd_replay_tokens tokens;
    hd_vec_char line = {0}, step = {0};
    hd_replay_tokens_init(&tokens, machine);
    for (size_t i = 0; i < schedule->length; i++) {
        char choice[16];
        hd_vec_clear(&step);
        hd_replay_token_print(&tokens, machine, schedule->data[i].thread, &step);
        HD_COSTLY_ASSERT(reads_back(&tokens, machine, schedule->data[i].thread, &step));
        int length = snprintf(choice, sizeof choice, ":%u", schedule->data[i].choice);
        assert((size_t)length < sizeof choice);
        if (line.length > 0 && line.length + step.length + (size_t)length > WIDTH)
            write_line(writer, &line);
        hd_vec_push(&line, ' ');
        for (size_t k = 0; k < step.length; k++)
            hd_vec_push(&line, step.data[k]);
        for (int k = 0; k < length; k++)
            hd_vec_push(&line, choice[k]);
    }
    if (line.length > 0 || schedule->length == 0)
        write_line(writer, &line);
    hd_vec_release(&line);
    hd_vec_release(&step);
    hd_replay_tokens_release(&tokens);
}

static void write_head(hd_trace_writer *writer, const hd_replay_witness *witness,
                       hd_machine *machine) {
    hd_trace_writer_comment(writer, "heddle witness 1");
    hd_trace_writer_shown(writer, "question", witness->question);
    hd_trace_writer_comment(writer, "claim: %s", hd_replay_claim_name(witness->claim));
    hd_trace_writer_shown(writer, "verdict", witness->verdict);
    hd_trace_writer_shown(writer, "program", witness->program);
    for (size_t i = 0; i < witness->parameters.length; i++)
        hd_trace_writer_shown(writer, "parameter", witness->parameters.data[i]);
    hd_trace_writer_comment(writer, "threads: %u", machine->threads);
    hd_trace_writer_comment(writer, "steps: %zu", witness->schedule.length);
    write_schedule(writer, &witness->schedule, machine);
}

static int record(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    (void)step;
    machine->type->record(machine, context);
    return 0;
}

bool hd_replay_witness_save(const hd_replay_witness *witness, hd_machine *machine, const char *path,
                            hd_error *error) {
    hd_trace run;
    hd_trace_init(&run);
    hd_replay_watch watch = {.after = record, .context = &run};
    hd_replay_outcome outcome;
    hd_trace_writer *writer = NULL;
    hd_replay_prepare(machine, witness->claim);
    bool good = hd_replay_run(machine, &witness->schedule, &watch, &outcome, error) &&
                (writer = hd_trace_writer_open(path, HD_TRACE_TEXT, error));
    if (good) {
        write_head(writer, witness, machine);
        hd_trace_writer_write(writer, &run.tables, run.events.data, run.events.length);
        good = hd_trace_writer_close(writer, error);
    }
    hd_trace_release(&run);
    return good;
}
