/*
 * What an earlier search had found that was started over.
 *
 * A search that goes on with a checkpoint starts over when the program turns out to share more than
 * was known.  Schedules of the search before mean nothing to the new machine, but what they showed
 * was shown.  So the checkpoint that was gone on with is kept beside the new search, in the same
 * file, until that has found all of it again.  If it ends before, the answer is that of the
 * checkpoint, by the machine of then.
 */
#include "engine_explore.h"

/* ---- What a search has found ---- */

static void put_prints(const hd_finding_list *list, hd_vec_char *to) {
    for (size_t i = 0; i < list->found.length; i++)
        hd_bytes_put(to, list->found.data[i].fingerprint);
}

static bool has_print(const hd_finding_list *list, uint64_t print) {
    for (size_t i = 0; i < list->found.length; i++)
        if (list->found.data[i].fingerprint == print)
            return true;
    return false;
}

/* Has this search found all that the earlier one had? */
static bool has_all(const hd_engine_exploration *e) {
    const hd_vec_char *prior = &e->keep.prior;
    hd_bytes from = {prior->data, prior->data + prior->length, false};
    bool all = e->outcomes.length >= hd_bytes_get(&from, UINT64_MAX);
    size_t count = hd_bytes_get_count(&from, 1);
    for (size_t i = 0; i < count && all; i++) {
        uint64_t print = hd_bytes_get(&from, UINT64_MAX);
        all = has_print(&e->findings, print) || has_print(&e->races, print) ||
              has_print(&e->unordered, print);
    }
    return all;
}

void hd_engine_explore_prior_drop(hd_engine_exploration *e) {
    if (e->keep.prior.length && has_all(e))
        hd_vec_clear(&e->keep.prior);
}

/* ---- Starting over ---- */

void hd_engine_explore_prior_begin(hd_engine_exploration *e) {
    hd_vec_char *to = &e->keep.read;
    size_t count = e->findings.found.length + e->races.found.length + e->unordered.found.length;
    hd_engine_explore_prior_drop(e);
    hd_vec_clear(to);
    if (e->keep.prior.length || (!count && !e->outcomes.length))
        return;
    hd_bytes_put(to, e->outcomes.length);
    hd_bytes_put(to, count);
    put_prints(&e->findings, to);
    put_prints(&e->races, to);
    put_prints(&e->unordered, to);
    hd_bytes_put_text(to, e->keep.state.data, e->keep.state.length);
    hd_bytes_put_text(to, e->keep.frontier.data, e->keep.frontier.length);
}

void hd_engine_explore_prior_start_over(hd_engine_exploration *e) {
    if (!e->keep.from || e->keep.anew)
        return;
    e->keep.anew = true;
    hd_log_write(HD_LOG_WARNING,
                 "%s: more was learnt of the program than the checkpoint has: the search "
                 "starts over, and counts begin anew",
                 hd_text_name(e->path));
    if (e->keep.prior.length)
        return;
    hd_vec_char none = e->keep.prior;
    e->keep.prior = e->keep.read;
    e->keep.read = none;
}

/* ---- The end ---- */

/* The counts of the earlier search; how the new one ended is how both did. */
static bool take_back(hd_engine_exploration *e, hd_bytes *state, const hd_vec_char *frontier) {
    hd_explore_result counts;
    hd_engine_explore_clear(e);
    e->checker->type->free(e->checker); /* it is a copy of the machine, which may be replaced */
    e->checker = NULL;
    bool good = hd_engine_explore_get_state(e, state);
    hd_engine_explore_make_checker(e);
    if (!good || !hd_explore_kept_counts(frontier, &counts))
        return false;
    counts.used = e->result.used;
    counts.threads = e->result.threads;
    if (!counts.limit)
        counts.limit = e->result.limit;
    e->result = counts;
    return true;
}

bool hd_engine_explore_prior_end(hd_engine_exploration *e, hd_error *error) {
    hd_vec_char *prior = &e->keep.prior, frontier = {0};
    size_t length;
    hd_engine_explore_prior_drop(e);
    if (!prior->length)
        return true;
    hd_bytes from = {prior->data, prior->data + prior->length, false};
    hd_bytes_get(&from, UINT64_MAX);
    for (size_t i = hd_bytes_get_count(&from, 1); i > 0; i--)
        hd_bytes_get(&from, UINT64_MAX);
    const char *text = hd_bytes_get_text(&from, &length);
    hd_bytes state = {text, text + length, false};
    text = hd_bytes_get_text(&from, &length);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&frontier, text[i]);
    e->keep.back = hd_bytes_done(&from) && take_back(e, &state, &frontier);
    hd_vec_release(&frontier);
    return e->keep.back ||
           hd_error_set(error,
                        "the search started over, and what it had found before cannot be shown; "
                        "%s still has it",
                        hd_text_name(e->keep.to));
}
