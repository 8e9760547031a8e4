/*
 * How a run ended, for people.
 */
#include <signal.h>
#include <sys/wait.h>

#include "base/base.h"
#include "launch_run.h"

bool hd_launch_run_succeeded(const hd_launch_run *run) {
    return WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;
}

void hd_launch_run_describe(const hd_launch_run *run, hd_vec_char *to) {
    char message[sizeof run->wire->message];
    memcpy(message, run->wire->message, sizeof message);
    message[sizeof message - 1] = '\0';
    if (run->timed_out)
        hd_text_append(to, "stopped: it ran too long");
    else if (run->stopped)
        hd_text_append(to, "ended by %s%s", hd_stop_name(run->stopped),
                       run->killed ? ", and killed, for it did not end by that" : "");
    else if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        hd_text_append(to, "deadlock: every thread waits");
    else if (run->wire->ending == HEDDLE_WIRE_EXEC && WIFEXITED(run->status))
        hd_text_append(to, "exec: it became another program, whose exit status is %d",
                       WEXITSTATUS(run->status));
    else if (run->wire->ending == HEDDLE_WIRE_DIVERGED)
        hd_text_append(to, "diverged: %s", message);
    else if (*message)
        hd_text_append(to, "%s", message);
    else if (WIFSIGNALED(run->status))
        hd_text_append(to, "killed by signal %d, %s", WTERMSIG(run->status),
                       strsignal(WTERMSIG(run->status)));
    else
        hd_text_append(to, "exit status %d", WEXITSTATUS(run->status));
}

const char *hd_launch_fault_rule(const heddle_wire_fault *fault) {
    static const char *const rules[] = {
        NULL,
#define HEDDLE_FAULT(ID, rule) rule,
#include "heddle/fault.def"
    };
    return fault->kind < HEDDLE_WIRE_FAULTS ? rules[fault->kind] : NULL;
}

const char *hd_launch_abort_rule(const char *message, const heddle_wire_fault *fault) {
    const char *rule = hd_launch_fault_rule(fault);
    if (!rule && strstr(message, ": assertion failed: not linearizable: "))
        return "linearizability"; /* heddle/linear.h */
    return rule ? rule : *message ? "assertion" : "abort";
}

const char *hd_launch_run_rule(const hd_launch_run *run) {
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        return "deadlock";
    if (!WIFSIGNALED(run->status))
        return "exit";
    if (WTERMSIG(run->status) != SIGABRT)
        return "signal";
    return hd_launch_abort_rule(run->wire->message, &run->wire->fault);
}

void hd_launch_thread_name(const hd_launch_run *run, uint32_t thread, hd_vec_char *to) {
    if (thread >= HEDDLE_WIRE_THREADS) { /* the program wrote over its number */
        hd_text_append_text(to, "unknown");
        return;
    }
    const heddle_wire_thread *it = &run->wire->thread[thread];
    uint32_t creator = it->creator;
    if (!thread) {
        hd_text_append_text(to, "main");
        return;
    }
    if (creator < thread)
        hd_launch_thread_name(run, creator, to);
    hd_text_append_text(to, ".");
    hd_text_append_number(to, it->birth);
}
