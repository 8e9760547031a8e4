/*
 * Running the compiler.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch_compiler.h"
#include "launch_end.h"

_Noreturn static void become_compiler(char **words, int said, pid_t tool) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* the compiler then removes its own files */
    if (getppid() != tool)
        _exit(127);
    if (said >= 0) {
        dup2(said, STDOUT_FILENO);
        dup2(said, STDERR_FILENO);
    }
    execvp(words[0], words);
    dprintf(STDERR_FILENO, "%s%s: %s\n", said < 0 ? "heddle: " : "", words[0], strerror(errno));
    _exit(127);
}

bool hd_launch_command_run(const hd_launch_command *command, FILE *said) {
    int status = -1, file = said ? fileno(said) : -1;
    fflush(NULL);
    hd_stop_listen();
    pid_t tool = getpid(), child = fork();
    if (child == 0)
        become_compiler(command->words.data, file, tool);
    if (child < 0) {
        dprintf(said ? file : STDERR_FILENO, "cannot start a process: %s\n", strerror(errno));
        return false;
    }
    hd_launch_end_wait(child, &status);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

_Noreturn static void become_program(char **words, unsigned seconds, int said, pid_t tool) {
    int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != tool || nothing < 0)
        _exit(127);
    dup2(nothing, STDIN_FILENO);
    dup2(said, STDOUT_FILENO);
    signal(SIGALRM, SIG_DFL);
    alarm(seconds); /* goes on in the program */
    execv(words[0], words);
    dprintf(STDERR_FILENO, "heddle: %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

bool hd_launch_command_read(char **words, unsigned seconds, FILE *said) {
    int status = -1;
    fflush(NULL);
    hd_stop_listen();
    pid_t tool = getpid(), child = fork();
    if (child == 0)
        become_program(words, seconds, fileno(said), tool);
    if (child < 0)
        return false;
    hd_launch_end_wait(child, &status);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void hd_launch_command_reason(FILE *said, char *why, size_t size) {
    char line[1024];
    rewind(said);
    for (bool first = true; fgets(line, sizeof line, said); first = false) {
        bool tells = strstr(line, "error:") || strstr(line, "undefined reference");
        if (first || tells)
            hd_text_printable(why, size, line, strcspn(line, "\n"));
        if (tells)
            return;
    }
}
