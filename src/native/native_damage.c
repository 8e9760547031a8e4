#include "native_damage.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "launch/launch.h"
#include "native_hang.h"

void hd_native_damage_init(hd_native_server *server) {
    memcpy(server->head, &server->run.wire->mode, sizeof server->head);
    if (server->run.wire->explore != server->run.size - sizeof *server->explore)
        hd_native_damage_end(server);
}

/* What the tool asked for, and counts of the tables. */
static bool is_within(const hd_native_server *server) {
    const heddle_wire *wire = server->run.wire;
    const heddle_wire_explore *its = server->explore;
    uint32_t known = its->done ? its->done - 1 : 0;
    return memcmp(server->head, &wire->mode, sizeof server->head) == 0 &&
           wire->threads <= HEDDLE_WIRE_THREADS && wire->modules <= HEDDLE_WIRE_MODULES &&
           wire->inputs <= HEDDLE_WIRE_INPUTS && wire->anys <= HEDDLE_WIRE_WAYS &&
           wire->atomics <= HEDDLE_WIRE_ATOMICS && its->wishes <= HEDDLE_WIRE_WISHES &&
           known <= its->wishes && its->decisions <= HEDDLE_WIRE_STEPS &&
           its->stopped <= HEDDLE_WIRE_UNSAFE && its->threads &&
           its->threads <= HEDDLE_WIRE_EXPLORED && its->more_words <= HEDDLE_WIRE_MORE &&
           its->loops <= HEDDLE_WIRE_LOOPS && its->stays_used <= HEDDLE_WIRE_STAYS &&
           its->reaches.count <= HEDDLE_WIRE_REACHES && its->reaches.used <= HEDDLE_WIRE_REACHES &&
           its->sections <= HEDDLE_WIRE_SECTIONS && its->constants <= HEDDLE_WIRE_CONSTANTS &&
           its->constants_used <= HEDDLE_WIRE_CONSTANTS && its->copies <= HEDDLE_WIRE_COPIES &&
           its->awaits.count <= HEDDLE_WIRE_AWAITED && its->said <= HEDDLE_WIRE_SAYINGS &&
           its->looks.count <= HEDDLE_WIRE_LOOKS_KEPT;
}

/* Who created a thread is known before it. */
static bool has_names(const heddle_wire_explore *its) {
    for (uint32_t i = 1; i < its->threads; i++)
        if (its->name[i].creator >= i)
            return false;
    return true;
}

static bool has_awaits(const heddle_wire_awaits *its) {
    for (uint32_t i = 0; i < its->count; i++)
        if (its->word[i].values > HEDDLE_WIRE_AWAITED_VALUES)
            return false;
    return true;
}

static bool has_stacks(const heddle_wire_explore *its) {
    for (uint32_t i = 0; i < its->stacked && i < HEDDLE_WIRE_EXPLORED; i++)
        if (its->stack[i].frames > HEDDLE_WIRE_FRAMES)
            return false;
    return true;
}

static bool has_parcels(const heddle_wire_explore *its) {
    uint32_t steps = 0, nexts = 0;
    for (uint32_t i = 0; i < its->done; i++) {
        const heddle_wire_parcel *it = &its->parcel[i];
        bool follows = i ? it->from <= it[-1].steps && it->next_from <= it[-1].nexts
                         : !it->from && !it->next_from;
        if (!follows || it->from > it->steps || it->next_from > it->nexts ||
            it->steps - it->from > HEDDLE_WIRE_PARCEL - steps ||
            it->nexts - it->next_from > HEDDLE_WIRE_PARCEL - nexts ||
            it->looks.count > HEDDLE_WIRE_LOOKS_KEPT)
            return false;
        steps += it->steps - it->from;
        nexts += it->nexts - it->next_from;
    }
    return true;
}

bool hd_native_damage_beyond(const hd_native_server *server) {
    return !is_within(server);
}

bool hd_native_damage_seen(const hd_native_server *server) {
    return !is_within(server) || !has_names(server->explore) || !has_stacks(server->explore) ||
           !has_awaits(&server->explore->awaits) || !has_parcels(server->explore);
}

bool hd_native_damage_whole(const hd_launch_log *log, uint32_t threads) {
    uint32_t before = 0;
    for (size_t i = 0; i < log->steps.length; i++) {
        const heddle_wire_step *step = &log->steps.data[i];
        if (step->thread >= threads || step->nexts < before || step->nexts > log->nexts.length)
            return false;
        before = step->nexts;
    }
    for (size_t i = 0; i < log->nexts.length; i++)
        if (log->nexts.data[i].thread >= threads)
            return false;
    return true;
}

static void empty_tables(hd_native_server *server) {
    heddle_wire *wire = server->run.wire;
    heddle_wire_explore *its = server->explore;
    memcpy(&wire->mode, server->head, sizeof server->head);
    wire->threads = 1;
    wire->modules = wire->callees = wire->functions = wire->notes = wire->asked = 0;
    wire->blocks = wire->chunks = wire->begun = 0;
    wire->suppressions[0] = '\0';
    wire->fault = (heddle_wire_fault){0};
    hd_launch_bound(wire);
    its->threads = 1;
    its->done = its->steps = its->wishes = its->decisions = its->fresh = its->stacked = 0;
    its->loops = its->stays = its->stays_used = its->sections = its->copies = 0;
    its->constants = its->constants_used = its->weaker = 0;
    its->child = 0;
    its->said = its->wrote = its->targets = 0;
    its->left[0] = its->locking[0] = its->input[0] = '\0';
    memset(&its->looks, 0, sizeof its->looks);
    memset(&its->reaches, 0, sizeof its->reaches);
    memset(&its->awaits, 0, sizeof its->awaits);
    memset(its->weaker_code, 0, sizeof its->weaker_code);
    memset(its->name, 0, sizeof its->name);
    memset(its->shared_part, 0, sizeof its->shared_part);
    memset(its->shared, 0, sizeof its->shared);
}

void hd_native_damage_end(hd_native_server *server) {
    heddle_wire *wire = server->run.wire;
    pid_t child = server->explore->child;
    if (server->process > 0) {
        if (hd_native_hang_is_child(child, server->process))
            kill(child, SIGKILL);
        kill(server->process, SIGKILL);
        while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    server->process = 0;
    server->damaged = true;
    empty_tables(server);
    snprintf(wire->message, sizeof wire->message,
             "the program wrote over the memory that it shares with heddle");
}
