/*
 *     hold STEPS PROGRAM [ARGUMENT]...
 *
 * Runs the program, whose thread that calls getppid is stopped so many instructions later and never
 * goes on.  Then a byte can be read from descriptor 9, for another thread to end the process.  If
 * STEPS begins with '+', the last thread that is created is stopped instead, so many instructions
 * after it began.
 *
 * If the process has not ended after some seconds, it waits for something that the thread holds, as
 * `exit` does for the lock of the dynamic linker; then the thread goes on, and that is said.
 *
 * This process becomes the program; its child is the tracer.  It ends with status 125 if it may not
 * trace.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

enum { GO = 9, REFUSED = 125, PATIENCE = 5 };

static pid_t program, held;
static bool at_birth;
static long steps;
static int go;

/* Single steps, to which signals that come meanwhile are passed on. */
static void hold(pid_t thread) {
    held = thread;
    for (int signal = 0, status; steps > 0; steps--) {
        if (ptrace(PTRACE_SINGLESTEP, thread, 0, signal) || waitpid(thread, &status, __WALL) < 0 ||
            !WIFSTOPPED(status))
            break;
        signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    }
    if (write(go, "", 1) != 1)
        perror("hold");
    alarm(PATIENCE);
}

static void nothing(int signal) {
    (void)signal;
}

static bool leaves_getppid(pid_t thread) {
    static pid_t inside;
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0)
        return false;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
        inside = info.entry.nr == SYS_getppid ? thread : inside;
    return info.op == PTRACE_SYSCALL_INFO_EXIT && inside == thread;
}

/* Whether the stopped thread goes on, and with which signal. */
static bool goes_on(pid_t thread, int status, int *signal) {
    int event = status >> 16;
    *signal = 0;
    if (thread == program || held)
        *signal = event || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    else if (at_birth && event == PTRACE_EVENT_STOP) {
        hold(thread);
        return false;
    } else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
        if (leaves_getppid(thread)) {
            hold(thread);
            return false;
        }
    } else if (!event)
        *signal = WSTOPSIG(status);
    return true;
}

static int trace(void) {
    const long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD;
    const struct sigaction interrupts = {.sa_handler = nothing};
    sigaction(SIGALRM, &interrupts, NULL);
    if (ptrace(PTRACE_SEIZE, program, 0, options))
        return REFUSED;
    if (write(go, "", 1) != 1)
        return REFUSED;
    for (;;) {
        int status, signal;
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR) {
            fputs("hold: let go\n", stderr);
            ptrace(PTRACE_CONT, held, 0, 0);
            continue;
        }
        if (thread < 0)
            return errno == ECHILD ? 0 : 1;
        if (WIFSTOPPED(status) && goes_on(thread, status, &signal))
            ptrace(thread == program || held ? PTRACE_CONT : PTRACE_SYSCALL, thread, 0, signal);
    }
}

int main(int count, char **words) {
    int ends[2];
    char ready;
    if (count < 3 || pipe(ends) || dup2(ends[0], GO) != GO) {
        fputs("usage: hold STEPS PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    at_birth = words[1][0] == '+';
    steps = strtol(words[1], NULL, 10);
    go = ends[1];
    program = getpid();
    pid_t tracer = fork();
    if (tracer == 0) {
        close(GO);
        close(ends[0]);
        int status = trace();
        if (status == REFUSED) {
            close(go);
            fputs("hold: not allowed to trace\n", stderr);
        }
        _exit(status);
    }
    close(ends[1]);
    prctl(PR_SET_PTRACER, tracer, 0, 0, 0);
    if (read(GO, &ready, 1) != 1)
        return REFUSED;
    close(ends[0]);
    execv(words[2], words + 2);
    perror(words[2]);
    return 2;
}
