/*
 * heddle cc, heddle c++: the compiler, with heddle's runtime.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "cli_run.h"
#include "native/native.h"

/* These are looked for by hand: every other word is the compiler's. */
static const hd_cli_option options[] = {
    {"compiler", 0, "COMMAND", "the compiler ($HEDDLE_CC or $HEDDLE_CXX, otherwise gcc or g++)"},
    {"heddle-show", 0, NULL, "print the command instead of running it"},
    {0},
};

static void show(const hd_launch_command *command) {
    for (size_t i = 0; i + 1 < command->words.length; i++)
        printf("%s%s", i ? " " : "", command->words.data[i]);
    putchar('\n');
}

static int run_compiler(const hd_cli_arguments *arguments, bool cxx) {
    const char *compiler = NULL;
    bool showing = false;
    int count = 0;
    char **words = arguments->operands;
    for (int i = 0; i < arguments->operand_count; i++) {
        if (strncmp(words[i], "--compiler=", 11) == 0)
            compiler = words[i] + 11;
        else if (strcmp(words[i], "--heddle-show") == 0)
            showing = true;
        else
            words[count++] = words[i];
    }
    if (count == 1 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)) {
        hd_cli_command_help(stdout, arguments->command);
        return hd_cli_flush(HD_CLI_OK);
    }
    if (compiler && !*compiler)
        return hd_cli_usage(arguments, "option '--compiler' needs a value, not ''");
    hd_error error = {""};
    hd_launch_command command;
    if (!hd_launch_command_make(&command, compiler, cxx, words, count, &error))
        return hd_cli_fail("%s", error.text);
    int status = HD_CLI_OK;
    if (showing) {
        show(&command);
        status = hd_cli_flush(HD_CLI_OK);
    } else {
        hd_stop_obey(); /* the preprocessor was run, and a signal ended that only */
        execvp(command.words.data[0], command.words.data);
        status = hd_cli_fail("%s: %s", hd_text_name(command.words.data[0]), strerror(errno));
    }
    hd_launch_command_release(&command);
    return status;
}

static int run_cc(const hd_cli_arguments *arguments) {
    return run_compiler(arguments, false);
}

static int run_cxx(const hd_cli_arguments *arguments) {
    return run_compiler(arguments, true);
}

const hd_cli_command hd_cli_cc = {
    .name = "cc",
    .operands = "ARGUMENT...",
    .summary = "Compile C programs so that heddle can record them",
    .details = "Runs gcc, or another compiler, with its thread instrumentation and heddle's\n"
               "runtime.  Every ARGUMENT is passed to the compiler.  The command heddle-cc is the\n"
               "same, for CC=heddle-cc.",
    .options = options,
    .verbatim = true,
    .run = run_cc,
};

const hd_cli_command hd_cli_cxx = {
    .name = "c++",
    .operands = "ARGUMENT...",
    .summary = "Compile C++ programs so that heddle can record them",
    .details =
        "Runs g++, or another compiler, with its thread instrumentation and heddle's\n"
        "runtime.  Every ARGUMENT is passed to the compiler.  The command heddle-c++ is the\n"
        "same, for CXX=heddle-c++.",
    .options = options,
    .verbatim = true,
    .run = run_cxx,
};
