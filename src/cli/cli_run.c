#include "cli_run.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli_verdict.h"
#include "launch/launch.h"
#include "report/report.h"

enum { FIRST_LONG = 1000 };

const hd_cli_option *hd_cli_options(const hd_cli_command *command) {
    return command->make_options ? command->make_options() : command->options;
}

int hd_cli_row(const hd_cli_command *command, const char *name) {
    const hd_cli_option *options = hd_cli_options(command);
    int row = 0;
    while (strcmp(options[row].name, name) != 0)
        row++;
    return row;
}

static int option_count(const hd_cli_command *command) {
    const hd_cli_option *options = hd_cli_options(command);
    int count = 0;
    while (options[count].name)
        count++;
    assert(count < HD_CLI_MAX_OPTIONS);
    return count;
}

void hd_cli_command_help(FILE *to, const hd_cli_command *command) {
    fprintf(to, "Usage: heddle %s [OPTION]... %s\n%s.\n", command->name, command->operands,
            command->summary);
    if (*command->details)
        fprintf(to, "\n%s\n", command->details);
    fputs("\nOptions:\n", to);
    for (const hd_cli_option *option = hd_cli_options(command); option->name; option++) {
        char left[64];
        const char *argument = option->argument ? option->argument : "";
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", option->letter ? "-" : " ",
                 option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
                 *argument && *argument != '[' ? "=" : "", argument);
        fprintf(to, "  %-26s %s\n", left, option->help);
    }
    fprintf(to, "  %-26s %s\n", "-h, --help", "this text");
    if (command->more_help)
        command->more_help(to);
}

int hd_cli_fail(const char *format, ...) {
    hd_progress_hide();
    va_list arguments;
    va_start(arguments, format);
    fputs("heddle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return HD_CLI_BAD;
}

bool hd_cli_list_is_cut(hd_cli_answer *answer, const char *path, uint64_t listed, bool whole) {
    enum hd_clock_state state = hd_clock_look();
    if (whole || state == HD_CLOCK_GOES)
        return false;
    char text[128];
    if (hd_stop_asked())
        snprintf(text, sizeof text, "ended by %s", hd_stop_name(hd_stop_asked()));
    else
        snprintf(text, sizeof text, "%s",
                 state == HD_CLOCK_LATE ? "stopped by the limit on time" : "interrupted");
    hd_cli_fail("%s: not all findings are listed, only %llu: %s", hd_text_name(path),
                (unsigned long long)listed, text);
    if (answer)
        hd_report_answer_list(&answer->json, listed,
                              state == HD_CLOCK_LATE ? "limit" : "interrupted", text);
    return true;
}

int hd_cli_usage(const hd_cli_arguments *arguments, const char *format, ...) {
    const char *name = arguments->command->name;
    fprintf(stderr, "heddle %s: ", name);
    va_list rest;
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    fprintf(stderr, "; see 'heddle %s --help'\n", name);
    return HD_CLI_BAD;
}

bool hd_cli_number(const hd_cli_arguments *arguments, int row, uint64_t initial, uint64_t low,
                   uint64_t high, uint64_t *value) {
    const char *text = arguments->values[row];
    *value = initial;
    if (!text || (hd_text_u64(text, strlen(text), value) && *value >= low && *value <= high))
        return true;
    hd_cli_usage(arguments, "--%s takes a whole number from %llu to %llu, not '%s'",
                 hd_cli_options(arguments->command)[row].name, (unsigned long long)low,
                 (unsigned long long)high, hd_text_name(text));
    return false;
}

bool hd_cli_misuse(const hd_cli_arguments *arguments, int row) {
    const char *how = arguments->values[row];
    if (!how || hd_launch_options_misuse(how))
        return true;
    hd_cli_usage(arguments, "--misuse takes fail, note or ignore, not '%s'", hd_text_name(how));
    return false;
}

bool hd_cli_inputs(const hd_cli_arguments *arguments, int row) {
    const char *inputs = arguments->values[row];
    if (!inputs || hd_launch_options_inputs(inputs))
        return true;
    hd_cli_usage(arguments,
                 "--inputs takes up to %d whole numbers with commas between, or any: and up to %d "
                 "numbers or ranges such as 0..7, not '%s'",
                 HEDDLE_WIRE_INPUTS, HEDDLE_WIRE_WAYS, hd_text_name(inputs));
    return false;
}

bool hd_cli_sv_comp(const hd_cli_arguments *arguments, int row, enum hd_engine_property usual) {
    enum hd_engine_property property;
    hd_error error = {""};
    if (!hd_cli_given(arguments, row) && hd_cli_given(arguments, row + 1)) {
        hd_cli_usage(arguments, "--witness-yaml needs --sv-comp");
        return false;
    }
    if (!hd_cli_given(arguments, row))
        return true;
    if (!hd_engine_property_read(arguments->values[row], usual, &property, &error)) {
        hd_cli_usage(arguments, "%s", error.text);
        return false;
    }
    if (usual == HD_ENGINE_NO_DATA_RACE && property != usual) {
        hd_cli_usage(arguments, "%s is a question for heddle explore and heddle check",
                     hd_engine_property_name(property));
        return false;
    }
    hd_engine_property_hold(property);
    return true;
}

void hd_cli_sv_comp_write(enum hd_engine_property property, const char *word, hd_json *json) {
    hd_json_open(json, "sv_comp", '{');
    hd_json_text(json, "property", hd_engine_property_name(property));
    hd_json_text(json, "word", word);
    hd_json_close(json);
}

int hd_cli_choice(const hd_cli_arguments *arguments, int row, const char *const *names, int count,
                  int initial) {
    const char *word = arguments->values[row];
    for (int i = 0; word && i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    if (!word)
        return initial;
    hd_cli_usage(arguments, "there is no %s '%s'", hd_cli_options(arguments->command)[row].name,
                 hd_text_name(word));
    return -1;
}

const char *hd_cli_next(const hd_cli_arguments *arguments, int row, size_t *at) {
    while (*at < arguments->all.length) {
        const struct hd_cli_value *value = &arguments->all.data[(*at)++];
        if (value->row == row)
            return value->text;
    }
    return NULL;
}

bool hd_cli_seconds(const hd_cli_arguments *arguments, int row, double initial, double *seconds) {
    const char *text = arguments->values[row];
    *seconds = initial;
    if (!text || hd_text_seconds(text, seconds))
        return true;
    hd_cli_usage(arguments, "--%s takes a time such as 60, 0.5, 60s, 2m or 1h, not '%s'",
                 hd_cli_options(arguments->command)[row].name, hd_text_name(text));
    return false;
}

bool hd_cli_format(const hd_cli_arguments *arguments, int row, const char *path,
                   enum hd_trace_format *format) {
    const char *word = arguments->values[row];
    *format = hd_trace_format_of(path);
    if (!word)
        return true;
    bool binary = strcmp(word, "binary") == 0;
    *format = binary ? HD_TRACE_BINARY : HD_TRACE_TEXT;
    if (binary || strcmp(word, "text") == 0)
        return true;
    hd_cli_usage(arguments, "--%s takes text or binary, not '%s'",
                 hd_cli_options(arguments->command)[row].name, hd_text_name(word));
    return false;
}

/* The same options for getopt: a letter stands for itself, an option without
 * one for FIRST_LONG and its row. */
struct option_tables {
    struct option longs[HD_CLI_MAX_OPTIONS + 1];
    char shorts[2 * HD_CLI_MAX_OPTIONS + 4];
};

static void fill_tables(struct option_tables *tables, const hd_cli_command *command) {
    *tables = (struct option_tables){.shorts = ":h"};
    if (command->stops)
        strcpy(tables->shorts, "+:h");
    char *letter = tables->shorts + strlen(tables->shorts);
    int count = option_count(command);
    for (int i = 0; i < count; i++) {
        const hd_cli_option *option = &hd_cli_options(command)[i];
        int value = option->letter ? option->letter : FIRST_LONG + i;
        bool optional = option->argument && option->argument[0] == '[';
        tables->longs[i] = (struct option){option->name,
                                           optional           ? optional_argument
                                           : option->argument ? required_argument
                                                              : no_argument,
                                           NULL, value};
        if (option->letter)
            *letter++ = option->letter;
        if (option->letter && option->argument)
            *letter++ = ':';
    }
    tables->longs[count] = (struct option){"help", no_argument, NULL, 'h'};
}

static int row_of(const hd_cli_command *command, int found) {
    if (found >= FIRST_LONG)
        return found - FIRST_LONG;
    int row = 0;
    while (hd_cli_options(command)[row].letter != found)
        row++;
    return row;
}

/* Says what is wrong with an option that getopt did not take: it left a known
 * option in optopt, or a letter that stands for none, or 0. */
static int refuse(const hd_cli_arguments *arguments, int found, const char *word, bool after) {
    const hd_cli_option *options = hd_cli_options(arguments->command);
    char letter[3] = {'-', (char)optopt, '\0'};
    if (found == ':')
        return hd_cli_usage(arguments, "option '%s' needs a value", hd_text_name(word));
    for (int row = 0; options[row].name; row++)
        if (optopt && optopt == (options[row].letter ? options[row].letter : FIRST_LONG + row))
            return hd_cli_usage(arguments, "option '--%s' takes no value", options[row].name);
    return hd_cli_usage(arguments, "option '%s' is not known here%s",
                        hd_text_name(optopt ? letter : word),
                        after ? "; put -- before a program that has options of its own" : "");
}

/* Does it come after an operand that may be a program with words of its own?  What getopt has
 * passed over then stands right before it. */
static bool is_behind(const hd_cli_command *command, char **argv) {
    const char *here = argv[optind];
    bool several = optopt && here && here[0] == '-' && strchr(here + 1, optopt); /* as in -xyz */
    int before = optind - (several ? 1 : 2);
    return before > 0 && argv[before][0] != '-' && strstr(command->operands, "[ARGUMENT]");
}

/* Fills the arguments; false after saying what is wrong, or after --help. */
static bool parse(hd_cli_arguments *arguments, int argc, char **argv, int *status) {
    const hd_cli_command *command = arguments->command;
    struct option_tables tables;
    fill_tables(&tables, command);
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;) {
        if (found == 'h') {
            hd_cli_command_help(stdout, command);
            *status = hd_cli_flush(HD_CLI_OK);
            return false;
        }
        if (found == '?' || found == ':') {
            *status = refuse(arguments, found, argv[optind - 1], is_behind(command, argv));
            return false;
        }
        int row = row_of(command, found);
        arguments->values[row] = optarg ? optarg : "";
        hd_vec_push(&arguments->all, (struct hd_cli_value){row, arguments->values[row]});
    }
    arguments->operands = argv + optind;
    arguments->operand_count = argc - optind;
    return true;
}

/* --memory.  What a run left in the recorder's memory has a limit of its own, and is not lost for
 * lack of a larger budget: so recording has none that was not asked for. */
static bool budget_memory(const hd_cli_arguments *arguments) {
    const char *text = arguments->values[HD_CLI_MEMORY];
    size_t bytes = arguments->command == &hd_cli_record ? 0 : hd_mem_budget_default();
    if (text && !hd_mem_budget_parse(text, &bytes)) {
        hd_cli_usage(arguments, "--memory takes a size such as 500M or 2G, not '%s'",
                     hd_text_name(text));
        return false;
    }
    hd_mem_budget_set(bytes);
    return true;
}

/* --time and --total, as one moment on the clock; 0: none.  False after saying what is wrong. */
static bool read_limits(const hd_cli_arguments *arguments, double *until) {
    double time, total;
    if (!hd_cli_seconds(arguments, HD_CLI_TIME, 0, &time) ||
        !hd_cli_seconds(arguments, HD_CLI_TOTAL, 0, &total))
        return false;
    if (arguments->operand_count && hd_engine_is_program(arguments->operands[0]))
        time = 0; /* of each search or run: the command knows */
    double least = time > 0 && (total <= 0 || time < total) ? time : total;
    *until = least > 0 ? arguments->started + least : 0;
    return true;
}

/* A command that a signal, or the clock, kept from its answer was not used badly. */
static int run_command(const hd_cli_arguments *arguments) {
    hd_clock clock = {0};
    if (!read_limits(arguments, &clock.until))
        return HD_CLI_BAD;
    hd_clock_begin(&clock);
    int status = hd_cli_flush(arguments->command->run(arguments));
    bool stopped = hd_clock_look() != HD_CLOCK_GOES;
    hd_clock_end(&clock);
    return status == HD_CLI_BAD && stopped ? HD_CLI_OPEN : status;
}

static int run_parsed(const hd_cli_arguments *arguments) {
    const hd_cli_command *command = arguments->command;
    if (arguments->operand_count < command->least)
        return hd_cli_usage(arguments, "something is missing: %s", command->operands);
    if (arguments->operand_count > command->most)
        return hd_cli_usage(arguments, "one word too many: '%s'",
                            hd_text_name(arguments->operands[command->most]));
    if (!budget_memory(arguments))
        return HD_CLI_BAD;
    if (hd_cli_given(arguments, HD_CLI_QUIET)) {
        hd_progress_allow(false);
        hd_log_set_level(HD_LOG_ERROR);
    } else if (hd_cli_given(arguments, HD_CLI_VERBOSE)) {
        hd_log_set_level(HD_LOG_NOTE);
    }
    return hd_cli_verdict_read(arguments) ? run_command(arguments) : HD_CLI_BAD;
}

int hd_cli_run(const hd_cli_command *command, int argc, char **argv) {
    hd_cli_arguments arguments = {.command = command, .started = hd_progress_clock()};
    int status;
    if (command->verbatim) {
        arguments.operands = argv + 1;
        arguments.operand_count = argc - 1;
        return command->run(&arguments);
    }
    if (parse(&arguments, argc, argv, &status))
        status = run_parsed(&arguments);
    hd_vec_release(&arguments.all);
    return status;
}

/* What was guessed of the trace that the answer is about. */
static struct {
    uint64_t guessed, unexplained;
    bool partly; /* not known how many */
} noted;

bool hd_cli_json_begin(hd_cli_answer *answer, const hd_cli_arguments *arguments, const char *input,
                       const hd_verdict *verdict) {
    hd_error error = {""};
    answer->file = hd_file_create("-", &error);
    if (!answer->file) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    hd_json *json = &answer->json;
    hd_json_init(json, answer->file);
    hd_report_answer_begin(json, &(hd_report_answer){
                                     .command = arguments->command->name,
                                     .input = input,
                                     .verdict = verdict,
                                     .guessed = noted.guessed,
                                     .unexplained = noted.unexplained,
                                     .partly = noted.partly,
                                     .seconds = hd_progress_clock() - arguments->started,
                                 });
    return true;
}

void hd_cli_json_findings(hd_cli_answer *answer) {
    hd_report_answer_findings(&answer->json);
}

/* Of the answer that is being written: a process writes one. */
static struct { uint64_t events, left_out; } schedules;

void hd_cli_json_schedule(hd_json *json, const hd_vec_u32 *schedule) {
    enum { MOST = 10000000 };
    if (!schedules.events || schedules.events + schedule->length <= MOST) {
        schedules.events += schedule->length;
        hd_report_events_write(json, "schedule", schedule);
        return;
    }
    schedules.left_out++;
    hd_json_null(json, "schedule");
    hd_json_uint(json, "schedule_events", schedule->length);
    hd_json_text(json, "proof", hd_report_proof_name(HD_REPORT_CHECKED));
}

int hd_cli_json_end(hd_cli_answer *answer, int status) {
    char number[32];
    if (schedules.left_out)
        hd_log_write(HD_LOG_WARNING,
                     "%s findings come without their schedule, as 10 million events of schedules "
                     "were written; --output keeps every schedule in a file",
                     hd_text_grouped(number, schedules.left_out));
    hd_report_answer_end(&answer->json);
    hd_error error = {""};
    if (!hd_file_commit(answer->file, &error))
        return hd_cli_fail("%s", error.text);
    return status;
}

void hd_cli_json_next(hd_json *json, const char *key, const hd_trace_end *end,
                      const uint32_t *events) {
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < end->next.length; i++) {
        const hd_trace_next *next = &end->next.data[i];
        bool other = next->kind == HD_TRACE_END_OTHER;
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "thread", next->thread);
        hd_json_text(json, "op", other ? "other" : hd_trace_kinds[next->kind].op);
        hd_json_text(json, "object", next->object);
        hd_json_text(json, "location", next->location);
        if (events && events[i])
            hd_json_uint(json, "event", events[i]);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_cli_json_end_of_run(hd_json *json, const hd_trace_end *end) {
    if (!end->how)
        return;
    hd_vec_char text = {0};
    hd_trace_end_print(end, &text);
    hd_json_open(json, "ended", '{');
    hd_json_string(json, "how", text.data, strcspn(text.data, " "));
    if (strchr(text.data, ' '))
        hd_json_uint(json, "number", (uint64_t)end->number);
    hd_cli_json_next(json, "next", end, NULL);
    hd_json_notes(json, "notes", end->notes.data, end->notes.length);
    hd_json_close(json);
    hd_vec_release(&text);
}

void hd_cli_json_effort(hd_json *json, const hd_order_effort *effort) {
    hd_json_open(json, "effort", '{');
    hd_json_uint(json, "queries", effort->queries);
    hd_json_uint(json, "closed", effort->closed);
    hd_json_uint(json, "straight", effort->straight);
    hd_json_uint(json, "runs", effort->runs);
    hd_json_uint(json, "branches", effort->branches);
    hd_json_uint(json, "work", effort->work);
    hd_json_close(json);
}

int hd_cli_flush(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return hd_cli_fail("standard output: cannot write: %s", strerror(errno));
}

static void note_guesses(const char *name, uint64_t guessed, uint64_t unexplained) {
    char count[32], rest[32];
    const char *shown = strcmp(name, "-") == 0 ? "standard input" : hd_text_name(name);
    noted.guessed = guessed;
    noted.unexplained = unexplained;
    if (unexplained)
        hd_log_write(HD_LOG_WARNING,
                     "%s: order partly guessed: that of %s accesses; no order was found that "
                     "explains what %s of them read",
                     shown, hd_text_grouped(count, guessed), hd_text_grouped(rest, unexplained));
    else if (guessed)
        hd_log_write(HD_LOG_WARNING, "%s: order partly guessed: that of %s accesses", shown,
                     hd_text_grouped(count, guessed));
}

void hd_cli_note_free(const char *name) {
    noted.partly = true;
    hd_log_write(HD_LOG_WARNING, "%s: order partly guessed: that of accesses that race",
                 hd_text_name(name));
}

void hd_cli_note_trace(const char *name, const hd_trace *trace) {
    hd_engine_note_incomplete(name, trace->incomplete, trace->lost);
    note_guesses(name, trace->guessed, trace->unexplained);
}

void hd_cli_note_cursor(const char *name, const hd_trace_cursor *cursor) {
    hd_engine_note_incomplete(name, hd_trace_cursor_incomplete(cursor),
                              hd_trace_cursor_lost(cursor));
    note_guesses(name, hd_trace_cursor_guessed(cursor), hd_trace_cursor_unexplained(cursor));
}

int hd_cli_column(int least, const hd_names *names, const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(hd_text_name(hd_names_text(names, numbers[i])));
        least = length > least ? length : least;
    }
    return least;
}
