#include "native_server.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { USUAL_PATIENCE = 10 };

/* Every write goes to the end, whatever process writes; it is emptied between runs. */
static int capture(hd_native_server *server) {
    int file = memfd_create("heddle-output", MFD_CLOEXEC);
    if (file > 0 && fcntl(file, F_SETFL, O_APPEND) == 0)
        server->output = file;
    return server->output;
}

bool hd_native_server_start(hd_native_server *server, const hd_native_machine_options *options,
                            hd_error *error) {
    *server =
        (hd_native_server){.patience = options->patience > 0 ? options->patience : USUAL_PATIENCE,
                           .most_steps = options->most_steps};
    if (!server->most_steps || server->most_steps > HEDDLE_WIRE_STEPS)
        server->most_steps = HEDDLE_WIRE_STEPS;
    hd_native_options how = {.argv = options->argv,
                             .silent = true,
                             .explored = true,
                             .tsan = options->tsan,
                             .words = options->words,
                             .word_count = options->word_count,
                             .captured = capture(server)};
    if (!hd_native_run_start(&server->run, &how, &server->process, error)) {
        if (server->output)
            close(server->output);
        return false;
    }
    server->explore = (heddle_wire_explore *)((char *)server->run.wire + server->run.wire->explore);
    server->explore->threads = 1;
    return true;
}

static void ask(hd_native_server *server, uint32_t what) {
    server->explore->what = what;
    __atomic_add_fetch(&server->explore->request, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &server->explore->request, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void hd_native_server_stop(hd_native_server *server) {
    if (server->process > 0) {
        ask(server, HEDDLE_WIRE_QUIT);
        while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    hd_native_run_release(&server->run);
    if (server->output)
        close(server->output);
    *server = (hd_native_server){0};
}

/* --- waiting for the answer ----------------------------------------------------------------- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Has the process itself ended? */
static bool is_gone(hd_native_server *server) {
    if (waitpid(server->process, &server->run.status, WNOHANG) != server->process)
        return false;
    server->process = 0;
    return true;
}

/* A run whose steps come to nothing is killed; true if this one was. */
static bool await_answer(hd_native_server *server) {
    heddle_wire_explore *explore = server->explore;
    uint32_t wanted = explore->request, seen, steps = 0;
    double since = seconds();
    bool killed = false;
    while ((seen = __atomic_load_n(&explore->answer, __ATOMIC_ACQUIRE)) != wanted) {
        struct timespec span = {.tv_nsec = 100000000};
        syscall(SYS_futex, &explore->answer, FUTEX_WAIT, seen, &span, NULL, 0);
        if (__atomic_load_n(&explore->answer, __ATOMIC_ACQUIRE) == wanted || is_gone(server))
            break;
        uint32_t now = __atomic_load_n(&explore->steps, __ATOMIC_RELAXED);
        if (now != steps)
            since = seconds();
        steps = now;
        int child = __atomic_load_n(&explore->child, __ATOMIC_ACQUIRE);
        if (!killed && child > 0 && seconds() - since > server->patience) {
            kill(child, SIGKILL);
            killed = true;
        }
    }
    return killed;
}

/* --- output --------------------------------------------------------------------------------- */

static void take_output(hd_native_server *server, hd_native_log *log) {
    struct stat status;
    char part[HD_NATIVE_OUTPUT];
    hd_vec_clear(&log->output);
    log->wrote = log->sum = 0;
    if (!server->output || fstat(server->output, &status) != 0 || !status.st_size)
        return;
    ssize_t length;
    while ((length = pread(server->output, part, sizeof part, (off_t)log->wrote)) > 0) {
        for (ssize_t i = 0; !log->wrote && i < length; i++)
            hd_vec_push(&log->output, part[i]);
        log->sum = XXH3_64bits_withSeed(part, (size_t)length, log->sum + 1);
        log->wrote += (uint64_t)length;
    }
    if (ftruncate(server->output, 0) != 0)
        server->output = 0;
}

/* --- the log -------------------------------------------------------------------------------- */

static bool followed(const hd_native_log *log, const heddle_wire_decision *decisions,
                     size_t count) {
    if (log->steps.length < count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (log->steps.data[i].thread != decisions[i].thread)
            return false;
    return true;
}

static enum hd_native_end end_of(const hd_native_server *server, const hd_native_log *log,
                                 bool killed) {
    if (killed)
        return HD_NATIVE_HUNG;
    if (log->ending == HEDDLE_WIRE_DIVERGED)
        return HD_NATIVE_LOST;
    if (log->ending == HEDDLE_WIRE_DEADLOCK)
        return HD_NATIVE_STUCK;
    if (server->explore->cut)
        return HD_NATIVE_CUT;
    bool good = WIFEXITED(log->status) && WEXITSTATUS(log->status) == 0;
    return good ? HD_NATIVE_ENDED : HD_NATIVE_FAILED;
}

void hd_native_server_run(hd_native_server *server, const heddle_wire_decision *decisions,
                          size_t count, uint64_t asleep, hd_native_log *log) {
    heddle_wire_explore *explore = server->explore;
    hd_vec_clear(&log->steps);
    log->end = HD_NATIVE_LOST;
    snprintf(log->message, sizeof log->message, "the program ended before main");
    if (server->process <= 0 || count > server->most_steps)
        return;
    if (count)
        memcpy(explore->decision, decisions, count * sizeof *decisions);
    explore->decisions = (uint32_t)count;
    explore->most_steps = server->most_steps;
    explore->asleep = asleep;
    explore->steps = 0;
    ask(server, HEDDLE_WIRE_RUN);
    bool killed = await_answer(server);
    take_output(server, log);
    server->runs++;
    memcpy(log->message, server->run.wire->message, sizeof log->message);
    log->message[sizeof log->message - 1] = '\0';
    if (server->process <= 0)
        return;
    uint32_t steps = explore->steps < HEDDLE_WIRE_STEPS ? explore->steps : HEDDLE_WIRE_STEPS;
    hd_vec_resize(&log->steps, steps);
    if (steps)
        memcpy(log->steps.data, explore->step, steps * sizeof *explore->step);
    log->ending = server->run.wire->ending;
    log->status = explore->status;
    log->end = end_of(server, log, killed);
    if (log->end != HD_NATIVE_LOST && !followed(log, decisions, count)) {
        log->end = HD_NATIVE_LOST;
        snprintf(log->message, sizeof log->message,
                 "it ended after %u of the %zu steps that it took before", steps, count);
    }
}

/* --- shared words --------------------------------------------------------------------------- */

static uint32_t place_of(const hd_native_server *server, uint64_t word) {
    uint32_t place = heddle_wire_shared_place(word);
    while (server->explore->shared[place] && server->explore->shared[place] != word + 1)
        place = (place + 1) & (HEDDLE_WIRE_SHARED - 1);
    return place;
}

bool hd_native_server_shared(const hd_native_server *server, uint64_t word) {
    return server->explore->shared[place_of(server, word)] != 0;
}

bool hd_native_server_share(hd_native_server *server, uint64_t word) {
    uint64_t *place = &server->explore->shared[place_of(server, word)];
    if (*place)
        return true;
    if (server->shared >= HEDDLE_WIRE_SHARED / 2)
        return false;
    *place = word + 1;
    server->shared++;
    return true;
}
