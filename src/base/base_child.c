#include "base_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_guard.h"
#include "base_progress.h"
#include "base_stop.h"

enum {
    LOOK = 50, /* milliseconds from one look at the clock to the next */
    /* In which the guard ends: the program has temporary files of its own to remove, and what it
     * left in other sessions is looked for.  A machine with much else to do needs some of that. */
    GRACE = 5000,
    STACK = 64 << 10
};

/* --- starting it, in the guard -------------------------------------------------------------- */

typedef struct job {
    const hd_child *child;
    sigset_t mask;
    int nothing; /* /dev/null */
    int code;    /* why it could not be started; 0: it was */
} job;

/* The memory is the guard's: no handler of the tool's may run in it. */
static void set_signals(const job *it) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction now;
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(number, &usual, NULL);
    sigaction(SIGXFSZ, &usual, NULL);
    sigprocmask(SIG_SETMASK, &it->mask, NULL);
}

static int become_program(void *argument) {
    job *it = argument;
    const hd_child *child = it->child;
    dup2(child->input >= 0 ? child->input : it->nothing, STDIN_FILENO);
    if (child->output >= 0)
        dup2(child->output, STDOUT_FILENO);
    if (child->error >= 0)
        dup2(child->error, STDERR_FILENO);
    set_signals(it);
    execvp(child->words[0], child->words);
    it->code = errno;
    syscall(SYS_exit_group, 127);
    return 127;
}

static pid_t start(void *context, int *code) {
    job *it = context;
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return -1;
    pid_t process = clone(become_program, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, it);
    int failed = errno;
    munmap(stack, STACK);
    errno = failed;
    *code = it->code;
    return process;
}

static void reap(pid_t process, int *status) {
    while (waitpid(process, status, 0) < 0 && errno == EINTR)
        ;
}

bool hd_child_start(hd_child *child, hd_error *error) {
    sigset_t all;
    int code = 0, status;
    job it = {.child = child, .nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)};
    fflush(NULL);
    hd_stop_listen();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &it.mask);
    child->process = hd_guard_start(start, &it, true, &code, error);
    pthread_sigmask(SIG_SETMASK, &it.mask, NULL);
    if (it.nothing >= 0)
        close(it.nothing);
    if (child->process < 0)
        return false;
    if (!code)
        return true;
    reap(child->process, &status);
    return hd_error_set(error, "%s: %s", child->words[0], strerror(code));
}

/* --- waiting for it, in the tool ------------------------------------------------------------ */

/* Can the file be read, or does it end, before the next look at the clock? */
static bool is_ready(int file) {
    struct pollfd files[] = {{.fd = file, .events = POLLIN},
                             {.fd = hd_stop_asked() ? -1 : hd_stop_file(), .events = POLLIN}};
    double left = hd_clock_left(LOOK * 1e-3);
    return poll(files, 2, (int)(left * 1e3) + 1) > 0 && files[0].revents;
}

void hd_child_read(int from, hd_vec_char *to) {
    char part[1 << 16];
    ssize_t got = 1;
    while (got > 0 && hd_clock_look() == HD_CLOCK_GOES) {
        if (!is_ready(from))
            continue;
        got = read(from, part, sizeof part);
        for (ssize_t i = 0; i < got; i++)
            hd_vec_push(to, part[i]);
    }
    close(from);
}

/* `file` is that of the process, -1 if none exists. */
static bool has_ended(pid_t process, int file) {
    siginfo_t info = {0};
    if (file >= 0)
        return is_ready(file);
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid)
        return true;
    poll(NULL, 0, 10);
    return false;
}

/* The guard ends it, and is killed if it does not. */
static void end_all(pid_t process, int file) {
    double until = hd_progress_clock() + GRACE * 1e-3;
    kill(process, SIGTERM);
    while (!has_ended(process, file) && hd_progress_clock() < until)
        ;
    kill(-process, SIGKILL);
}

bool hd_child_wait(const hd_child *child) {
    int status = -1, file = (int)syscall(SYS_pidfd_open, child->process, 0);
    bool ended = false;
    while (!(ended = has_ended(child->process, file)) && hd_clock_look() == HD_CLOCK_GOES)
        ;
    if (!ended)
        end_all(child->process, file);
    if (file >= 0)
        close(file);
    reap(child->process, &status);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
