#include "cli_run.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_verdict.h"

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

bool hd_cli_witness(const hd_cli_arguments *arguments, int row, const char **path) {
    hd_error error = {""};
    struct stat about;
    *path = arguments->values[row];
    if (!*path)
        return true;
    if (strcmp(*path, "-") == 0) {
        hd_cli_usage(arguments, "--witness wants a file, standard output has the answer");
        return false;
    }
    if (stat(*path, &about) == 0 && !S_ISREG(about.st_mode))
        return true; /* a device or a pipe; a folder is told when it is written */
    hd_file *file = hd_file_create(*path, &error);
    if (!file) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    hd_file_abandon(file);
    return true;
}

bool hd_cli_list_goes_on(void) {
    static const double moment = 0.5;
    static double over; /* since when, 0: it is not */
    if (!hd_clock_over())
        return true;
    if (over <= 0)
        over = hd_progress_clock();
    return hd_progress_clock() - over < moment;
}

bool hd_cli_list_is_cut(hd_cli_answer *answer, const char *path, const char *what, uint64_t listed,
                        bool whole) {
    enum hd_clock_state state = hd_clock_look();
    const char *text = hd_clock_why();
    if (whole || !text)
        return false;
    hd_cli_fail("%s: not all %s are listed, only %llu: %s", hd_text_name(path), what,
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

static int after_dashes(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return argc - i - 1;
    return 0;
}

/* Fills the arguments; false after saying what is wrong, or after --help. */
static bool parse(hd_cli_arguments *arguments, int argc, char **argv, int *status) {
    const hd_cli_command *command = arguments->command;
    struct option_tables tables;
    fill_tables(&tables, command);
    arguments->after_dashes = after_dashes(argc, argv); /* before getopt changes the order */
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
        if (optarg && !*optarg) {
            *status = hd_cli_usage(arguments, "option '--%s' needs a value, not ''",
                                   hd_cli_options(command)[row].name);
            return false;
        }
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
    if (text && bytes < HD_MEM_BUDGET_LEAST)
        hd_log_write(HD_LOG_WARNING, "--memory=%s is less than %zuM: up to %zuM may be allocated",
                     text, HD_MEM_BUDGET_LEAST >> 20, HD_MEM_BUDGET_LEAST >> 20);
    hd_mem_budget_set(bytes);
    return true;
}

static bool gives(const hd_cli_arguments *arguments, const char *name) {
    for (size_t i = 0; i < arguments->all.length; i++)
        if (strcmp(hd_cli_options(arguments->command)[arguments->all.data[i].row].name, name) == 0)
            return true;
    return false;
}

/* Is --time not that of the whole command?  It is that of each run that is recorded, and of each
 * test; and a search that is kept in a file, or spread over processes, ends between two runs. */
static bool is_time_of_parts(const hd_cli_arguments *arguments) {
    if (!arguments->operand_count || !hd_engine_is_program(arguments->operands[0]))
        return false;
    return arguments->command == &hd_cli_record || arguments->command == &hd_cli_test ||
           gives(arguments, "checkpoint") || gives(arguments, "resume") || gives(arguments, "mpi");
}

/* --time and --total, as one moment on the clock; 0: none.  False after saying what is wrong. */
static bool read_limits(const hd_cli_arguments *arguments, double *until) {
    double time, total;
    if (!hd_cli_seconds(arguments, HD_CLI_TIME, 0, &time) ||
        !hd_cli_seconds(arguments, HD_CLI_TOTAL, 0, &total))
        return false;
    if (is_time_of_parts(arguments)) {
        hd_pipe_patience(time); /* of each of them, and of each pipe: the command knows */
        time = 0;
    }
    double least = time > 0 && (total <= 0 || time < total) ? time : total;
    *until = least > 0 ? arguments->started + least : 0;
    return true;
}

/* A command that a signal, or the clock, kept from its answer was not used badly.  If it could not
 * write what it was to write, that was something else. */
static int run_command(const hd_cli_arguments *arguments) {
    hd_clock clock = {0};
    if (!read_limits(arguments, &clock.until))
        return HD_CLI_BAD;
    hd_clock_begin(&clock);
    int status = arguments->command->run(arguments), shown = hd_cli_flush(status);
    bool stopped = hd_clock_look() != HD_CLOCK_GOES || hd_pipe_gave_up();
    bool failed = hd_file_unwritten() || (shown != status && !hd_pipe_gave_up());
    hd_clock_end(&clock);
    return shown == HD_CLI_BAD && stopped && !failed ? HD_CLI_OPEN : shown;
}

/* A program or a source is opened by those who load, read and compile it: of a pipe, each would
 * wait for ever, and the second would find nothing; a device may have no end. */
static bool is_piped_program(const hd_cli_arguments *arguments) {
    struct stat about;
    const char *path = arguments->operand_count ? arguments->operands[0] : "";
    return stat(path, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode)) &&
           (arguments->command == &hd_cli_record || hd_engine_is_program(path));
}

/* --- inputs and outputs ---------------------------------------------------------------------- */

/* Does the option name a file that is written? */
static bool is_written(const hd_cli_option *option) {
    static const char *const names[] = {"checkpoint", "dot",           "html",        "junit",
                                        "sarif",      "save-schedule", "witness-yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option->name, names[i]) == 0)
            return true;
    return option->letter == 'o';
}

/* Or one that is read, and nothing else?  A search goes on in the file that it was kept in. */
static bool is_read(const hd_cli_option *option) {
    return option->argument && strcmp(option->argument, "FILE") == 0 && !is_written(option) &&
           strcmp(option->name, "resume") != 0;
}

static bool same_file(const char *a, const char *b) {
    struct stat first, second;
    if (stat(a, &first) != 0 || stat(b, &second) != 0)
        return strcmp(a, b) == 0 && strcmp(a, "-") != 0;
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Two options that write to one file: only the second would be there. */
static bool write_apart(const hd_cli_arguments *arguments, size_t at) {
    const hd_cli_option *options = hd_cli_options(arguments->command);
    const struct hd_cli_value *value = &arguments->all.data[at];
    for (size_t i = 0; i < at; i++) {
        const struct hd_cli_value *other = &arguments->all.data[i];
        if (other->row == value->row || !is_written(&options[other->row]) ||
            !same_file(other->text, value->text))
            continue;
        hd_cli_fail("%s: --%s and --%s both write to it", hd_text_name(value->text),
                    options[other->row].name, options[value->row].name);
        return false;
    }
    return true;
}

/* Before the work begins, for what is named on the command line: nothing that is read is also
 * written to.  What is written without being named is looked at by hd_file_create. */
static bool keep_inputs(const hd_cli_arguments *arguments) {
    const hd_cli_option *options = hd_cli_options(arguments->command);
    bool converts = arguments->command == &hd_cli_convert;
    hd_error error = {""};
    for (int i = 0; i < (converts ? 1 : arguments->operand_count); i++)
        hd_file_protect(arguments->operands[i]);
    for (size_t i = 0; i < arguments->all.length; i++)
        if (is_read(&options[arguments->all.data[i].row]))
            hd_file_protect(arguments->all.data[i].text);
    if (converts && !hd_file_may_replace(arguments->operands[1], &error)) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    for (size_t i = 0; i < arguments->all.length; i++) {
        const struct hd_cli_value *value = &arguments->all.data[i];
        if (!is_written(&options[value->row]))
            continue;
        if (!hd_file_may_replace(value->text, &error)) {
            hd_cli_fail("%s", error.text);
            return false;
        }
        if (!write_apart(arguments, i))
            return false;
    }
    return true;
}

static int run_parsed(const hd_cli_arguments *arguments) {
    const hd_cli_command *command = arguments->command;
    if (arguments->operand_count < command->least)
        return hd_cli_usage(arguments, "something is missing: %s", command->operands);
    if (arguments->operand_count > command->most)
        return hd_cli_usage(arguments, "one word too many: '%s'",
                            hd_text_name(arguments->operands[command->most]));
    if (arguments->operand_count && !arguments->operands[0][0])
        return hd_cli_usage(arguments, "the first word is empty: %s", command->operands);
    if (hd_cli_given(arguments, HD_CLI_QUIET)) {
        hd_progress_allow(false);
        hd_log_set_level(HD_LOG_ERROR);
    } else if (hd_cli_given(arguments, HD_CLI_VERBOSE)) {
        hd_log_set_level(HD_LOG_NOTE);
    }
    if (!budget_memory(arguments))
        return HD_CLI_BAD;
    if (is_piped_program(arguments))
        return hd_cli_fail("%s: a pipe or a device; a program or a source must be a file",
                           hd_text_name(arguments->operands[0]));
    return keep_inputs(arguments) && hd_cli_verdict_read(arguments) ? run_command(arguments)
                                                                    : HD_CLI_BAD;
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
