#include "base_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct guard {
    pid_t tool, program;
    bool gently;
} guard;

/* What the tool is told, once. */
typedef struct news {
    pid_t program; /* as hd_guard_starts returned it; */
    int failed;    /* -1: with this errno */
    int code;
} news;

/* --- the guard: a fork of the tool, which may have had threads, so it only makes system calls ---
 */

static _Noreturn void leave(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Asks all of its group, which is its own, to end, and waits for that a moment. */
static void ask_all(void) {
    enum { MOMENTS = 30 };
    const struct timespec moment = {.tv_nsec = 10000000};
    sigset_t death;
    sigemptyset(&death);
    sigaddset(&death, SIGCHLD);
    kill(0, SIGTERM);
    for (int i = 0; i < MOMENTS && waitpid(-1, NULL, WNOHANG) >= 0; i++)
        sigtimedwait(&death, NULL, &moment);
}

/* Kills its children, those that come to it meanwhile too.  Who may not be killed, as a program of
 * another user's, is left. */
static _Noreturn void kill_all(void) {
    char name[64], text[4096];
    snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)getpid());
    for (;;) {
        int list = open(name, O_RDONLY | O_CLOEXEC);
        ssize_t length = list >= 0 ? read(list, text, sizeof text - 1) : 0;
        if (list >= 0)
            close(list);
        bool killed = false, cut = length == sizeof text - 1; /* the last number may be cut */
        pid_t process = 0;
        for (ssize_t i = 0; i < length; i++)
            if (text[i] >= '0' && text[i] <= '9') {
                process = process * 10 + (text[i] - '0');
            } else {
                killed |= process && kill(process, SIGKILL) == 0;
                process = 0;
            }
        if (process && !cut)
            killed |= kill(process, SIGKILL) == 0;
        if (!killed || (waitpid(-1, NULL, 0) < 0 && errno == ECHILD))
            leave(0);
    }
}

static _Noreturn void end_all(const guard *it) {
    if (it->gently)
        ask_all();
    kill_all();
}

/* Ends as the program did, without a core of its own. */
static _Noreturn void end_as(int status) {
    if (WIFEXITED(status))
        leave(WEXITSTATUS(status));
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    prctl(PR_SET_DUMPABLE, 0);
    sigaction(WTERMSIG(status), &usual, NULL);
    sigemptyset(&none);
    kill(getpid(), WTERMSIG(status));
    sigprocmask(SIG_SETMASK, &none, NULL);
    leave(127);
}

/* Does the tool end within a moment?  A signal at its death ends the wait. */
static bool ends_too(const guard *it) {
    enum { MOMENTS = 20 };
    const struct timespec moment = {.tv_nsec = 100000000};
    sigset_t death;
    sigemptyset(&death);
    sigaddset(&death, SIGCHLD);
    for (int i = 0; i < MOMENTS && getppid() == it->tool; i++)
        sigtimedwait(&death, NULL, &moment);
    return getppid() != it->tool;
}

/* Is there anything to end with the tool?  What the program left came to the guard at its death. */
static bool has_children(void) {
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Who has ended?  The tool, when it kills the program, kills the guard: if it was another who did,
 * then the whole group perhaps, with the tool. */
static void look(const guard *it) {
    siginfo_t info = {0};
    int status;
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid) {
        waitpid(info.si_pid, &status, 0);
        bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (info.si_pid == it->program && !(killed && has_children() && ends_too(it)))
            end_as(status);
        info.si_pid = 0;
    }
    if (getppid() != it->tool)
        end_all(it);
}

static void close_all(void) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 0, ~0U, 0) == 0)
        return;
#endif
    enum { MOST = 1 << 16 };
    struct rlimit limit = {.rlim_cur = MOST};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (rlim_t file = 0; file < limit.rlim_cur && file < MOST; file++)
        close((int)file);
}

static _Noreturn void watch_program(const guard *it) {
    sigset_t all;
    siginfo_t info;
    close_all();
    sigfillset(&all);
    for (look(it);; look(it)) {
        if (sigwaitinfo(&all, &info) <= 0 || info.si_signo == SIGCHLD || info.si_pid != it->tool)
            continue;
        if (it->gently)
            end_all(it);
        kill(it->program, info.si_signo);
    }
}

static _Noreturn void be_guard(pid_t tool, hd_guard_starts *start, void *context, bool gently,
                               int file) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    guard it = {.tool = tool, .gently = gently};
    news said = {0};
    sigaction(SIGCHLD, &usual, NULL); /* ignored, no child could be waited for */
    prctl(PR_SET_PDEATHSIG, SIGCHLD);
    if (getppid() != tool)
        leave(127);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* A signal to the tool's group is not for the guard, or it would not be there to end what has
     * left the group; nor one to all processes of the tool's name. */
    setpgid(0, 0);
    prctl(PR_SET_NAME, "hd-guard");
    it.program = said.program = start(context, &said.code);
    said.failed = errno;
    if (said.code)
        waitpid(it.program, NULL, 0);
    bool told = write(file, &said, sizeof said) == sizeof said;
    if (told && (said.program < 0 || said.code))
        leave(127);
    watch_program(&it); /* who cannot be told has ended */
}

/* --- the tool ------------------------------------------------------------------------------- */

/* False if it ended without a word. */
static bool hear(int file, news *heard) {
    ssize_t length;
    while ((length = read(file, heard, sizeof *heard)) < 0 && errno == EINTR)
        ;
    return length == sizeof *heard;
}

static pid_t give_up(pid_t child, const char *what, int code, hd_error *error) {
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    hd_error_set(error, "%s: %s", what, strerror(code));
    return -1;
}

/* The program may kill its parent before that has said a word.  Then it ends with it, and what it
 * did until then is known. */
static bool was_killed(pid_t child) {
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR)
            return false;
    return info.si_code == CLD_KILLED;
}

pid_t hd_guard_start(hd_guard_starts *start, void *context, bool gently, int *code,
                     hd_error *error) {
    int files[2];
    news heard = {0};
    pid_t tool = getpid();
    if (pipe2(files, O_CLOEXEC) != 0)
        return give_up(-1, "pipe", errno, error);
    pid_t child = fork();
    int failed = errno;
    if (child == 0)
        be_guard(tool, start, context, gently, files[1]);
    close(files[1]);
    bool good = child > 0 && hear(files[0], &heard);
    close(files[0]);
    *code = heard.code;
    if (child < 0)
        return give_up(child, "fork", failed, error);
    if (!good && was_killed(child))
        return child;
    if (!good || heard.program < 0)
        return give_up(child, "clone", good ? heard.failed : ECHILD, error);
    return child;
}

pid_t hd_guard_program(pid_t child) {
    char name[64];
    int program = child;
    snprintf(name, sizeof name, "/proc/%d/task/%d/children", (int)child, (int)child);
    FILE *list = fopen(name, "re");
    // NOLINTNEXTLINE(cert-err34-c): the kernel writes the number
    if (list && fscanf(list, "%d", &program) != 1)
        program = child;
    if (list)
        fclose(list);
    return program;
}
