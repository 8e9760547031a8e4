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

/* The runtime's own messages about memory (src/rt/rt_freed.c) and about locks and threads
 * (src/rt/rt_misuse.c), by their first words. */
static const struct {
    const char *words, *rule;
} rules[] = {
    {"use after free", "use-after-free"},
    {"free of what", "use-after-free"},
    {"unlock of ", "unlock"},
    {"destruction of ", "destroy"},
    {"use after destruction: ", "use-after-destroy"},
    {"use without initialisation: ", "uninitialised"},
    {"initialisation of a static ", "once"},
    {"initialisation by pthread_once ", "once"},
    {"initialisation of ", "init"},
    {"deadlock with itself: ", "relock"},
    {"wait with ", "wait"},
    {"wait on ", "wait"},
    {"join of ", "join"},
    {"detach of ", "join"},
    {"use of a descriptor ", "descriptor"},
};

const char *hd_launch_abort_rule(const char *message) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strncmp(message, rules[i].words, strlen(rules[i].words)) == 0)
            return rules[i].rule;
    return *message ? "assertion" : "abort";
}

bool hd_launch_is_fault(const char *message) {
    const char *rule = hd_launch_abort_rule(message);
    return strcmp(rule, "assertion") != 0 && strcmp(rule, "abort") != 0;
}

const char *hd_launch_run_rule(const hd_launch_run *run) {
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK)
        return "deadlock";
    if (!WIFSIGNALED(run->status))
        return "exit";
    if (WTERMSIG(run->status) != SIGABRT)
        return "signal";
    return hd_launch_abort_rule(run->wire->message);
}

void hd_launch_thread_name(const hd_launch_run *run, uint32_t thread, hd_vec_char *to) {
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
