#include "launch_run.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch_atomics.h"
#include "launch_drain.h"
#include "launch_end.h"
#include "launch_options.h"
#include "launch_start.h"
#include "launch_wire.h"

#ifndef HEDDLE_LIBRARIES
#define HEDDLE_LIBRARIES "lib/heddle"
#define HEDDLE_INCLUDES "include"
#endif
#define SCHEDULE_ROOM ((uint64_t)256 << 20)
#define RUNTIME "libheddle-rt.so"
#define INSTALLED_RUNTIME "../" HEDDLE_LIBRARIES
#define INSTALLED_HEADERS "../" HEDDLE_INCLUDES

/* For a live run: address space, not memory; enough for days.  Less where that much is not
 * available. */
#define LIVE_CHUNKS ((uint64_t)1 << 22)
#define LIVE_LEAST ((uint64_t)1 << 8)

/* --- where the runtime and the headers are -------------------------------------------------- */

static bool has_file(const char *folder, const char *name) {
    char file[PATH_MAX + 32];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    return access(file, R_OK) == 0;
}

/* The first of the places, relative to the folder of this program, that has the file. */
static bool find_beside(const char *const *places, size_t count, const char *file,
                        char folder[PATH_MAX]) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    *slash = '\0';
    for (size_t i = 0; i < count; i++) {
        char place[PATH_MAX + 64];
        snprintf(place, sizeof place, "%s/%s", self, places[i]);
        if (realpath(place, folder) && has_file(folder, file))
            return true;
    }
    return false;
}

/* The same, relative to the folder of libheddle, if this is in that. */
static bool find_beside_library(const char *const *places, size_t count, const char *file,
                                char folder[PATH_MAX]) {
    Dl_info library;
    if (!dladdr((void *)(uintptr_t)hd_launch_runtime, &library) || !library.dli_fname)
        return false;
    const char *slash = strrchr(library.dli_fname, '/');
    for (size_t i = 0; slash && i < count; i++) {
        char place[PATH_MAX + 64];
        snprintf(place, sizeof place, "%.*s/%s", (int)(slash - library.dli_fname),
                 library.dli_fname, places[i]);
        if (realpath(place, folder) && has_file(folder, file))
            return true;
    }
    return false;
}

const char *hd_launch_runtime(hd_error *error) {
    static _Thread_local char folder[PATH_MAX];
    const char *asked = getenv("HEDDLE_RUNTIME");
    if (asked) {
        snprintf(folder, sizeof folder, "%s", asked);
        if (has_file(folder, RUNTIME))
            return folder;
        hd_error_set(error, "HEDDLE_RUNTIME: there is no libheddle-rt.so in %s", asked);
        return NULL;
    }
    /* In the build folder, or installed. */
    static const char *const places[] = {"src/rt", INSTALLED_RUNTIME, "../lib/heddle"};
    static const char *const beside[] = {"../rt", "heddle"};
    if (find_beside(places, sizeof places / sizeof *places, RUNTIME, folder) ||
        find_beside_library(beside, sizeof beside / sizeof *beside, RUNTIME, folder))
        return folder;
    hd_error_set(error, "%s; HEDDLE_RUNTIME may name the folder of libheddle-rt.so",
                 access("/proc/self/exe", F_OK) == 0
                     ? "the runtime is not where it belongs"
                     : "there is no /proc/self/exe (is /proc mounted?), and so the runtime was not "
                       "found");
    return NULL;
}

const char *hd_launch_headers(void) {
    static _Thread_local char folder[PATH_MAX];
    static const char *const places[] = {"include", INSTALLED_HEADERS, "../include"};
    static const char *const beside[] = {"../../include", INSTALLED_HEADERS};
    static const char file[] = "heddle/mark.h";
    bool found = find_beside(places, sizeof places / sizeof *places, file, folder) ||
                 find_beside_library(beside, sizeof beside / sizeof *beside, file, folder);
    return found ? folder : NULL;
}

/* --- the shared file ------------------------------------------------------------------------ */

static bool map(hd_launch_run *run, int file) {
    run->wire = MAP_FAILED;
    if (file >= 0 && ftruncate(file, (off_t)run->size) == 0)
        run->wire =
            mmap(NULL, run->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    return run->wire != MAP_FAILED;
}

/* The shared file of a live run, so large that the record never reaches its end. */
static int create_live(hd_launch_run *run, const hd_launch_options *options, hd_error *error) {
    int file = memfd_create("heddle-wire", 0);
    uint64_t chunks = LIVE_CHUNKS;
    do
        run->size = HEDDLE_WIRE_DATA + chunks * HEDDLE_WIRE_CHUNK;
    while (!map(run, file) && (chunks /= 2) >= LIVE_LEAST);
    if (run->wire == MAP_FAILED) {
        hd_error_set(error, "cannot allocate memory for the record: %s", strerror(errno));
        if (file >= 0)
            close(file);
        return -1;
    }
    heddle_wire *wire = run->wire;
    wire->magic = HEDDLE_WIRE_MAGIC;
    wire->layout = HEDDLE_WIRE_LAYOUT;
    wire->size = run->size;
    wire->seed = options->seed;
    hd_launch_options_begin(wire);
    wire->mode = options->free_running ? HEDDLE_WIRE_FREE_RUNNING : HEDDLE_WIRE_CONTROLLED;
    wire->points = options->every_access ? HEDDLE_WIRE_AT_ACCESSES : HEDDLE_WIRE_AT_SYNC;
    wire->live = (uint32_t)getpid();
    wire->allowed = 1 + HD_LAUNCH_LIVE_AHEAD;
    run->file = file;
    return file;
}

static int create_wire(hd_launch_run *run, const hd_launch_options *options, hd_error *error) {
    if (options->live)
        return create_live(run, options, error);
    int file = memfd_create("heddle-wire", 0);
    uint64_t runs = options->schedule_runs * sizeof *options->schedule;
    uint64_t chunks = options->limit / HEDDLE_WIRE_CHUNK;
    uint64_t schedule = HEDDLE_WIRE_DATA + (chunks ? chunks : 1) * HEDDLE_WIRE_CHUNK;
    /* As large without a schedule as with one, so that the addresses of what the program maps after
     * it, and thus the pointers in its variables, are the same. */
    uint64_t explore = schedule + (runs / SCHEDULE_ROOM + 1) * SCHEDULE_ROOM;
    run->size = explore + (options->explored ? sizeof(heddle_wire_explore) : 0);
    if (!map(run, file)) {
        hd_error_set(error, "cannot allocate %llu bytes for the record: %s%s",
                     (unsigned long long)run->size, strerror(errno),
                     errno == EFBIG ? " (a limit of ulimit -f; --limit makes the record smaller)"
                                    : "");
        return -1;
    }
    heddle_wire *wire = run->wire;
    wire->magic = HEDDLE_WIRE_MAGIC;
    wire->layout = HEDDLE_WIRE_LAYOUT;
    wire->size = schedule;
    wire->seed = options->seed;
    hd_launch_options_begin(wire);
    wire->mode = options->free_running ? HEDDLE_WIRE_FREE_RUNNING : HEDDLE_WIRE_CONTROLLED;
    wire->points = options->every_access ? HEDDLE_WIRE_AT_ACCESSES : HEDDLE_WIRE_AT_SYNC;
    wire->quiet = options->silent;
    wire->drained = !options->explored;
    wire->calls = options->calls;
    size_t world = options->world ? strlen(options->world) + 1 : 0;
    if (world && world <= sizeof wire->world_path) {
        wire->world = options->plays ? HEDDLE_WIRE_PLAYS : HEDDLE_WIRE_KEEPS;
        memcpy(wire->world_path, options->world, world);
    }
    if (options->explored) {
        wire->decision = HEDDLE_WIRE_BY_DECISIONS;
        wire->explore = explore;
    }
    if (runs) {
        wire->decision = options->by_events ? HEDDLE_WIRE_BY_EVENTS : HEDDLE_WIRE_BY_SCHEDULE;
        wire->stops = options->stops;
        wire->watched = options->watched;
        wire->schedule = schedule;
        wire->schedule_runs = options->schedule_runs;
        memcpy((char *)wire + schedule, options->schedule, runs);
    }
    for (size_t i = 0; i < options->word_count; i++)
        hd_launch_options_word(wire, options->words[i]);
    if (!hd_launch_atomics(wire, options->argv, error) ||
        (options->prepare && !options->prepare(options->context, wire, error))) {
        hd_launch_run_release(run);
        close(file);
        return -1;
    }
    heddle_wire_explore *its = (heddle_wire_explore *)((char *)wire + explore);
    if (options->recorded)
        its->recorded = 1;
    if (options->most_steps)
        its->most_steps = options->most_steps;
    return file;
}

int hd_launch_run_wire(hd_launch_run *run, const hd_launch_options *options, hd_error *error) {
    return create_wire(run, options, error);
}

void hd_launch_run_fix_addresses(void) {
    personality(ADDR_NO_RANDOMIZE);
}

static const char *machine_name(unsigned machine) {
    static char number[32];
    snprintf(number, sizeof number, "machine %u", machine);
    return machine == EM_X86_64 ? "x86_64" : machine == EM_AARCH64 ? "aarch64" : number;
}

/* Why a program does not have the runtime, if that can be seen from its file. */
static bool explain(const char *path, hd_error *error) {
#if defined __x86_64__
    enum { OURS = EM_X86_64 };
#else
    enum { OURS = EM_AARCH64 };
#endif
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf64_Ehdr head = {0};
    bool known = file >= 0 && pread(file, &head, sizeof head, 0) == sizeof head &&
                 memcmp(head.e_ident, ELFMAG, SELFMAG) == 0;
    bool interpreted = false, script = memcmp(head.e_ident, "#!", 2) == 0;
    for (unsigned i = 0; known && i < head.e_phnum; i++) {
        Elf64_Phdr part;
        off_t at = (off_t)(head.e_phoff + (uint64_t)i * head.e_phentsize);
        interpreted |=
            pread(file, &part, sizeof part, at) == sizeof part && part.p_type == PT_INTERP;
    }
    if (file >= 0)
        close(file);
    if (known && head.e_machine != OURS)
        hd_error_set(error, "%s: a program for %s; this heddle runs those for %s", path,
                     machine_name(head.e_machine), machine_name(OURS));
    else if (known && !interpreted)
        hd_error_set(error,
                     "%s: a static program: heddle's runtime cannot be loaded into it; link it "
                     "without -static",
                     path);
    else if (script)
        hd_error_set(error,
                     "%s: a script, and nothing that it ran was built with 'heddle cc'; name the "
                     "program",
                     path);
    else
        return false;
    return true;
}

/* It could not be started. */
static void refuse(const char *path, int code, hd_error *error) {
    struct stat status;
    bool known = stat(path, &status) == 0;
    if (code == ENOEXEC && explain(path, error))
        return;
    if (code == ENOEXEC)
        hd_error_set(error, "%s: not a program, or a damaged one", path);
    else if (code == EACCES && known && S_ISDIR(status.st_mode))
        hd_error_set(error, "%s: %s", path, strerror(EISDIR));
    else if (code == EACCES && known && !(status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
        hd_error_set(error, "%s: %s: it is not executable (chmod +x)", path, strerror(code));
    else
        hd_error_set(error, "%s: %s", path, strerror(code));
}

/* Returns the process when it has become the program; -1 after setting the error. */
static pid_t launch(const hd_launch_options *options, int wire, const char *runtime,
                    hd_error *error) {
    int code;
    pid_t child = hd_launch_start(options, wire, runtime, &code, error);
    if (child > 0)
        hd_launch_launched_note(child);
    if (child < 0 || !code)
        return child;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    refuse(options->argv[0], code, error);
    return -1;
}

/* --- another version of the runtime ---------------------------------------------------------- */

/* The runtime that a process has loaded, "" if none (yet). */
static void find_loaded(pid_t child, char path[PATH_MAX]) {
    char name[64], line[PATH_MAX + 128];
    snprintf(name, sizeof name, "/proc/%d/maps", (int)child);
    path[0] = '\0';
    FILE *maps = fopen(name, "re");
    while (maps && !path[0] && fgets(line, sizeof line, maps)) {
        char *at = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        const char *slash = at ? strrchr(at, '/') : NULL;
        if (slash && strcmp(slash, "/libheddle-rt.so") == 0)
            snprintf(path, PATH_MAX, "%s", at);
    }
    if (maps)
        fclose(maps);
}

static bool has_mark(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    bool found = true; /* if it cannot be read, it is assumed */
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            found = memmem(bytes, (size_t)status.st_size, HEDDLE_WIRE_MARK,
                           sizeof HEDDLE_WIRE_MARK) != NULL;
            munmap(bytes, (size_t)status.st_size);
        }
    }
    if (file >= 0)
        close(file);
    return found;
}

static bool other_version(const hd_launch_options *options, hd_error *error) {
    return hd_error_set(error,
                        "%s: it loads the runtime of another version of heddle; link it again with "
                        "this one's 'heddle cc'",
                        options->argv[0]);
}

/* A runtime from before the mark existed runs on without us. */
static bool is_old(pid_t child) {
    char path[PATH_MAX];
    find_loaded(child, path);
    return path[0] && !has_mark(path);
}

/* Until the runtime has found the file, the process has ended (*ended), the time is up, or the tool
 * is asked to end.  False, and no process any more, if it has a runtime that never will. */
static bool await_attached(hd_launch_run *run, const hd_launch_options *options, pid_t child,
                           bool *ended, hd_error *error) {
    /* What was found is still checked after a signal; a machine under load takes seconds. */
    const double moment = options->again ? 20 : 1;
    siginfo_t info;
    double begun = hd_progress_clock();
    time_t until = options->timeout ? time(NULL) + (time_t)options->timeout : 0;
    for (unsigned i = 0;; i++) {
        info.si_pid = 0;
        *ended = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                 info.si_pid == child;
        if (*ended || __atomic_load_n(&run->wire->attached, __ATOMIC_ACQUIRE) ||
            (until && time(NULL) >= until) ||
            (hd_stop_asked() && hd_progress_clock() - begun > moment))
            return true;
        if (i % 16 == 15 && is_old(options->free_running ? hd_guard_program(child) : child)) {
            hd_launch_end_kill(child, NULL);
            return other_version(options, error);
        }
        poll(NULL, 0, i < 64 ? 1 : 16);
    }
}

/* The process has ended without finding the file. */
static bool not_ours(const hd_launch_run *run, const hd_launch_options *options, hd_error *error) {
    if (hd_stop_asked())
        return hd_error_set(error, "%s: ended by %s before it began", options->argv[0],
                            hd_stop_name(hd_stop_asked()));
    if (run->wire->magic != HEDDLE_WIRE_MAGIC)
        return other_version(options, error);
    if (explain(options->argv[0], error))
        return false;
    enum { NOT_LOADED = 127 }; /* the status that the dynamic loader ends with */
    if (WIFSIGNALED(run->status) || WEXITSTATUS(run->status) == NOT_LOADED)
        return hd_error_set(error,
                            "%s: it ended before heddle's runtime began, %s: the limits on memory "
                            "and stack may be too small (ulimit -a), a library may be missing, or "
                            "it was not built with 'heddle cc'",
                            options->argv[0],
                            WIFSIGNALED(run->status) ? strsignal(WTERMSIG(run->status))
                                                     : "with status 127");
    return hd_error_set(error,
                        options->tsan
                            ? "%s: not a dynamically linked program built with gcc "
                              "-fsanitize=thread"
                            : "%s: not built with 'heddle cc': it runs without heddle's runtime",
                        options->argv[0]);
}

bool hd_launch_run_start(hd_launch_run *run, const hd_launch_options *options, pid_t *child,
                         hd_error *error) {
    *run = (hd_launch_run){0};
    int file = hd_launch_runtime(error) ? create_wire(run, options, error) : -1;
    return file >= 0 && hd_launch_run_begin(run, file, options, child, error);
}

bool hd_launch_run_begin(hd_launch_run *run, int file, const hd_launch_options *options,
                         pid_t *child, hd_error *error) {
    return hd_launch_run_launch(run, file, options, child, error) &&
           hd_launch_run_attach(run, options, child, error);
}

bool hd_launch_run_launch(hd_launch_run *run, int file, const hd_launch_options *options,
                          pid_t *child, hd_error *error) {
    hd_stop_listen();
    const char *runtime = hd_launch_runtime(error);
    *child = runtime ? launch(options, file, runtime, error) : -1;
    if (!options->live)
        close(file);
    if (*child <= 0)
        hd_launch_run_release(run);
    return *child > 0;
}

bool hd_launch_run_attach(hd_launch_run *run, const hd_launch_options *options, pid_t *child,
                          hd_error *error) {
    bool ended = false;
    bool good = await_attached(run, options, *child, &ended, error);
    if (good && !ended && hd_stop_asked() && !run->wire->attached) {
        hd_launch_end_kill(*child, &run->status);
        good = not_ours(run, options, error);
    } else if (good && ended)
        waitpid(*child, &run->status, 0);
    if (good && ended && !run->wire->attached)
        good = not_ours(run, options, error);
    if (!good)
        hd_launch_run_release(run);
    else if (ended && (options->live || options->explored))
        *child = 0;
    return good;
}

/* What it did is taken while it runs. */
static bool follow(hd_launch_run *run, const hd_launch_options *options, pid_t child,
                   const hd_launch_family *family, hd_error *error) {
    bool ended;
    if (!await_attached(run, options, child, &ended, error))
        return false;
    bool ours = run->wire->attached; /* the program may write over that, too */
    if (!options->explored)
        hd_launch_drain_start(run);
    hd_launch_end_await(run, child, options, family);
    hd_launch_drain_stop(run);
    uint64_t lost = run->wire->lost;
    run->damaged = hd_launch_bound(run->wire);
    run->unsure = run->wire->lost != lost;
    return ours || run->wire->attached || not_ours(run, options, error);
}

bool hd_launch_run_program(hd_launch_run *run, const hd_launch_options *options, hd_error *error) {
    *run = (hd_launch_run){0};
    const char *runtime = hd_launch_runtime(error);
    if (!runtime)
        return false;
    int file = create_wire(run, options, error);
    if (file < 0)
        return false;
    hd_launch_family family;
    hd_stop_listen();
    hd_launch_end_init(&family);
    pid_t child = launch(options, file, runtime, error);
    close(file);
    bool good = child > 0 && follow(run, options, child, &family, error);
    hd_launch_end_release(&family);
    if (!good)
        hd_launch_run_release(run);
    return good;
}

void hd_launch_run_release(hd_launch_run *run) {
    hd_launch_drain_release(run);
    if (run->wire && run->wire != MAP_FAILED)
        munmap(run->wire, run->size);
    run->wire = NULL;
    if (run->file > 0)
        close(run->file);
    run->file = 0;
}
