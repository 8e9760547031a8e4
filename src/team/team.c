#include "team.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "launch/launch.h"

static hd_team team;
static bool joined;
static int lost;

/* Beside the runtime, where that is installed or built. */
static void *load(hd_error *error) {
    static const char *const places[] = {"%s/heddle-mpi.so", "%s/../ranks/heddle-mpi.so"};
    const char *asked = getenv("HEDDLE_MPI"), *folder = hd_launch_runtime(error);
    char path[PATH_MAX + 64];
    void *module = NULL;
    if (asked) {
        module = dlopen(asked, RTLD_NOW | RTLD_GLOBAL);
        if (!module)
            hd_error_set(error, "HEDDLE_MPI: %s", dlerror());
        return module;
    }
    if (!folder)
        return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, places[i], folder);
        if (access(path, R_OK) != 0)
            continue;
        module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (!module)
            hd_error_set(error, "%s", dlerror());
        return module;
    }
    hd_error_set(error, "this heddle was built without MPI: there is no heddle-mpi.so in %s",
                 folder);
    return NULL;
}

const hd_team *hd_team_join(hd_error *error) {
    char wrong[256] = "";
    if (joined)
        return &team;
    void *module = load(error);
    if (!module)
        return NULL;
    hd_team_begin *begin = NULL;
    *(void **)&begin = dlsym(module, HD_TEAM_BEGIN);
    team.version = HD_TEAM_VERSION;
    if (!begin || !begin(&team, wrong, sizeof wrong)) {
        hd_error_set(error, "heddle-mpi.so: %s", begin ? wrong : dlerror());
        return NULL;
    }
    joined = true;
    return &team;
}

const hd_team *hd_team_current(void) {
    return joined ? &team : NULL;
}

int hd_team_lost(void) {
    return lost;
}

bool hd_team_leaderless(void) {
    return team.rank && lost;
}

void hd_team_leave(void) {
    if (joined)
        team.leave();
    joined = false;
}

void hd_team_send(int to, int kind, const hd_vec_char *bytes) {
    team.send(to, kind, bytes ? bytes->data : "", bytes ? bytes->length : 0);
}

bool hd_team_waits(void) {
    int from, kind;
    size_t length;
    return team.waits(&from, &kind, &length);
}

bool hd_team_receive(double seconds, int *from, int *kind, hd_vec_char *bytes) {
    enum { SHORTEST = 20000, LONGEST = 5000000 }; /* nanoseconds between two looks */
    double until = hd_progress_clock() + seconds;
    long pause = SHORTEST;
    size_t length;
    for (;;) {
        if (team.waits(from, kind, &length)) {
            hd_vec_clear(bytes);
            hd_vec_reserve(bytes, length + 1);
            bytes->length = length;
            if (team.receive(*from, *kind, bytes->data, length))
                break;
            continue; /* it died while it sent that */
        }
        if (hd_progress_clock() >= until)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = 2 * pause < LONGEST ? 2 * pause : LONGEST;
    }
    lost += *kind == HD_TEAM_LOST && (!team.rank || !lost);
    return true;
}
