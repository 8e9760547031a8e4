/*
 * What is a program and what a model, and what the two are asked alike.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_model.h"

/* The first bytes of a file; how many there are. */
static size_t first_bytes(const char *path, char *to, size_t size) {
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "re");
    size_t length = file ? fread(to, 1, size, file) : 0;
    if (file)
        fclose(file);
    return length;
}

bool hd_cli_is_recording(const char *path) {
    static const char magic[] = {'\x89', 'H', 'T', 'R'};
    char first[sizeof magic];
    return first_bytes(path, first, sizeof first) == sizeof first &&
           memcmp(first, magic, sizeof magic) == 0;
}

bool hd_cli_is_trace(const char *path) {
    static const char comment[] = "# heddle";
    char first[sizeof comment - 1];
    return hd_cli_is_recording(path) || (first_bytes(path, first, sizeof first) == sizeof first &&
                                         memcmp(first, comment, sizeof first) == 0);
}

/* Only a path with a slash, or a file that is here: a model is never looked for in PATH. */
bool hd_cli_is_program(const char *path) {
    char magic[SELFMAG] = "";
    if (hd_launch_is_source(path))
        return true;
    size_t length = first_bytes(path, magic, sizeof magic);
    return (length == sizeof magic && memcmp(magic, ELFMAG, SELFMAG) == 0) ||
           (length > 1 && magic[0] == '#' && magic[1] == '!'); /* it may run one */
}

hd_machine *hd_cli_program_start(hd_native_machine_options how) {
    hd_error error = {""};
    const char *slow = getenv("HEDDLE_PATIENCE");
    if (slow && !(how.patience > 0))
        how.patience = strtod(slow, NULL);
    /* A name without a slash is a file here; exec would look for it elsewhere. */
    char *here = NULL;
    if (!strchr(how.argv[0], '/') && asprintf(&here, "./%s", how.argv[0]) >= 0)
        how.argv[0] = here; /* stays as long as the command */
    hd_machine *machine = hd_native_machine_create(&how, &error);
    if (!machine)
        hd_cli_fail("%s", error.text);
    return machine;
}

bool hd_cli_witness_save(hd_replay_witness *witness, hd_machine *machine, const char *file,
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

uint32_t hd_cli_line(hd_machine *machine, uint32_t position) {
    if (!hd_native_is_machine(machine))
        return hd_model_line(machine, position);
    hd_vec_char text = {0};
    hd_native_place(machine, position, &text);
    const char *colon = strrchr(text.data, ':');
    uint32_t line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    hd_vec_release(&text);
    return line;
}

const char *hd_cli_failed_rule(const hd_machine *machine) {
    return hd_native_is_machine(machine) ? hd_native_failed_rule(machine)
                                         : hd_model_failed_rule(machine);
}

uint32_t hd_cli_failed_position(const hd_machine *machine) {
    return hd_native_is_machine(machine) ? hd_native_failed_position(machine)
                                         : hd_model_failed_position(machine);
}

void hd_cli_outcome_text(const hd_native_outcome *outcome, hd_vec_char *to) {
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
    to->length--; /* but the NUL stays behind it */
}
