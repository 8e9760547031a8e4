/*
 * Data races against brute force.  On random models whose reads and writes count as plain
 * accesses, the pairs of places that an algorithm reports are those that are next together,
 * and conflict, in some state that all interleavings reach; and each reported schedule leads
 * to such a state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "support_models.h"
#include "support_suite.h"

enum { MOST_STATES = 40000 };

/* A machine in front of a model: its operations that only read and write are accesses. */
static const hd_machine_type *model;
static hd_machine_type plain;

static bool next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    if (!model->next(machine, thread, operation))
        return false;
    bool only = operation->count > 0 && !operation->awaits && operation->choices == 1;
    for (uint32_t i = 0; i < operation->count; i++)
        only = only && !(operation->accesses[i].mode & ~(HD_MACHINE_READ | HD_MACHINE_WRITE));
    operation->memory = only ? HD_MACHINE_PLAIN : HD_MACHINE_NO_MEMORY;
    return true;
}

/* ---- Pairs ---- */

typedef struct pairs {
    hd_map seen;
    hd_machine *machine;
    hd_machine *checker;
    bool wrong; /* a schedule that does not lead there */
} pairs;

static void add(pairs *to, uint32_t a, uint32_t b) {
    bool added;
    hd_map_at(&to->seen, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, &added);
}

static bool collide(hd_machine *machine, uint32_t a, uint32_t b, uint32_t *first,
                    uint32_t *second) {
    hd_machine_operation one, other;
    if (!next(machine, a, &one) || !next(machine, b, &other) || !one.enabled || !other.enabled ||
        !one.memory || !other.memory)
        return false;
    *first = one.position;
    *second = other.position;
    for (uint32_t i = 0; i < one.count; i++)
        for (uint32_t k = 0; k < other.count; k++)
            if (one.accesses[i].location == other.accesses[k].location &&
                (one.accesses[i].mode | other.accesses[k].mode) & HD_MACHINE_WRITE)
                return true;
    return false;
}

/* Every state, by every way there; false if there are too many. */
static bool walk(pairs *to, uint32_t *left) {
    hd_machine *machine = to->machine;
    uint32_t first, second;
    if (!(*left)--)
        return false;
    for (uint32_t a = 0; a < machine->threads; a++)
        for (uint32_t b = a + 1; b < machine->threads; b++)
            if (collide(machine, a, b, &first, &second))
                add(to, first, second);
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        hd_machine_operation operation;
        if (!machine->type->next(machine, thread, &operation) || !operation.enabled)
            continue;
        for (uint32_t choice = 0; choice < operation.choices; choice++) {
            bool went = machine->type->step(machine, thread, choice) == HD_MACHINE_WENT_ON;
            bool good = !went || walk(to, left);
            machine->type->undo(machine);
            if (!good)
                return false;
        }
    }
    return true;
}

static void report(void *context, const hd_explore_collision *found) {
    pairs *to = context;
    hd_steps steps = {0};
    uint32_t first, second;
    add(to, found->positions[0], found->positions[1]);
    hd_explore_collision_schedule(found, false, &steps);
    to->checker->type->restart(to->checker);
    for (size_t i = 0; i < steps.length; i++) {
        hd_machine_operation operation;
        if (!next(to->checker, steps.data[i].thread, &operation) || !operation.enabled) {
            to->wrong = true;
            break;
        }
        to->checker->type->step(to->checker, steps.data[i].thread, steps.data[i].choice);
    }
    if (!to->wrong)
        to->wrong = !collide(to->checker, found->threads[0], found->threads[1], &first, &second);
    hd_vec_release(&steps);
}

/* ---- The property ---- */

static bool agrees(pairs *brute, enum hd_explore_algorithm algorithm, char *why, size_t why_size) {
    pairs found = {.machine = brute->machine, .checker = brute->checker};
    hd_explore_options options = {.algorithm = algorithm, .collide = report, .context = &found};
    hd_explore_result result;
    hd_error error = {""};
    bool good = hd_explore_run(brute->machine, &options, &result, &error) && !found.wrong &&
                found.seen.length == brute->seen.length;
    if (!good)
        snprintf(why, why_size, "%s: %zu pairs race, brute force has %zu%s",
                 hd_explore_algorithm_name(algorithm), found.seen.length, brute->seen.length,
                 found.wrong ? "; a schedule leads elsewhere" : "");
    hd_map_release(&found.seen);
    return good;
}

static unsigned passed_over;

static bool all_agree(const void *input, hd_random *random, char *why, size_t why_size) {
    (void)random;
    static const enum hd_explore_algorithm algorithms[] = {HD_EXPLORE_DPOR, HD_EXPLORE_SDPOR,
                                                           HD_EXPLORE_ODPOR};
    pairs brute = {.machine = support_model_machine(input, why, why_size)};
    if (!brute.machine)
        return false;
    brute.checker = brute.machine->type->copy(brute.machine);
    model = brute.machine->type;
    plain = *model;
    plain.next = next;
    plain.ahead = NULL;
    brute.machine->type = brute.checker->type = &plain;
    uint32_t left = MOST_STATES;
    brute.machine->type->restart(brute.machine);
    bool small = walk(&brute, &left), good = true;
    passed_over += !small;
    for (size_t i = 0; small && good && i < sizeof algorithms / sizeof *algorithms; i++)
        good = agrees(&brute, algorithms[i], why, why_size);
    hd_map_release(&brute.seen);
    brute.machine->type = brute.checker->type = model;
    model->free(brute.checker);
    model->free(brute.machine);
    return good;
}

SUPPORT_SUITE(random_collide) {
    static const support_model_shape accesses = {3, 3,
                                                 SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS};
    static const support_model_shape locks = {3, 3, SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_BRANCHES};
    static const support_model_shape all = {3, 3,
                                            SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS |
                                                SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS};
    static const support_input_property properties[] = {
        {"data races of reads, writes, branches, pointers", &accesses, all_agree},
        {"data races behind locks", &locks, all_agree},
        {"data races of everything", &all, all_agree},
    };
    int status = support_random_inputs(argc, argv, &support_models, properties,
                                       sizeof properties / sizeof properties[0]);
    printf("# %u models were too big for brute force and not compared\n", passed_over);
    return status;
}
