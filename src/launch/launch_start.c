/*
 * The child shares the tool's memory until it has become the program, as that of posix_spawn does,
 * which cannot fix addresses.  A fork of the tool would copy its page tables, and the tool would
 * then copy every page that it writes to: milliseconds for a search that takes tens of them.
 *
 * So everything that needs memory is made before, the environment above all, and the child only
 * makes system calls.
 */
#include "launch_start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch_end.h"

enum { STACK = 256 << 10, VARIABLE = 2 * PATH_MAX + 64 };

typedef HD_VEC(char *) environment;

typedef struct job {
    const hd_launch_options *options;
    char **variables;
    pid_t parent;  /* the tool or a guard */
    pid_t group;   /* the tool's */
    sigset_t mask; /* of the program */
    int wire;      /* which it is to inherit */
    int code;      /* why it could not be started; 0: it was */
} job;

/* --- before ------------------------------------------------------------------------------------
 */

/* As setenv: in the place of the variable of that name, or at the end. */
static void set_variable(environment *variables, const char *name, const char *value) {
    size_t length = strlen(name);
    char text[VARIABLE];
    snprintf(text, sizeof text, "%s=%s", name, value);
    char *made = hd_mem_string(text, strlen(text));
    for (size_t i = 0; i < variables->length; i++)
        if (strncmp(variables->data[i], made, length + 1) == 0) {
            free(variables->data[i]);
            variables->data[i] = made;
            return;
        }
    hd_vec_push(variables, made);
}

static bool pads;

void hd_launch_start_padded(bool wanted) {
    pads = wanted;
}

/* Above the stack of main are the variables and their addresses: as many variables as a multiple of
 * many, and as many bytes. */
static void pad_environment(environment *variables) {
    static const char name[] = "HEDDLE_PADDING=";
    enum { COUNT = 256, BYTES = 32 << 10 };
    size_t size = 0;
    while ((variables->length + 1) % COUNT)
        hd_vec_push(variables, hd_mem_string(name, sizeof name - 1));
    for (size_t i = 0; i < variables->length; i++)
        size += strlen(variables->data[i]) + 1;
    size_t more = BYTES - (size + sizeof name) % BYTES;
    char *text = hd_mem_zero(sizeof name + more, 1);
    memset(text, 'x', sizeof name + more - 1);
    memcpy(text, name, sizeof name - 1);
    hd_vec_push(variables, text);
}

static void make_environment(environment *variables, const hd_launch_options *options, int wire,
                             const char *runtime) {
    char text[2 * PATH_MAX];
    for (char **it = environ; *it; it++)
        hd_vec_push(variables, hd_mem_string(*it, strlen(*it)));
    /* The number of the family (launch_end.h) after that of the file.  Always as long, or the stack
     * would not begin in one place. */
    snprintf(text, sizeof text, "%05d.%010u", wire, hd_launch_end_family());
    set_variable(variables, HEDDLE_WIRE_ENV, text);
    /* How OpenMP's threads wait for each other cannot be seen (rt_process.c says so). */
    set_variable(variables, "OMP_THREAD_LIMIT", "1");
    if (options->tsan) {
        const char *before = getenv("LD_LIBRARY_PATH");
        snprintf(text, sizeof text, "%s/tsan%s%s", runtime, before ? ":" : "",
                 before ? before : "");
        set_variable(variables, "LD_LIBRARY_PATH", text);
    }
    /* Functions found on the first call are not seen, explored or recorded (rt_got.c), and would be
     * found again in every explored run. */
    set_variable(variables, "LD_BIND_NOW", "1");
    if (pads)
        pad_environment(variables);
    hd_vec_push(variables, NULL);
}

static void release_environment(environment *variables) {
    for (size_t i = 0; i < variables->length; i++)
        free(variables->data[i]);
    hd_vec_release(variables);
}

/* --- the child ------------------------------------------------------------------------------ */

/* As _exit, which the address sanitizer does not expect on another stack. */
static void end_child(void) {
    syscall(SYS_exit_group, 127);
}

/* The program ends with the tool, however that ends. */
static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        end_child();
}

/* The program's own files have the same numbers however it is started. */
static void close_extra(int file) {
    if (file > STDERR_FILENO)
        close(file);
}

/* What the tool was started with; more are not looked at. */
enum { FILES = 1024 };
static bool given[FILES];

/* One call finds which are open. */
__attribute__((constructor)) static void note_given(void) {
    struct pollfd files[FILES];
    for (int file = 0; file < FILES; file++)
        files[file] = (struct pollfd){.fd = file};
    bool asked = poll(files, FILES, 0) >= 0;
    for (int file = STDERR_FILENO + 1; file < FILES; file++)
        if (!asked || !(files[file].revents & POLLNVAL)) {
            int flags = fcntl(file, F_GETFD);
            given[file] = flags >= 0 && !(flags & FD_CLOEXEC);
        }
}

/* From one number to before another: a program does not inherit them. */
static void keep_range(int from, int to) {
    enum { ON_EXEC = 4 };
#ifdef SYS_close_range
    if (from >= to || syscall(SYS_close_range, from, to - 1, ON_EXEC) == 0)
        return;
#endif
    for (int file = from; file < to; file++)
        fcntl(file, F_SETFD, FD_CLOEXEC);
}

/* Libraries of the tool's open files that would be inherited.  The child has a table of its own. */
static void keep_own_files(int wire) {
    int from = STDERR_FILENO + 1;
    for (int file = from; file < FILES; file++)
        if (given[file] || file == wire) {
            keep_range(from, file);
            from = file + 1;
        }
    keep_range(from, FILES);
}

/* A program that is explored has a process group of its own: a signal from the terminal is for the
 * tool, which is not to take it for what a run came to. */
static void set_files(const hd_launch_options *options) {
    if (options->silent) {
        int null = open("/dev/null", O_RDWR);
        dup2(options->captured ? options->captured : null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        close_extra(null);
    }
    if (options->no_input || (options->explored && !options->alone)) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, STDIN_FILENO);
        close_extra(null);
        setpgid(0, 0);
    }
    if (options->aside)
        dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* No signal is handled until the tool's handlers are gone, for they would run in its memory: exec
 * removes them all, and those that the program is to have by default are not ignored. */
static void set_signals(const job *it) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction now;
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN &&
            now.sa_handler != SIG_DFL)
            sigaction(number, &usual, NULL);
    sigaction(SIGXFSZ, &usual, NULL);
    sigprocmask(SIG_SETMASK, &it->mask, NULL);
}

/* Of many runs that crash, a core of each takes longer to write than the run, and fills the disk.
 * One byte is no core, and unlike none it also counts where the kernel gives cores to a program. */
static void write_no_cores(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 1) {
        limit.rlim_cur = 1;
        setrlimit(RLIMIT_CORE, &limit);
    }
}

/* Without a limit on the stack the kernel puts memory where heddle has its own. */
static void limit_stack(void) {
    enum { MOST = 512 << 20 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) {
        limit.rlim_cur = MOST;
        setrlimit(RLIMIT_STACK, &limit);
    }
}

static int become_program(void *argument) {
    job *it = argument;
    char **argv = it->options->argv;
    end_with(it->parent);
    if (getpgrp() != it->group)
        setpgid(0, it->group);
    set_files(it->options);
    if (it->options->silent || (it->options->explored && !it->options->alone))
        write_no_cores();
    keep_own_files(it->wire);
    limit_stack();
    hd_launch_run_fix_addresses(); /* where that is not allowed, names do not depend on it */
    set_signals(it);
    /* execvpe would give what is no program to the shell. */
    if (strchr(argv[0], '/'))
        execve(argv[0], argv, it->variables);
    else
        execvpe(argv[0], argv, it->variables);
    it->code = errno;
    end_child();
    return 127;
}

/* --- both ----------------------------------------------------------------------------------- */

/* By the tool, or by a guard. */
static pid_t start(void *context, int *code) {
    job *it = context;
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return -1;
    it->parent = getpid();
    pid_t child = clone(become_program, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, it);
    int failed = errno;
    munmap(stack, STACK);
    errno = failed;
    *code = it->code;
    return child;
}

/* A program that runs freely may start others. */
static pid_t start_with_signals_blocked(job *it, int *code, hd_error *error) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &it->mask);
    pid_t child =
        it->options->free_running ? hd_guard_start(start, it, false, code, error) : start(it, code);
    if (child < 0 && !it->options->free_running)
        hd_error_set(error, "clone: %s", strerror(errno));
    pthread_sigmask(SIG_SETMASK, &it->mask, NULL);
    return child;
}

pid_t hd_launch_start(const hd_launch_options *options, int wire, const char *runtime, int *code,
                      hd_error *error) {
    environment variables = {0};
    job it = {.options = options, .group = getpgrp(), .wire = wire};
    make_environment(&variables, options, wire, runtime);
    it.variables = variables.data;
    fflush(NULL);
    pid_t child = start_with_signals_blocked(&it, code, error);
    release_environment(&variables);
    return child;
}
