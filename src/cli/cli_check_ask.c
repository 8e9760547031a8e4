/*
 * One question: a heddle command in a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_check.h"

double hd_cli_check_left(const hd_cli_checkup *check) {
    double left = check->deadline - hd_progress_clock();
    return left > 0 ? left : 0;
}

/* Becomes the command.  What it starts is in its process group, and ends with it. */
static void become(char *const *argv, int out, int err) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(err, STDERR_FILENO) >= 0)
        execv("/proc/self/exe", argv);
    _exit(127);
}

/* Waits for the process; false if time is up or the user wants no more. */
static bool wait_for(hd_cli_checkup *check, pid_t pid, double until, int *status) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    while (waitpid(pid, status, WNOHANG) == 0) {
        double left = until - hd_progress_clock();
        if (left <= 0)
            return false;
        struct timespec wait = {.tv_sec = (time_t)left};
        wait.tv_nsec = (long)((left - (double)wait.tv_sec) * 1e9);
        int got = sigtimedwait(&signals, NULL, &wait);
        if (got == SIGINT || got == SIGTERM) {
            check->interrupted = true;
            return false;
        }
    }
    return true;
}

/* A command that is told to stop says what it has so far, if it can. */
static void stop(hd_cli_checkup *check, pid_t pid, int *status) {
    bool interrupted = check->interrupted;
    kill(pid, SIGINT);
    bool ended = wait_for(check, pid, hd_progress_clock() + 0.5, status);
    check->interrupted |= interrupted;
    kill(-pid, SIGKILL);
    if (!ended)
        waitpid(pid, status, 0);
}

/* What a command said when it gave up: its last line that begins with its name, else the
 * first of all. */
static void read_reason(int file, char *why, size_t size) {
    static const char name[] = "heddle: ";
    char text[4096];
    off_t end = lseek(file, 0, SEEK_END);
    off_t from = end > (off_t)sizeof text - 1 ? end - (off_t)sizeof text + 1 : 0;
    ssize_t length = pread(file, text, sizeof text - 1, from);
    text[length > 0 ? length : 0] = '\0';
    const char *found = text;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, sizeof name - 1) == 0)
            found = line + sizeof name - 1;
    }
    hd_text_printable(why, size, found, strcspn(found, "\n"));
}

static void read_answer(int file, hd_cli_check_answer *answer) {
    hd_error error = {""};
    off_t size = lseek(file, 0, SEEK_END);
    char *data = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    answer->outcome = HD_CLI_CHECK_CRASHED;
    if (!data || data == MAP_FAILED) {
        snprintf(answer->why, sizeof answer->why, "it said nothing");
        return;
    }
    hd_vec_reserve(&answer->said, (size_t)size);
    memcpy(answer->said.data, data, (size_t)size);
    answer->said.length = (size_t)size;
    if (hd_json_parse(&answer->document, data, (size_t)size, "answer", &error))
        answer->outcome = HD_CLI_CHECK_ANSWERED;
    else
        snprintf(answer->why, sizeof answer->why, "%s", error.text);
    munmap(data, (size_t)size);
}

bool hd_cli_check_keep(const hd_cli_check_answer *answer, const char *path) {
    hd_error error = {""};
    hd_file *file = hd_file_create(path, &error);
    if (!file)
        return false;
    hd_file_write(file, answer->said.data, answer->said.length);
    return hd_file_commit(file, &error);
}

void hd_cli_check_release(hd_cli_check_answer *answer) {
    hd_json_release(&answer->document);
    hd_vec_release(&answer->said);
}

/* What became of it, from how the process ended. */
static void judge(hd_cli_check_answer *answer, int out, int err, int status, bool in_time,
                  bool json) {
    answer->status = WIFEXITED(status) ? WEXITSTATUS(status) : HD_CLI_BAD;
    bool answered = WIFEXITED(status) && answer->status != HD_CLI_BAD && answer->status < 126;
    answer->outcome = HD_CLI_CHECK_ANSWERED;
    if (answered && json)
        read_answer(out, answer);
    if (answered)
        return;
    if (!in_time) {
        answer->outcome = HD_CLI_CHECK_LATE;
        snprintf(answer->why, sizeof answer->why, "stopped by the limit on time");
    } else if (WIFSIGNALED(status)) {
        answer->outcome = HD_CLI_CHECK_CRASHED;
        snprintf(answer->why, sizeof answer->why, "it crashed: %s", strsignal(WTERMSIG(status)));
    } else {
        answer->outcome = HD_CLI_CHECK_REFUSED;
        read_reason(err, answer->why, sizeof answer->why);
    }
}

static void run(hd_cli_checkup *check, char *const *argv, double seconds, bool json,
                hd_cli_check_answer *answer) {
    int out = memfd_create("answer", MFD_CLOEXEC), err = memfd_create("notes", MFD_CLOEXEC);
    int status = 0;
    bool in_time = true;
    fflush(stdout);
    fflush(stderr);
    pid_t pid = out < 0 || err < 0 ? -1 : fork();
    if (pid == 0)
        become(argv, out, err);
    if (pid < 0) {
        answer->outcome = HD_CLI_CHECK_CRASHED;
        snprintf(answer->why, sizeof answer->why, "cannot start it: %s", strerror(errno));
    } else {
        setpgid(pid, pid); /* both sides do, so that it is done whoever runs first */
        in_time = wait_for(check, pid, hd_progress_clock() + seconds, &status);
        if (!in_time)
            stop(check, pid, &status);
        judge(answer, out, err, status, in_time, json);
    }
    if (out >= 0)
        close(out);
    if (err >= 0)
        close(err);
}

void hd_cli_check_ask(hd_cli_checkup *check, hd_cli_check_words *words, double seconds, bool json,
                      hd_cli_check_answer *answer) {
    *answer = (hd_cli_check_answer){.outcome = HD_CLI_CHECK_LATE};
    snprintf(answer->why, sizeof answer->why, "no time was left");
    char **argv = HD_NEW_ARRAY(char *, words->length + 2);
    argv[0] = hd_mem_string("heddle", 6);
    for (size_t i = 0; i < words->length; i++)
        argv[i + 1] = hd_mem_string(words->data[i], strlen(words->data[i]));
    if (seconds > 0 && !check->interrupted)
        run(check, argv, seconds, json, answer);
    for (size_t i = 0; argv[i]; i++)
        free(argv[i]);
    free(argv);
    hd_vec_release(words);
}
