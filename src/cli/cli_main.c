/*
 * The table of commands, and the way from main to one of them.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"
#include "cli_run.h"
#include "cli_verdict.h"

static const hd_cli_command *const commands[] = {
    &hd_cli_cc,      &hd_cli_cxx,      &hd_cli_record,         &hd_cli_info,
    &hd_cli_convert, &hd_cli_generate, &hd_cli_validate,       &hd_cli_explore,
    &hd_cli_replay,  &hd_cli_states,   &hd_cli_detect_command, &hd_cli_nondet,
    &hd_cli_race,    &hd_cli_deadlock, &hd_cli_view,           &hd_cli_check,
    &hd_cli_report,  &hd_cli_slice,    &hd_cli_test,
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void overview(FILE *to) {
    fputs("Usage: heddle COMMAND [OPTION]... INPUT...\n"
          "Finds the thread schedule that breaks a program, proves it, and replays "
          "it.\n\nCommands:\n",
          to);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "\n'heddle COMMAND --help' lists the options of a command, 'heddle --version' prints the\n"
        "version, and 'man heddle' is the manual.\n"
        "Exit status: 0 nothing found and the search complete; 1 found; 2 bad usage or input;\n"
        "3 nothing found, but the search not complete, or an assumption shaky ('heddle help\n"
        "verdict').\n",
        to);
}

static const hd_cli_command *find(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int help(const char *name) {
    if (name && strcmp(name, "verdict") == 0) {
        hd_cli_verdict_help(stdout);
        return hd_cli_flush(HD_CLI_OK);
    }
    const hd_cli_command *command = name ? find(name) : NULL;
    if (name && !command)
        return hd_cli_fail("unknown command '%s'; 'heddle --help' lists them", hd_text_name(name));
    if (command)
        hd_cli_command_help(stdout, command);
    else
        overview(stdout);
    return hd_cli_flush(HD_CLI_OK);
}

/* What a command keeps on the stack, names of files above all, would end it without a word. */
static bool has_stack(void) {
    static const rlim_t least = 512 << 10;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least)
        return true;
    if (limit.rlim_cur < 32 << 10) { /* too little for printf */
        static const char text[] = "heddle: the limit on the stack is less than 32 KiB, and heddle "
                                   "needs 512; raise it (ulimit -s)\n";
        ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        (void)written;
        return false;
    }
    hd_cli_fail("the limit on the stack is %llu KiB, and heddle needs %llu; raise it (ulimit -s)",
                (unsigned long long)limit.rlim_cur >> 10, (unsigned long long)least >> 10);
    return false;
}

/* What is opened next must not get the number of a standard stream that was closed: what is
 * printed would be written to it.  Such a stream fails as before, and is closed for programs. */
static void hold_standard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/* Who started us may ignore that children end, which then cannot be waited for; or block what stops
 * a system call that a run must not make. */
static void set_signals(void) {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGSYS);
    sigaddset(&ours, SIGSEGV);
    sigprocmask(SIG_UNBLOCK, &ours, NULL);
    signal(SIGCHLD, SIG_DFL);
}

int main(int argc, char **argv) {
    hold_standard_streams();
    set_signals();
    hd_stop_init();
    hd_pipe_standard_output();
    if (!has_stack())
        return HD_CLI_BAD;
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like a full disk */
    /* heddle-cc and heddle-c++ are names of this program, for CC= and CXX=. */
    const char *name = strrchr(argv[0], '/');
    name = name ? name + 1 : argv[0];
    if (strcmp(name, "heddle-cc") == 0)
        return hd_cli_run(&hd_cli_cc, argc, argv);
    if (strcmp(name, "heddle-c++") == 0)
        return hd_cli_run(&hd_cli_cxx, argc, argv);
    if (argc < 2) {
        overview(stderr);
        return HD_CLI_BAD;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        printf("heddle %s\n", HEDDLE_VERSION);
        return hd_cli_flush(HD_CLI_OK);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(NULL);
    if (strcmp(word, "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    const hd_cli_command *command = find(word);
    if (!command)
        return hd_cli_fail("unknown command '%s'; 'heddle --help' lists them", hd_text_name(word));
    return hd_cli_run(command, argc - 1, argv + 1);
}
