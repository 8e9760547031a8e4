/*
 * Samples of the tree of sleep sets (explore_estimate.h) against brute force: on random models, the
 * mean of many samples is the number of Mazurkiewicz traces, which all interleavings together show.
 * With few strata, so that one node often stands for others that are not like it.
 */
#include <math.h>
#include <stdio.h>

#include "explore/explore_estimate.h"
#include "support_models.h"
#include "support_suite.h"

enum { SAMPLES = 300, WARMING = 120, FEW = 7, MANY = 4096 };

/* Is the mean so far off that chance hardly explains it? */
static bool is_off(hd_machine *machine, uint32_t strata, uint32_t samples, double traces, char *why,
                   size_t why_size) {
    static const double sigmas = 8;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < samples; i++) {
        double leaves = hd_explore_estimate_sample(machine, strata, i + 1, WARMING);
        sum += leaves;
        squares += leaves * leaves;
    }
    double mean = sum / samples, spread = squares / samples - mean * mean;
    double error = sqrt((spread > 0 ? spread : 0) / samples);
    snprintf(why, why_size, "%u strata: %g traces by samples, error %g, but there are %g", strata,
             mean, error, traces);
    return fabs(mean - traces) > sigmas * error + traces * 1e-9;
}

static bool check(const void *input, hd_random *random, char *why, size_t why_size) {
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = 20000};
    hd_explore_result naive;
    hd_error error = {""};
    (void)random;
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    bool good = true;
    if (hd_explore_run(machine, &options, &naive, &error) && naive.complete)
        good = !is_off(machine, FEW, SAMPLES, (double)naive.traces, why, why_size) &&
               !is_off(machine, MANY, SAMPLES / 10, (double)naive.traces, why, why_size);
    machine->type->free(machine);
    return good;
}

SUPPORT_SUITE(random_samples) {
    enum {
        WAITING = SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_CONDITIONS,
        VARYING = SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS,
        ALL = WAITING | VARYING | SUPPORT_MODEL_ATOMICS
    };
    static const support_model_shape plain = {3, 4, VARYING};
    static const support_model_shape waiting = {3, 3, WAITING};
    static const support_model_shape few = {4, 3, ALL};
    static const support_model_shape many = {6, 2, SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_LOCKS};
    static const support_model_shape objects = {
        3, 3, ALL | SUPPORT_MODEL_OBJECTS | SUPPORT_MODEL_ASSERTIONS | SUPPORT_MODEL_FORKS};
    static const support_input_property properties[] = {
        {"samples of reads, writes, branches, pointers", &plain, check},
        {"samples of threads that wait", &waiting, check},
        {"samples of everything", &few, check},
        {"samples of five and six threads", &many, check},
        {"samples of objects", &objects, check},
    };
    return support_random_inputs(argc, argv, &support_models, properties, 5);
}
