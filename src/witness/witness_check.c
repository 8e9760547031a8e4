/*
 * The checker: the claim fits the trace, the schedule is a reordering, the
 * state after it shows the claim.
 */
#include <stdlib.h>

#include "witness_claim.h"
#include "witness_explain.h"
#include "witness_matter.h"

hd_witness_checker *hd_witness_checker_create(const hd_trace *trace) {
    const hd_names *names = trace->tables.names;
    uint32_t threads = names[HEDDLE_CLASS_THREAD].length;
    hd_witness_checker *checker = HD_NEW(hd_witness_checker);
    hd_witness_pairs_build(&checker->pairs, trace);
    checker->expected = HD_NEW_ARRAY(uint32_t, threads);
    for (uint32_t thread = 0; thread < threads; thread++)
        checker->expected[thread] = checker->pairs.first[thread];
    checker->written = HD_NEW_ARRAY(uint32_t, names[HEDDLE_CLASS_VARIABLE].length);
    checker->locks = HD_NEW_ARRAY(hd_witness_lock, names[HEDDLE_CLASS_LOCK].length);
    checker->arrived = HD_NEW_ARRAY(uint32_t, checker->pairs.members.length);
    checker->posted = HD_NEW_ARRAY(int64_t, names[HEDDLE_CLASS_SEMAPHORE].length);
    checker->counts = HD_NEW_ARRAY(uint32_t, threads);
    return checker;
}

void hd_witness_checker_free(hd_witness_checker *checker) {
    if (!checker)
        return;
    hd_witness_pairs_release(&checker->pairs);
    free(checker->expected);
    free(checker->written);
    free(checker->locks);
    free(checker->arrived);
    free(checker->posted);
    free(checker->counts);
    free(checker->matters);
    hd_vec_release(&checker->touched.threads);
    hd_vec_release(&checker->touched.variables);
    hd_vec_release(&checker->touched.locks);
    hd_vec_release(&checker->touched.groups);
    hd_vec_release(&checker->touched.semaphores);
    free(checker);
}

static bool run_witness(hd_witness_checker *checker, const hd_witness *witness,
                        hd_witness_fault *fault, hd_error *error) {
    const hd_vec_u32 *schedule = &witness->schedule;
    size_t at;
    enum hd_witness_keep keep = witness->claim.let_go      ? HD_WITNESS_KEEP_NONE
                                : witness->claim.decisions ? HD_WITNESS_KEEP_MATTERING
                                                           : HD_WITNESS_KEEP_ALL;
    if (keep == HD_WITNESS_KEEP_MATTERING)
        hd_witness_matter(checker, witness);
    enum hd_witness_wrong wrong = hd_witness_state_run(checker, schedule, keep, &at);
    if (wrong == HD_WITNESS_FINE)
        return hd_witness_claim_holds(checker, witness, fault, error);
    *fault = (hd_witness_fault){at + 1, schedule->data[at]};
    if (error)
        hd_witness_explain(checker, schedule, at, wrong, error);
    return false;
}

bool hd_witness_checker_run(hd_witness_checker *checker, const hd_witness *witness,
                            hd_witness_fault *fault, hd_error *error) {
    hd_witness_fault found = {0};
    bool good = hd_witness_claim_fits(&witness->claim, checker->pairs.trace, &found, error);
    if (good) {
        good = run_witness(checker, witness, &found, error);
        hd_witness_state_reset(checker);
    }
    if (!good && fault)
        *fault = found;
    return good;
}

bool hd_witness_check(const hd_witness *witness, const hd_trace *trace, hd_error *error) {
    hd_witness_checker *checker = hd_witness_checker_create(trace);
    bool good = hd_witness_checker_run(checker, witness, NULL, error);
    hd_witness_checker_free(checker);
    return good;
}

bool hd_witness_checked(hd_witness_checker **checker, const hd_trace *trace,
                        const hd_witness *witness, hd_error *error) {
    hd_error wrong = {""};
    if (!*checker)
        *checker = hd_witness_checker_create(trace);
    return hd_witness_checker_run(*checker, witness, NULL, &wrong) ||
           hd_error_set(error, "a schedule of %s fails its check: %s",
                        witness->question ? witness->question : "heddle", wrong.text);
}
