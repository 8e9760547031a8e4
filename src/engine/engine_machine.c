/*
 * What is a program and what a model, and what the two are asked alike.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_machine.h"

/* The first bytes of a regular file; how many there are. */
static size_t first_bytes(const char *path, char *to, size_t size) {
    int file = hd_file_peek(path);
    size_t length = 0;
    ssize_t got = 1;
    while (file >= 0 && length < size && got > 0) {
        do
            got = read(file, to + length, size - length);
        while (got < 0 && errno == EINTR);
        length += got > 0 ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    return length;
}

bool hd_engine_is_recording(const char *path) {
    static const char magic[] = {'\x89', 'H', 'T', 'R'};
    char first[sizeof magic];
    return first_bytes(path, first, sizeof first) == sizeof first &&
           memcmp(first, magic, sizeof magic) == 0;
}

bool hd_engine_is_trace(const char *path) {
    static const char comment[] = "# heddle";
    char first[sizeof comment - 1];
    return hd_engine_is_recording(path) ||
           (first_bytes(path, first, sizeof first) == sizeof first &&
            memcmp(first, comment, sizeof first) == 0);
}

/* Only a path with a slash, or a file that is here: a model is never looked for in PATH. */
bool hd_engine_is_program(const char *path) {
    char magic[SELFMAG] = "";
    if (hd_launch_is_source(path))
        return true;
    size_t length = first_bytes(path, magic, sizeof magic);
    return (length == sizeof magic && memcmp(magic, ELFMAG, SELFMAG) == 0) ||
           (length > 1 && magic[0] == '#' && magic[1] == '!'); /* it may run one */
}

hd_machine *hd_engine_model_load(const char *path, const hd_model_define *defines, size_t count,
                                 hd_error *error) {
    hd_model_error wrong = {0};
    if (hd_engine_is_trace(path)) {
        hd_error_set(error, "%s: a trace or a witness; what is wanted here is a model or a program",
                     hd_text_name(path));
        return NULL;
    }
    hd_machine *machine = hd_model_load(path, defines, count, &wrong);
    if (machine && machine->threads)
        return machine;
    if (machine) {
        hd_error_set(error, "%s: a model without a thread", hd_text_name(path));
        machine->type->free(machine);
        return NULL;
    }
    hd_vec_char text = {0};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : hd_text_name(path);
    hd_model_error_format(&wrong, name, &text);
    /* The line of the model below the message is part of it: not made one line as others are. */
    snprintf(error->text, sizeof error->text, "%.*s", (int)text.length, text.data);
    hd_vec_release(&text);
    return NULL;
}

bool hd_engine_program_suppressions(const hd_machine *machine, hd_finding_filter *filter,
                                    hd_error *error) {
    const char *text = hd_native_machine_suppressions(machine);
    return !text ||
           hd_finding_suppressions_take(filter, "__tsan_default_suppressions", text, error);
}

hd_machine *hd_engine_program_start(hd_native_machine_options how, hd_error *error) {
    const char *slow = getenv("HEDDLE_PATIENCE");
    if (slow && !(how.patience > 0))
        how.patience = strtod(slow, NULL);
    /* A name without a slash is a file here; exec would look for it elsewhere. */
    char *here = NULL;
    if (!strchr(how.argv[0], '/'))
        how.argv[0] = asprintf(&here, "./%s", how.argv[0]) < 0
                          ? hd_mem_made(NULL)
                          : here; /* stays as long as the command */
    return hd_native_machine_create(&how, error);
}

bool hd_engine_witness_save(hd_replay_witness *witness, hd_machine *machine, const char *file,
                            hd_error *error) {
    hd_launch_words words = {0};
    if (hd_native_is_machine(machine))
        hd_native_machine_words(machine, &words);
    for (size_t i = 0; i < words.length; i++)
        hd_vec_push(&witness->parameters, words.data[i]);
    bool good = hd_replay_witness_save(witness, machine, file, error);
    hd_vec_release(&witness->parameters);
    for (size_t i = 0; i < words.length; i++)
        free(words.data[i]);
    hd_vec_release(&words);
    return good;
}

uint32_t hd_engine_line(hd_machine *machine, uint32_t position) {
    if (!hd_native_is_machine(machine))
        return hd_model_line(machine, position);
    hd_vec_char text = {0};
    hd_native_place(machine, position, &text);
    const char *colon = strrchr(text.data, ':');
    uint32_t line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    hd_vec_release(&text);
    return line;
}

const char *hd_engine_failed_rule(const hd_machine *machine) {
    return hd_native_is_machine(machine) ? hd_native_failed_rule(machine)
                                         : hd_model_failed_rule(machine);
}

uint32_t hd_engine_failed_position(const hd_machine *machine) {
    return hd_native_is_machine(machine) ? hd_native_failed_position(machine)
                                         : hd_model_failed_position(machine);
}

uint32_t hd_engine_failed_line(const hd_machine *machine) {
    return hd_native_is_machine(machine) ? hd_native_failed_line(machine) : 0;
}

/* The first ones. */
static void put_marks(const hd_native_outcome *outcome, hd_vec_char *to) {
    enum { MOST = 8 };
    char shown[256];
    size_t count = 0;
    for (size_t at = 0; at < outcome->marked;) {
        size_t line = strcspn(outcome->marks + at, "\n");
        hd_text_printable(shown, sizeof shown, outcome->marks + at, line);
        if (count++ < MOST)
            hd_text_append(to, "%s%s", at ? "; " : ", marks: ", shown);
        at += line + 1;
    }
    if (count > MOST)
        hd_text_append(to, " and %zu more", count - MOST);
}

void hd_engine_outcome_text(const hd_native_outcome *outcome, hd_vec_char *to) {
    char shown[256], text[400];
    int length = WIFSIGNALED(outcome->status)
                     ? snprintf(text, sizeof text, "signal %d", WTERMSIG(outcome->status))
                     : snprintf(text, sizeof text, "exit status %d", WEXITSTATUS(outcome->status));
    if (outcome->wrote) {
        hd_text_printable(shown, sizeof shown, outcome->output, outcome->shown);
        length += snprintf(text + length, sizeof text - (size_t)length, ", output \"%s\"%s", shown,
                           outcome->wrote > outcome->shown ? " and more" : "");
    }
    for (int i = 0; i <= length; i++)
        hd_vec_push(to, text[i]);
    to->length--; /* but the NUL stays after it */
    put_marks(outcome, to);
}

void hd_engine_statement(hd_machine *machine, uint32_t thread, hd_vec_char *text) {
    hd_vec_clear(text);
    machine->type->describe(machine, thread, text);
    size_t name = strlen(machine->type->thread_name(machine, thread)) + strlen(": ");
    if (name < text->length) {
        memmove(text->data, text->data + name, text->length - name);
        text->length -= name;
    }
}

/* ---- Failures ---- */

/* As the model names its file in its own messages. */
char *hd_engine_place(hd_machine *machine, const char *path, uint32_t position) {
    char *place = NULL;
    if (hd_native_is_machine(machine)) {
        hd_vec_char text = {0};
        hd_native_place(machine, position, &text);
        return text.data;
    }
    if (asprintf(&place, "%s:%u", strcmp(path, "-") == 0 ? "stdin" : path,
                 hd_model_line(machine, position)) < 0)
        place = hd_mem_string(path, strlen(path));
    return place;
}

void hd_engine_failure(hd_machine *machine, const char *path, char **location, char **message) {
    hd_vec_char text = {0};
    if (hd_native_is_machine(machine)) {
        hd_native_failed_place(machine, &text);
        *location = text.data;
        text = (hd_vec_char){0};
    } else
        *location = hd_engine_place(machine, path, hd_model_failed_position(machine));
    machine->type->failure(machine, &text);
    size_t skipped = strlen(*location) + strlen(": ");
    if (text.length < skipped || memcmp(text.data, *location, strlen(*location)) != 0)
        skipped = 0;
    *message = hd_mem_string(text.data + skipped, text.length - skipped);
    hd_vec_release(&text);
}
