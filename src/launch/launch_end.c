#include "launch_end.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE = 1000 }; /* milliseconds that a program has to end by itself */

/* --- its processes -------------------------------------------------------------------------- */

static bool is_before(const hd_launch_family *family, pid_t process) {
    for (size_t i = 0; i < family->before.length; i++)
        if (family->before.data[i] == process)
            return true;
    return false;
}

/* The children of this process, one after the other, for as long as `each` says true. */
static bool each_child(bool (*each)(void *context, pid_t child), void *context) {
    char name[64];
    int child;
    bool more = true;
    snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(name, "re");
    // NOLINTNEXTLINE(cert-err34-c): the kernel writes the number
    while (file && more && fscanf(file, "%d", &child) == 1)
        more = each(context, child);
    if (file)
        fclose(file);
    return more;
}

static bool note_child(void *context, pid_t child) {
    hd_launch_family *family = context;
    hd_vec_push(&family->before, child);
    return true;
}

void hd_launch_end_kill(pid_t child, int *status) {
    kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
}

/* The family whose program runs now, for a handler; and where its processes are listed. */
static const hd_launch_family *_Atomic current;
static char list_name[64];

/* Kills the processes of a list, each before the next is looked at: false if there was none.  Only
 * what is allowed in a handler. */
static bool kill_listed(const hd_launch_family *family, const char *text, ssize_t length) {
    bool killed = false;
    pid_t process = 0;
    for (ssize_t i = 0; i < length; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            process = process * 10 + (text[i] - '0');
            continue;
        }
        if (process && !is_before(family, process)) {
            hd_launch_end_kill(process, NULL);
            killed = true;
        }
        process = 0;
    }
    return killed;
}

/* A second signal: what the program has forked would be left over. */
static void kill_at_once(void) {
    const hd_launch_family *family = atomic_load(&current);
    char text[4096];
    for (bool more = family != NULL; more;) {
        int list = open(list_name, O_RDONLY | O_CLOEXEC);
        ssize_t length = list >= 0 ? read(list, text, sizeof text - 1) : 0;
        if (list >= 0)
            close(list);
        if (length == sizeof text - 1) /* the last number may be cut */
            while (text[length - 1] != ' ')
                length--;
        more = kill_listed(family, text, length);
    }
}

/* How many families are there, and how many there ever were. */
static struct {
    pthread_mutex_t lock;
    unsigned now, ever;
} families = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local unsigned own_number;

unsigned hd_launch_end_family(void) {
    return own_number;
}

void hd_launch_end_init(hd_launch_family *family) {
    *family = (hd_launch_family){0};
    each_child(note_child, family);
    pthread_mutex_lock(&families.lock);
    families.now++;
    own_number = family->number = ++families.ever;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    snprintf(list_name, sizeof list_name, "/proc/self/task/%d/children", (int)getpid());
    atomic_store(&current, family);
    hd_stop_before_end(kill_at_once);
    pthread_mutex_unlock(&families.lock);
}

void hd_launch_end_release(hd_launch_family *family) {
    pthread_mutex_lock(&families.lock);
    if (atomic_load(&current) == family) {
        hd_stop_before_end(NULL);
        atomic_store(&current, NULL);
    }
    if (--families.now == 0)
        prctl(PR_SET_CHILD_SUBREAPER, 0);
    pthread_mutex_unlock(&families.lock);
    own_number = 0;
    hd_vec_release(&family->before);
}

static bool is_alone(void) {
    pthread_mutex_lock(&families.lock);
    bool alone = families.now == 1;
    pthread_mutex_unlock(&families.lock);
    return alone;
}

/* The number of a family in the environment that a process was started with; 0: none. */
static unsigned number_of(pid_t process) {
    static const char mark[] = HEDDLE_WIRE_ENV "=";
    char name[64], *text = NULL;
    size_t room = 0;
    unsigned number = 0;
    snprintf(name, sizeof name, "/proc/%d/environ", (int)process);
    FILE *file = fopen(name, "re");
    while (file && !number && getdelim(&text, &room, '\0', file) > 0) {
        const char *point = strncmp(text, mark, sizeof mark - 1) == 0 ? strchr(text, '.') : NULL;
        number = point ? (unsigned)strtoul(point + 1, NULL, 10) : 0;
    }
    free(text);
    if (file)
        fclose(file);
    return number;
}

static bool is_of(const hd_launch_family *family, pid_t process) {
    if (is_before(family, process) || hd_launch_launched_elsewhere(process))
        return false;
    unsigned number = number_of(process);
    return number ? number == family->number : is_alone();
}

/* False when it has killed one: then the list is another. */
static bool kill_child(void *context, pid_t child) {
    if (!is_of(context, child))
        return true;
    hd_launch_end_kill(child, NULL);
    return false;
}

/* Their children come to light when they have ended. */
void hd_launch_end_kill_rest(const hd_launch_family *family) {
    while (!each_child(kill_child, (void *)(uintptr_t)family))
        ;
}

/* --- waiting -------------------------------------------------------------------------------- */

/* Has it ended, or does it within that time?  A signal that comes ends the wait, unless it is
 * known.  `file` is that of the process, -1 if none exists. */
static bool has_ended(pid_t child, int file, int milliseconds, bool known) {
    struct pollfd files[] = {{.fd = file, .events = POLLIN},
                             {.fd = known ? -1 : hd_stop_file(), .events = POLLIN}};
    siginfo_t info = {0};
    if (file >= 0)
        return poll(files, 2, milliseconds) > 0 && files[0].revents;
    for (int waited = 0; waited < milliseconds && (known || !hd_stop_asked()); waited += 10) {
        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid)
            return true;
        poll(NULL, 0, 10);
    }
    return false;
}

/* The same, however many signals come that are not for us. */
static bool ends_within(pid_t child, int file, int milliseconds) {
    double until = hd_progress_clock() + milliseconds * 1e-3, left = milliseconds;
    while (left > 0) {
        if (has_ended(child, file, (int)left + 1, true))
            return true;
        left = (until - hd_progress_clock()) * 1e3;
    }
    return false;
}

/* Does the process ignore that signal? */
static bool ignores(pid_t process, int number) {
    static const char field[] = "SigIgn:";
    char name[64], line[256];
    uint64_t ignored = 0;
    snprintf(name, sizeof name, "/proc/%d/status", (int)process);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, field, sizeof field - 1) == 0)
            ignored = strtoull(line + sizeof field - 1, NULL, 16);
    if (file)
        fclose(file);
    return ignored >> (number - 1) & 1;
}

/* The tool is asked to end: the process gets the signal, unless it is the terminal's, which was
 * sent to both, and a moment for what it does then; not one that ignores it, and would only go on.
 * False if it had to be killed. */
static bool stop_process(pid_t child, int file) {
    if (!hd_stop_by_terminal())
        kill(child, hd_stop_asked());
    if (ends_within(child, file, ignores(child, hd_stop_asked()) ? 0 : GRACE))
        return true;
    kill(child, SIGKILL);
    return false;
}

/* Grows with everything that is recorded, and with every point that is passed. */
static uint64_t progress_of(const hd_launch_run *run) {
    heddle_wire *wire = run->wire;
    uint64_t sum = wire->points_passed + wire->lost + wire->begun;
    for (uint64_t i = 0;
         i < wire->chunks && HEDDLE_WIRE_DATA + (i + 1) * HEDDLE_WIRE_CHUNK <= run->size; i++)
        sum += heddle_wire_chunk_at(wire, i)->tail;
    return sum;
}

static void say_still(const hd_launch_options *options, unsigned seconds) {
    hd_log_write(HD_LOG_WARNING,
                 "%s: nothing was recorded for %u second%s: it waits for something outside, "
                 "computes without an access to memory, or is in a loop that reads a plain "
                 "variable only once (-O0 or an atomic variable show that); --timeout ends it",
                 options->argv[0], seconds, seconds == 1 ? "" : "s");
}

/* About how many seconds it takes to save what was recorded so far, which is a part of the limit on
 * time: a run that is killed is saved event by event. */
static double saving_takes(const hd_launch_run *run) {
    const double controlled = 300e-9, free_running = 700e-9; /* for an event, on a busy machine */
    heddle_wire *wire = run->wire;
    double records = 0, seen = 0;
    for (uint64_t i = 0;
         i < wire->chunks && HEDDLE_WIRE_DATA + (i + 1) * HEDDLE_WIRE_CHUNK <= run->size; i++) {
        const heddle_wire_chunk *chunk = heddle_wire_chunk_at(wire, i);
        if (!chunk->lane)
            continue;
        records += (double)(chunk->items + HEDDLE_WIRE_TAIL_RUN(chunk->tail));
        seen++;
    }
    double more = seen > 0 && (double)wire->begun > seen ? (double)wire->begun / seen : 1;
    return records * more * (wire->mode == HEDDLE_WIRE_CONTROLLED ? controlled : free_running);
}

/* Waits for the end, a second at a time, with a limit on time less; says if nothing happens for
 * long. */
static void watch(hd_launch_run *run, pid_t child, int file, const hd_launch_options *options) {
    const double step = 0.05, long_time = 1e9;
    uint64_t before = UINT64_MAX;
    unsigned still = 0;
    bool told = !options->patience, timed = hd_clock_left(long_time) < long_time;
    double since = hd_progress_clock(), looked = since;
    while ((!options->timeout || hd_progress_clock() - since < options->timeout) &&
           hd_clock_look() != HD_CLOCK_LATE &&
           (!timed || hd_clock_left(long_time) > saving_takes(run))) {
        double left = hd_clock_left(timed ? step : 1);
        if (has_ended(child, file, left < 1 ? (int)(left * 1000) + 1 : 1000, false))
            return;
        if (hd_stop_asked()) {
            run->stopped = hd_stop_asked();
            run->killed = !stop_process(child, file);
            return;
        }
        if (hd_progress_clock() - looked < 1 - step)
            continue;
        looked = hd_progress_clock();
        uint64_t now = told ? 0 : progress_of(run);
        still = now == before ? still + 1 : 0;
        before = now;
        if (told || still < options->patience)
            continue;
        told = true;
        say_still(options, still);
    }
    run->timed_out = true;
    kill(child, SIGKILL);
}

/* A signal to the group can end the program before the tool has seen its own. */
static int signal_of_both(int status) {
    enum { MOMENT = 100 };
    struct pollfd file = {.fd = hd_stop_file(), .events = POLLIN};
    if (!hd_stop_asked() && WIFSIGNALED(status) && hd_stop_is(WTERMSIG(status)))
        poll(&file, 1, MOMENT);
    return hd_stop_asked();
}

void hd_launch_end_await(hd_launch_run *run, pid_t child, const hd_launch_options *options,
                         const hd_launch_family *family) {
    int file = (int)syscall(SYS_pidfd_open, child, 0);
    watch(run, child, file, options);
    if (file >= 0)
        close(file);
    while (waitpid(child, &run->status, 0) < 0 && errno == EINTR)
        ;
    if (!run->timed_out && !run->stopped)
        run->stopped = signal_of_both(run->status);
    if (run->timed_out || run->stopped)
        hd_launch_end_kill_rest(family);
}
