/*
 * How a run ended, for people.
 */
#include <signal.h>
#include <sys/wait.h>

#include "native_print.h"
#include "native_run.h"

bool hd_native_run_succeeded(const hd_native_run *run) {
    return WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;
}

void hd_native_run_describe(const hd_native_run *run, hd_vec_char *to) {
    char message[sizeof run->wire->message];
    memcpy(message, run->wire->message, sizeof message);
    message[sizeof message - 1] = '\0';
    if (run->timed_out)
        hd_native_print(to, "stopped: it ran too long");
    else if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        hd_native_print(to, "deadlock: every thread waits");
    else if (run->wire->ending == HEDDLE_WIRE_DIVERGED)
        hd_native_print(to, "diverged: %s", message);
    else if (*message)
        hd_native_print(to, "%s", message);
    else if (WIFSIGNALED(run->status))
        hd_native_print(to, "killed by signal %d, %s", WTERMSIG(run->status),
                        strsignal(WTERMSIG(run->status)));
    else
        hd_native_print(to, "exit status %d", WEXITSTATUS(run->status));
}

/* The runtime's own messages about memory (src/rt/rt_freed.c). */
const char *hd_native_abort_rule(const char *message) {
    if (strncmp(message, "use after free", 14) == 0 || strncmp(message, "free of what", 12) == 0)
        return "use-after-free";
    return *message ? "assertion" : "abort";
}

const char *hd_native_run_rule(const hd_native_run *run) {
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        return "deadlock";
    if (!WIFSIGNALED(run->status))
        return "exit";
    if (WTERMSIG(run->status) != SIGABRT)
        return "signal";
    return hd_native_abort_rule(run->wire->message);
}
