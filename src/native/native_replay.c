#include "native_replay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/launch.h"
#include "native_operations.h"
#include "native_sections.h"
#include "native_server.h"

/* ---- Parameters of the run ---- */

static bool enter_thread(heddle_wire_explore *explore, const char *text) {
    const char *dot = strchr(text, '.');
    uint64_t creator, birth;
    if (!dot || !hd_text_u64(text, (size_t)(dot - text), &creator) ||
        !hd_text_u64(dot + 1, strlen(dot + 1), &birth) ||
        explore->threads >= HEDDLE_WIRE_EXPLORED || creator >= explore->threads)
        return false;
    explore->name[explore->threads].creator = (uint32_t)creator;
    explore->name[explore->threads++].birth = (uint32_t)birth;
    return true;
}

/* Words on the stack of main are relative to its top, which only the program knows. */
static bool enter_shared(hd_native_server *server, const char *text, uint64_t state) {
    static const char stack[] = "main-";
    uint64_t number;
    bool near = strncmp(text, stack, strlen(stack)) == 0;
    text += near ? strlen(stack) : 0;
    if (!hd_text_u64(text, strlen(text), &number))
        return false;
    if (!near)
        return hd_native_server_share(server, number / 8 | state);
    if (server->explore->nears == HEDDLE_WIRE_FRESH)
        return false;
    server->explore->near[server->explore->nears++] = number | state;
    return true;
}

/* Places in the code are told from its beginning; the program adds where that is
 * (hd_rt_replay_begin). */
static bool enter_loop(heddle_wire_explore *explore, const char *text, uint32_t more) {
    uint64_t code;
    uint32_t known = more | (more & HEDDLE_WIRE_LOOP_WRITES ? 0 : HEDDLE_WIRE_LOOP_SEEN);
    if (!hd_text_u64(text, strlen(text), &code) || explore->loops >= HEDDLE_WIRE_LOOPS)
        return false;
    explore->loop[explore->loops++] =
        (heddle_wire_loop){.code = code, .now = known, .found = known};
    return true;
}

static bool enter_copy(heddle_wire_explore *explore, const char *text) {
    uint64_t code;
    if (!hd_text_u64(text, strlen(text), &code) || explore->copies >= HEDDLE_WIRE_COPIES)
        return false;
    explore->copy[explore->copies++] = code;
    return true;
}

/* What the search found out about the program's code. */
static bool enter_code(heddle_wire_explore *explore, const char *word, const char *value) {
    static const struct {
        const char *word;
        uint32_t loop;
    } loops[] = {{"read=", 0},
                 {"write=", HEDDLE_WIRE_LOOP_WRITES},
                 {"loop=", HEDDLE_WIRE_LOOP_PROVED},
                 {"polls=", HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_LOCKS},
                 {"backs=", HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_BACKS},
                 {"restless=", HEDDLE_WIRE_LOOP_RESTLESS}};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strncmp(word, loops[i].word, strlen(loops[i].word)) == 0)
            return enter_loop(explore, value, loops[i].loop);
    if (strncmp(word, "copy=", strlen("copy=")) == 0)
        return enter_copy(explore, value);
    return hd_native_sections_word(explore, 0, word);
}

static bool enter_word(hd_native_server *server, const char *word) {
    const char *value = strchr(word, '=');
    if (!value++)
        return false;
    if (strncmp(word, "thread=", strlen("thread=")) == 0)
        return enter_thread(server->explore, value);
    if (strncmp(word, "shared=", strlen("shared=")) == 0)
        return enter_shared(server, value, 0);
    if (strncmp(word, "state=", strlen("state=")) == 0)
        return enter_shared(server, value, HEDDLE_WIRE_STATE);
    if (hd_launch_options_ends(word, &server->explore->ends))
        return true;
    if (hd_launch_options_exits(word, &server->explore->exits) ||
        hd_launch_options_waits(word, &server->explore->awaits))
        return true;
    if (strncmp(word, "targets=", strlen("targets=")) == 0)
        return hd_text_u64(value, strlen(value), &server->explore->targets);
    return hd_launch_options_word(server->run.wire, word) ||
           enter_code(server->explore, word, value) ||
           hd_native_server_caught(server->run.wire, word) ||
           strncmp(word, "build=", strlen("build=")) == 0;
}

static bool prepare(void *context, heddle_wire *wire, hd_error *error) {
    const hd_native_replay *replay = context;
    hd_native_server server = {.run.wire = wire};
    server.explore = (heddle_wire_explore *)((char *)wire + wire->explore);
    heddle_wire_explore *explore = server.explore;
    explore->what = HEDDLE_WIRE_ALONE;
    explore->threads = 1;
    for (size_t i = 0; i < replay->word_count; i++)
        if (!enter_word(&server, replay->words[i]))
            return hd_error_set(error, "parameter: not one of a program: '%.80s'",
                                replay->words[i]);
    if (replay->count > HEDDLE_WIRE_STEPS)
        return hd_error_set(error, "a schedule of more than %d steps", HEDDLE_WIRE_STEPS);
    for (size_t i = 0; i < replay->count; i++)
        explore->decision[i] = replay->decisions[i];
    explore->decisions = (uint32_t)replay->count;
    explore->most_steps = explore->most_own = HEDDLE_WIRE_STEPS;
    return true;
}

bool hd_native_replay_record(const hd_native_replay *replay, hd_launch_run *run, hd_error *error) {
    hd_launch_options how = {.argv = replay->argv,
                             .limit = (uint64_t)4096 << 20,
                             .aside = replay->aside,
                             .explored = true,
                             .alone = true,
                             .recorded = true,
                             .calls = true,
                             .most_steps = replay->stop_at,
                             .prepare = prepare,
                             .context = (void *)(uintptr_t)replay};
    return hd_launch_run_program(run, &how, error);
}

/* ---- Under gdb ---- */

/* The environment of rt_gdb.py; HEDDLE_GDB_KINDS is what a thread may be about to do. */
static void tell_helper(size_t steps, const char *unit, int wire) {
    char text[2048] = "", number[24];
    size_t length = 0;
    const hd_native_operation *kinds;
    size_t count = hd_native_operations(&kinds);
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d:%s", i ? ";" : "",
                                   kinds[i].kind, kinds[i].verb);
    setenv("HEDDLE_GDB_KINDS", text, 1);
    snprintf(number, sizeof number, "%zu", steps);
    setenv("HEDDLE_GDB_STEPS", number, 1);
    setenv("HEDDLE_GDB_UNIT", unit, 1);
    snprintf(number, sizeof number, "%d", wire);
    setenv(HEDDLE_WIRE_ENV, number, 1);
    setenv("LD_BIND_NOW", "1", 1);
    unsetenv("DEBUGINFOD_URLS"); /* so that gdb does not ask whether to use it */
}

/* Executes gdb; the shared file is inherited under its number. */
static bool become_gdb(char **argv, const hd_native_commands *commands, hd_error *error) {
    const char *debugger = getenv("HEDDLE_GDB");
    char source[PATH_MAX + 64];
    snprintf(source, sizeof source, "source %s/heddle-gdb.py", hd_launch_runtime(error));
    HD_VEC(const char *) words = {0};
    debugger = debugger && *debugger ? debugger : "gdb";
    const char *const first[] = {debugger, "-q", "-ex", source, "-ex", "heddle start"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        hd_vec_push(&words, first[i]);
    if (commands->count)
        hd_vec_push(&words, "-batch");
    for (size_t i = 0; i < commands->count; i++) {
        hd_vec_push(&words, "-ex");
        hd_vec_push(&words, commands->all[i]);
    }
    hd_vec_push(&words, "--args");
    for (char **word = argv; *word; word++)
        hd_vec_push(&words, *word);
    hd_vec_push(&words, NULL);
    hd_launch_run_fix_addresses();
    fflush(NULL);
    execvp(debugger, (char **)(uintptr_t)words.data);
    hd_error_set(error, "%s: %s; HEDDLE_GDB may name another debugger", debugger, strerror(errno));
    hd_vec_release(&words);
    return false;
}

bool hd_native_replay_gdb(const hd_native_replay *replay, const hd_native_commands *commands,
                          hd_error *error) {
    hd_launch_options how = {.argv = replay->argv,
                             .explored = true,
                             .alone = true,
                             .prepare = prepare,
                             .context = (void *)(uintptr_t)replay};
    hd_launch_run run = {0};
    int wire = hd_launch_runtime(error) ? hd_launch_run_wire(&run, &how, error) : -1;
    if (wire < 0)
        return false;
    heddle_wire_explore *explore = (heddle_wire_explore *)((char *)run.wire + run.wire->explore);
    explore->stop_at = replay->stop_at;
    tell_helper(replay->count, "step", wire);
    become_gdb(replay->argv, commands, error);
    hd_launch_run_release(&run);
    return false;
}

bool hd_native_follow_gdb(const hd_native_followed *followed, char **argv, const char *world,
                          const hd_native_commands *commands, hd_error *error) {
    hd_launch_options how = hd_native_follow_options(followed, argv);
    how.stops = how.watched = how.plays = true;
    how.world = world;
    hd_launch_run run = {0};
    int wire = hd_launch_runtime(error) ? hd_launch_run_wire(&run, &how, error) : -1;
    if (wire < 0)
        return false;
    tell_helper(followed->all, "event", wire);
    become_gdb(argv, commands, error);
    hd_launch_run_release(&run);
    return false;
}
