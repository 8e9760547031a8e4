/*
 * The exploring algorithms against brute force: on random models, every one of
 * them completes each Mazurkiewicz trace that all interleavings have, once.
 */
#include <stdio.h>
#include <stdlib.h>

#include "explore/explore.h"
#include "model/model.h"
#include "support_models.h"

static bool agrees(hd_machine *machine, enum hd_explore_algorithm algorithm,
                   const hd_explore_result *naive, char *why, size_t why_size) {
    hd_explore_options options = {.algorithm = algorithm};
    hd_explore_result result;
    hd_error error = {""};
    if (!hd_explore_run(machine, &options, &result, &error)) {
        snprintf(why, why_size, "%s", error.text);
        return false;
    }
    const char *name = hd_explore_algorithm_name(algorithm);
    if (result.executions != naive->traces) {
        snprintf(why, why_size, "%s completes %llu executions, but there are %llu traces", name,
                 (unsigned long long)result.executions, (unsigned long long)naive->traces);
        return false;
    }
    if (algorithm == HD_EXPLORE_ODPOR && result.blocked) {
        snprintf(why, why_size, "%s ran into %llu blocked ends", name,
                 (unsigned long long)result.blocked);
        return false;
    }
    return true;
}

static bool all_agree(const void *input, hd_random *random, char *why, size_t why_size) {
    (void)random;
    enum { MOST = 60000 };
    size_t length;
    char *text = support_model_text(input, &length);
    hd_model_error bad;
    hd_machine *machine = hd_model_parse("random", text, length, NULL, 0, &bad);
    free(text);
    if (!machine) {
        snprintf(why, why_size, "line %u: %s", bad.line, bad.text);
        return false;
    }
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = MOST};
    hd_explore_result naive;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &naive, &error);
    for (int a = HD_EXPLORE_DPOR; a < HD_EXPLORE_ALGORITHMS && good && naive.complete; a++)
        good = agrees(machine, (enum hd_explore_algorithm)a, &naive, why, why_size);
    machine->type->free(machine);
    return good;
}

int main(int argc, char **argv) {
    static const support_model_shape few = {4, 3,
                                            SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS |
                                                SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS};
    static const support_model_shape plain = {3, 4,
                                              SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS};
    static const support_model_shape locks = {4, 2, SUPPORT_MODEL_LOCKS};
    static const support_model_shape many = {
        6, 2, SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS | SUPPORT_MODEL_LOCKS};
    static const support_input_property properties[] = {
        {"algorithms agree on reads, writes, branches, pointers", &plain, all_agree},
        {"algorithms agree on locks", &locks, all_agree},
        {"algorithms agree on everything", &few, all_agree},
        {"algorithms agree on five and six threads", &many, all_agree},
    };
    return support_random_inputs(argc, argv, &support_models, properties, 4);
}
