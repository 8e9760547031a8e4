#include "native_server.h"
#include "native_output.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "native_damage.h"
#include "native_hang.h"

enum { USUAL_PATIENCE = 10 };

/* While a file is there that a program is to inherit, or others would have it too. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

typedef bool starting_work(hd_native_server *server, const hd_launch_options *how, hd_error *error);

static bool start_alone(starting_work *work, hd_native_server *server, const hd_launch_options *how,
                        hd_error *error) {
    hd_mem_lock(&starting);
    bool good = work(server, how, error);
    hd_mem_unlock(&starting);
    return good;
}

static bool launch_program(hd_native_server *server, const hd_launch_options *how,
                           hd_error *error) {
    server->run = (hd_launch_run){0};
    int file = hd_launch_runtime(error) ? hd_launch_run_wire(&server->run, how, error) : -1;
    return file >= 0 && hd_launch_run_launch(&server->run, file, how, &server->process, error);
}

/* Several get ready at the same time. */
static bool start_program(hd_native_server *server, const hd_launch_options *how, hd_error *error) {
    return start_alone(launch_program, server, how, error) &&
           hd_launch_run_attach(&server->run, how, &server->process, error);
}

static bool prepare_program(hd_native_server *server, const hd_launch_options *how,
                            hd_error *error) {
    int file = hd_launch_run_wire(&server->run, how, error);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static bool prepare_alone(hd_native_server *server, const hd_launch_options *how, hd_error *error) {
    return start_alone(prepare_program, server, how, error);
}

static bool start(hd_native_server *server, const hd_native_machine_options *options,
                  starting_work *work, hd_error *error) {
    *server =
        (hd_native_server){.patience = options->patience > 0 ? options->patience : USUAL_PATIENCE,
                           .until = options->until,
                           .most_steps = options->most_steps};
    if (!server->most_steps || server->most_steps > HEDDLE_WIRE_STEPS)
        server->most_steps = HEDDLE_WIRE_STEPS;
    hd_native_left_out_init(&server->left_out, options);
    int file = memfd_create("heddle-output", MFD_CLOEXEC);
    server->output = file > 0 ? file : 0;
    hd_launch_options how = {.argv = options->argv,
                             .silent = true,
                             .explored = true,
                             .again = options->again,
                             .tsan = options->tsan,
                             .words = options->words,
                             .word_count = options->word_count,
                             .captured = server->output};
    if (!work(server, &how, error)) {
        if (server->output)
            close(server->output);
        return false;
    }
    server->explore = (heddle_wire_explore *)((char *)server->run.wire + server->run.size -
                                              sizeof *server->explore);
    server->explore->threads = 1;
    hd_native_damage_init(server);
    server->by_fork = options->by_fork;
    return true;
}

bool hd_native_server_start(hd_native_server *server, const hd_native_machine_options *options,
                            hd_error *error) {
    return start(server, options, start_program, error);
}

bool hd_native_server_prepare(hd_native_server *server, const hd_native_machine_options *options,
                              hd_error *error) {
    return start(server, options, prepare_alone, error);
}

static void ask_server(hd_native_server *server, uint32_t what) {
    server->explore->what = what;
    __atomic_add_fetch(&server->explore->request, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &server->explore->request, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* The child that executes run after run. */
static pid_t child_of(const hd_native_server *server) {
    return __atomic_load_n(&server->explore->child, __ATOMIC_ACQUIRE);
}

void hd_native_server_rest(hd_native_server *server) {
    hd_native_seat_rest(&server->seat, server->process, child_of(server));
}

/* A program may stop its parent, too, which then answers nothing. */
static void rouse(pid_t process) {
    if (hd_native_hang_is_stopped(process))
        kill(process, SIGCONT);
}

void hd_native_server_stop(hd_native_server *server) {
    if (server->explore)
        hd_native_seat_leave(&server->seat, server->process, child_of(server));
    if (server->explore && server->process > 0) {
        rouse(server->process);
        ask_server(server, HEDDLE_WIRE_QUIT);
        while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    hd_native_left_out_release(&server->left_out);
    hd_launch_run_release(&server->run);
    if (server->output)
        close(server->output);
    *server = (hd_native_server){0};
}

void hd_native_server_move(hd_native_server *server, hd_native_server *from) {
    hd_native_server before = *server;
    hd_native_seat_leave(&server->seat, server->process, child_of(server));
    server->run = from->run;
    server->output = from->output;
    server->left_out = from->left_out;
    server->explore = from->explore;
    server->process = from->process;
    memcpy(server->head, from->head, sizeof server->head);
    from->run = before.run;
    from->output = before.output;
    from->left_out = before.left_out;
    from->explore = before.explore;
    from->process = before.process;
    hd_native_server_stop(from);
}

/* --- waiting for the answer ----------------------------------------------------------------- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Has the process itself ended? */
static bool is_gone(hd_native_server *server) {
    pid_t ended = waitpid(server->process, &server->run.status, WNOHANG);
    if (ended != server->process && (ended == 0 || errno != ECHILD))
        return false;
    server->process = 0;
    return true;
}

/* Runs that were done for the last request, if it was for several. */
static uint32_t runs_done(const hd_native_server *server) {
    return __atomic_load_n(&server->explore->done, __ATOMIC_ACQUIRE);
}

/* Why a run that takes no step seemed hopeless when it was looked at last. */
struct signs {
    bool blocked, stopped;
};

/* Will a run that has taken no step since then never go on?  Whether it waits inside the C library
 * is checked twice, because short waits there are normal; whether it is stopped, too, because it
 * may have been stopped together with this process. */
static bool is_hopeless(hd_native_server *server, pid_t child, double begun, double since,
                        struct signs *before) {
    static const double soon = 0.25, long_enough = 0.75;
    double now = seconds();
    if (now - since > soon && server->explore->begun == server->explore->request) {
        struct signs signs = {hd_native_hang_is_blocked(child), hd_native_hang_is_stopped(child)};
        server->stopped = signs.stopped && before->stopped;
        server->blocked = signs.blocked && before->blocked && !server->stopped;
        *before = signs;
    }
    /* What was found is still checked then, by runs that come to an end: all of them together. */
    bool over = hd_stop_asked() || hd_clock_look() != HD_CLOCK_GOES;
    bool stopped = over && (now - since > soon || now - begun > long_enough ||
                            hd_clock_late_by() > long_enough);
    server->late = stopped || (server->until > 0 && now > server->until);
    return server->blocked || server->stopped || server->late || now - since > server->patience;
}

/* The first time it reports where it is, for which it has to go on; then it is killed.  False if
 * there is no such child: it has ended, or the program wrote over its number. */
static bool end_run(pid_t child, pid_t parent, bool again) {
    rouse(parent);
    if (!hd_native_hang_is_child(child, parent))
        return false;
    kill(child, again ? SIGKILL : HEDDLE_WIRE_HANG_SIGNAL);
    rouse(child);
    return true;
}

/* The process does not even begin the run, and the time is up. */
static void give_up(hd_native_server *server) {
    snprintf(server->run.wire->message, sizeof server->run.wire->message, "no run began before %s",
             hd_stop_asked() ? "a signal came" : "the time was up");
    kill(server->process, SIGKILL);
}

/* Waits for the answer.  A run that makes no progress is ended; true if this one was. */
static bool await_answer(hd_native_server *server) {
    enum { MOST_VAIN = 3 };
    static const double moment = 1;
    heddle_wire_explore *explore = server->explore;
    uint32_t wanted = explore->request, seen, steps = 0;
    double begun = 0, since = 0, ended = 0; /* the wait for the next step; 0: it was not long yet */
    struct signs signs = {0};
    bool beyond = false;
    unsigned vain = 0; /* times that there was no child to end */
    server->blocked = server->stopped = server->late = server->outside = false;
    while ((seen = __atomic_load_n(&explore->answer, __ATOMIC_ACQUIRE)) != wanted) {
        struct timespec span = {.tv_nsec = 100000000};
        syscall(SYS_futex, &explore->answer, FUTEX_WAIT, seen, &span, NULL, 0);
        if (__atomic_load_n(&explore->answer, __ATOMIC_ACQUIRE) == wanted || is_gone(server) ||
            (beyond && hd_native_damage_beyond(server)))
            break;
        beyond = hd_native_damage_beyond(server);
        uint32_t now = __atomic_load_n(&explore->progress, __ATOMIC_RELAXED);
        if (now != steps || since == 0)
            since = seconds();
        begun = begun > 0 ? begun : since;
        steps = now;
        int child = __atomic_load_n(&explore->child, __ATOMIC_ACQUIRE);
        if (child <= 0 && is_hopeless(server, server->process, begun, since, &signs)) {
            rouse(server->process);
            if (server->late)
                give_up(server);
        }
        if (child <= 0 || (ended == 0 && !is_hopeless(server, child, begun, since, &signs)) ||
            (ended > 0 && seconds() - ended < moment))
            continue;
        if (!end_run(child, server->process, ended > 0) && ++vain > MOST_VAIN) {
            hd_native_damage_end(server);
            break;
        }
        ended = seconds();
    }
    return ended > 0;
}

/* --- the log -------------------------------------------------------------------------------- */

static bool followed(const hd_launch_log *log, const heddle_wire_decision *decisions,
                     size_t count) {
    if (log->steps.length < count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (log->steps.data[i].thread != decisions[i].thread)
            return false;
    return true;
}

static enum hd_launch_end end_of(hd_native_server *server, const hd_launch_log *log, bool killed) {
    server->outside = !killed && WIFSIGNALED(log->status) && WTERMSIG(log->status) == SIGKILL &&
                      !server->run.wire->kills;
    if (killed || server->outside)
        return HD_LAUNCH_HUNG;
    if (log->ending == HEDDLE_WIRE_DIVERGED)
        return HD_LAUNCH_LOST;
    if (log->ending == HEDDLE_WIRE_DEADLOCK)
        return HD_LAUNCH_STUCK;
    if (log->beyond)
        return HD_LAUNCH_HUNG;
    if (server->explore->stopped == HEDDLE_WIRE_CUT)
        return HD_LAUNCH_CUT;
    if (server->explore->stopped == HEDDLE_WIRE_ASLEEP)
        return HD_LAUNCH_ASLEEP;
    if (server->explore->stopped == HEDDLE_WIRE_IN_VAIN)
        return HD_LAUNCH_VAIN;
    bool good = WIFEXITED(log->status) && WEXITSTATUS(log->status) == 0;
    return good ? HD_LAUNCH_ENDED : HD_LAUNCH_FAILED;
}

static void forget_steps(hd_launch_log *log) {
    log->predicted = 0;
    hd_vec_clear(&log->steps);
    hd_vec_clear(&log->nexts);
    hd_vec_clear(&log->more);
    hd_vec_clear(&log->more_joined);
    log->end = HD_LAUNCH_LOST;
}

static void copy_words(hd_vec_u64 *to, const uint64_t *from, size_t count) {
    hd_vec_resize(to, count);
    if (count)
        memcpy(to->data, from, count * sizeof *from);
}

static void copy_log(hd_native_server *server, hd_launch_log *log) {
    const heddle_wire_explore *explore = server->explore;
    uint32_t steps = explore->steps < HEDDLE_WIRE_STEPS ? explore->steps : HEDDLE_WIRE_STEPS;
    uint32_t nexts = steps ? explore->step[steps - 1].nexts : 0;
    nexts = nexts < HEDDLE_WIRE_NEXTS ? nexts : HEDDLE_WIRE_NEXTS;
    log->predicted = 0;
    hd_vec_resize(&log->steps, steps);
    if (steps)
        memcpy(log->steps.data, explore->step, steps * sizeof *explore->step);
    hd_vec_resize(&log->states, explore->states_wanted ? steps : 0);
    if (log->states.length)
        memcpy(log->states.data, explore->state, steps * sizeof *explore->state);
    hd_vec_resize(&log->nexts, nexts);
    if (nexts)
        memcpy(log->nexts.data, explore->next, nexts * sizeof *explore->next);
    hd_vec_resize(&log->locals, explore->locals_wanted ? nexts : 0);
    if (log->locals.length)
        memcpy(log->locals.data, explore->local, nexts * sizeof *explore->local);
    uint32_t words = explore->threads > 64 ? explore->more_words : 0;
    words = words < HEDDLE_WIRE_MORE ? words : HEDDLE_WIRE_MORE; /* the program may write there */
    log->more_words = words;
    copy_words(&log->more, explore->more, 2 * (size_t)steps * words);
    copy_words(&log->more_joined, explore->more_joined, (size_t)nexts * words);
    memcpy(log->rounds, explore->rounds, sizeof log->rounds);
    log->ending = server->run.wire->ending;
    log->beyond = explore->stopped == HEDDLE_WIRE_BEYOND;
    log->status = explore->status;
    log->fault = server->run.wire->fault;
    if (!hd_native_damage_whole(log, explore->threads)) {
        hd_native_damage_end(server);
        forget_steps(log);
        return;
    }
    hd_native_output_take(server->output, &server->run, &server->left_out, log);
}

/* --- several runs for one request ----------------------------------------------------------- */

static void send_wishes(hd_native_server *server) {
    heddle_wire_explore *explore = server->explore;
    explore->wishes = explore->stacks ? 0 : server->wishes;
    for (uint32_t i = 0; i < explore->wishes; i++) {
        const hd_machine_wish *wish = &server->wish[i];
        heddle_wire_wish *to = &explore->wish[i];
        to->depth = wish->depth;
        to->decisions = wish->count;
        to->asleep = wish->asleep;
        for (uint32_t k = 0; k < wish->count; k++)
            to->decision[k] = (heddle_wire_decision){(uint16_t)wish->steps[k].thread,
                                                     (uint16_t)wish->steps[k].choice};
    }
}

/* The log of number `run` of those that were executed; the part it has in common with the log
 * before it is copied from there. */
static void take_parcel(const hd_native_server *server, uint32_t run, const hd_launch_log *before,
                        hd_launch_log *log) {
    const heddle_wire_explore *explore = server->explore;
    const heddle_wire_parcel *parcel = &explore->parcel[run];
    uint32_t step_at = 0, next_at = 0;
    for (const heddle_wire_parcel *earlier = explore->parcel; earlier < parcel; earlier++) {
        step_at += earlier->steps - earlier->from;
        next_at += earlier->nexts - earlier->next_from;
    }
    log->run = 0; /* others came after it */
    log->predicted = 0;
    hd_vec_resize(&log->steps, parcel->steps);
    hd_vec_resize(&log->nexts, parcel->nexts);
    if (parcel->from && before != log) {
        memcpy(log->steps.data, before->steps.data, parcel->from * sizeof *log->steps.data);
        memcpy(log->nexts.data, before->nexts.data, parcel->next_from * sizeof *log->nexts.data);
    }
    memcpy(log->steps.data + parcel->from, explore->parcel_step + step_at,
           (parcel->steps - parcel->from) * sizeof *log->steps.data);
    memcpy(log->nexts.data + parcel->next_from, explore->parcel_next + next_at,
           (parcel->nexts - parcel->next_from) * sizeof *log->nexts.data);
    hd_launch_log_silence(log);
    bool ended = parcel->stopped == HEDDLE_WIRE_AT_END;
    log->ending = ended ? HEDDLE_WIRE_EXITED : HEDDLE_WIRE_RUNNING;
    log->beyond = false;
    log->status = 0;
    log->message[0] = '\0';
    log->end = ended ? HD_LAUNCH_ENDED : HD_LAUNCH_ASLEEP;
    if (!hd_native_damage_whole(log, explore->threads))
        forget_steps(log);
}

uint32_t hd_native_server_granted(const hd_native_server *server) {
    uint32_t done = runs_done(server);
    return server->process > 0 && done ? done - 1 : 0;
}

void hd_native_server_take(const hd_native_server *server, uint32_t wish,
                           const hd_launch_log *before, hd_launch_log *log) {
    take_parcel(server, wish + 1, before, log);
}

const heddle_wire_looks *hd_native_server_looks(const hd_native_server *server, uint32_t wish) {
    const heddle_wire_explore *explore = server->explore;
    return runs_done(server) ? &explore->parcel[wish].looks : &explore->looks;
}

/* --- runs ----------------------------------------------------------------------------------- */

/* Requests the run until there is a process that can execute it; true if it had to be killed. */
static bool run_somewhere(hd_native_server *server, uint64_t asleep, bool by_fork) {
    heddle_wire_explore *explore = server->explore;
    bool killed;
    do {
        explore->most_own = server->most_steps;
        explore->most_steps = HEDDLE_WIRE_STEPS;
        if (server->manner.most_steps && server->manner.most_steps < HEDDLE_WIRE_STEPS)
            explore->most_steps = server->manner.most_steps;
        explore->asleep = asleep;
        explore->first = server->manner.first;
        explore->parked = server->manner.parked;
        explore->seed = server->manner.seed;
        explore->drawing = server->manner.drawing;
        explore->depth = server->manner.depth;
        explore->length = server->manner.length;
        explore->reset = by_fork || server->by_fork ? HEDDLE_WIRE_BY_FORK : HEDDLE_WIRE_BY_MEMORY;
        if (explore->reset == HEDDLE_WIRE_BY_FORK)
            explore->steps = 0;
        explore->stopped = HEDDLE_WIRE_AT_END;
        explore->captured = server->output != 0;
        explore->done = 0;
        send_wishes(server);
        hd_native_seat_turn(&server->seat, server->process, child_of(server));
        ask_server(server, HEDDLE_WIRE_RUN);
        killed = await_answer(server);
        if (hd_native_damage_seen(server))
            hd_native_damage_end(server);
        if (explore->stopped == HEDDLE_WIRE_UNSAFE) {
            server->by_fork = true;
            snprintf(server->why, sizeof server->why, "%.*s",
                     (int)sizeof server->run.wire->message - 1, server->run.wire->message);
        }
    } while (server->process > 0 && !killed && explore->stopped >= HEDDLE_WIRE_AGAIN &&
             !runs_done(server));
    server->runs++;
    return killed && !runs_done(server);
}

void hd_native_server_blame(hd_native_server *server, const char *difference) {
    server->by_fork = server->wrong = true;
    snprintf(server->why, sizeof server->why,
             "a run from restored memory was not what a fresh process does (%s)", difference);
}

void hd_native_server_suspect(hd_native_server *server, const char *difference) {
    server->by_fork = server->wrong = true;
    snprintf(server->why, sizeof server->why,
             "runs do not agree (%s); perhaps memory was not restored as it was", difference);
}

/* Restoring memory may have caused a crash; a run in a process of its own decides. */
static bool confirm(hd_native_server *server, uint64_t asleep) {
    int status = server->explore->status;
    bool killed = run_somewhere(server, asleep, true);
    if (server->process > 0 && server->explore->status != status)
        hd_native_server_blame(server, "it crashed");
    return killed;
}

static void run_once(hd_native_server *server, const heddle_wire_decision *decisions, size_t count,
                     uint64_t asleep, bool by_fork, hd_launch_log *log) {
    heddle_wire_explore *explore = server->explore;
    forget_steps(log);
    snprintf(log->message, sizeof log->message, "%s",
             server->run.wire->message[0] ? server->run.wire->message
                                          : "the program ended before main");
    if (server->process <= 0 || count > HEDDLE_WIRE_STEPS)
        return;
    if (count)
        memcpy(explore->decision, decisions, count * sizeof *decisions);
    explore->decisions = (uint32_t)count;
    bool killed = run_somewhere(server, asleep, by_fork);
    bool several = server->process > 0 && runs_done(server);
    if (server->process > 0 && !several && !killed && !server->by_fork && !by_fork &&
        server->run.wire->ending == HEDDLE_WIRE_RUNNING && WIFSIGNALED(explore->status))
        killed = confirm(server, asleep);
    if (several)
        take_parcel(server, 0, log, log);
    else {
        if (server->process > 0 || server->run.wire->message[0])
            memcpy(log->message, server->run.wire->message, sizeof log->message);
        log->message[sizeof log->message - 1] = '\0';
        if (server->process <= 0)
            return;
        copy_log(server, log);
        log->run = server->runs;
        if (server->damaged) {
            memcpy(log->message, server->run.wire->message, sizeof log->message);
            return;
        }
        log->end = end_of(server, log, killed);
    }
    if (log->end != HD_LAUNCH_LOST && !followed(log, decisions, count)) {
        log->end = HD_LAUNCH_LOST;
        snprintf(log->message, sizeof log->message,
                 "it ended after %zu of the %zu steps that it took before", log->steps.length,
                 count);
    }
}

/* A run that diverged is not the program's fault if it does not diverge in a process of its own.
 * One that was ended as there is no time left has not diverged. */
void hd_native_server_run(hd_native_server *server, const heddle_wire_decision *decisions,
                          size_t count, uint64_t asleep, hd_launch_log *log) {
    char astray[sizeof log->message];
    hd_clock_worked();
    run_once(server, decisions, count, asleep, false, log);
    if (log->end != HD_LAUNCH_LOST || server->late || server->by_fork || server->process <= 0 ||
        count > server->most_steps)
        return;
    memcpy(astray, log->message, sizeof astray);
    run_once(server, decisions, count, asleep, true, log);
    if (log->end != HD_LAUNCH_LOST)
        hd_native_server_blame(server, astray);
}

/* --- shared words --------------------------------------------------------------------------- */

bool hd_native_server_shared(const hd_native_server *server, uint64_t word) {
    return heddle_wire_shares(server->explore, word);
}

bool hd_native_server_share(hd_native_server *server, uint64_t word) {
    if (hd_native_server_shared(server, word))
        return true;
    if (server->shared >= HEDDLE_WIRE_SHARED / 2)
        return false;
    heddle_wire_share(server->explore, word);
    server->explore->renewed++;
    server->shared++;
    return true;
}

bool hd_native_server_caught(heddle_wire *wire, const char *word) {
    static const char caught[] = "caught=";
    uint64_t number;
    if (strncmp(word, caught, strlen(caught)) != 0 ||
        !hd_text_u64(word + strlen(caught), strlen(word + strlen(caught)), &number) ||
        number >= HEDDLE_WIRE_CALLEES)
        return false;
    wire->callee[number].known = HEDDLE_WIRE_CAUGHT;
    return true;
}
