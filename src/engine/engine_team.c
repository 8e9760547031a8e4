/* The process that leads (engine_team.h). */
#include "engine_team.h"

#include <stdlib.h>
#include <string.h>

/* What the lead knows of a member. */
struct member {
    bool begun;  /* it has begun with the current program */
    bool idle;   /* and waits for a unit */
    bool asked;  /* to give nodes, or to stop */
    bool left;   /* it stopped, */
    bool lost;   /* because it died */
    double when; /* it was asked */
};

struct lead {
    hd_engine_exploration *e;
    struct hd_explore_lead *search;
    struct member *members; /* [rank] */
    int size;
    uint64_t beginning;
    double started, kept, ticked;
    bool halting; /* all were told to stop, */
    double halted;
    enum hd_explore_limit limit; /* by this */
    bool found;
    hd_error broken;
};

/* ---- Beginning ---- */

static void learnt(const hd_engine_exploration *e, hd_vec_char *to) {
    if (e->program)
        hd_native_machine_put(e->machine, to);
}

/* Everybody begins, from the frontier or from the first state. */
static bool begin(struct lead *lead, const hd_vec_char *frontier, hd_error *error) {
    hd_engine_exploration *e = lead->e;
    hd_vec_char message = {0}, known = {0};
    if (lead->search)
        hd_explore_lead_free(lead->search);
    lead->search = hd_explore_lead_new(e->machine->threads, e->options.algorithm, frontier);
    if (!lead->search)
        return hd_error_set(error, "what was kept is not of this search");
    lead->beginning++;
    hd_bytes_put(&message, lead->beginning);
    learnt(e, &known);
    hd_bytes_put_text(&message, known.data, known.length);
    for (int i = 1; i < lead->size; i++) {
        bool lost = lead->members[i].lost;
        lead->members[i] = (struct member){.left = lost, .lost = lost};
        hd_team_send(i, HD_ENGINE_BEGIN, &message);
    }
    hd_vec_release(&known);
    hd_vec_release(&message);
    return true;
}

/* A member has learnt more of the program. */
static bool begin_anew(struct lead *lead, const hd_vec_char *known, hd_error *error) {
    enum { MOST = 1000 };
    hd_engine_exploration *e = lead->e;
    if (lead->beginning > MOST)
        return hd_error_set(error, "the processes do not agree on what the program shares");
    hd_native_machine_get(e->machine, known);
    hd_engine_explore_start_over(e);
    return begin(lead, NULL, error);
}

/* ---- Checkpoints ---- */

static void keep(struct lead *lead) {
    hd_vec_char frontier = {0};
    lead->kept = hd_progress_clock();
    if (lead->e->keep.to && !lead->found && hd_explore_lead_keep(lead->search, &frontier))
        hd_engine_explore_keep(lead->e, &frontier);
    hd_vec_release(&frontier);
}

/* ---- Messages ---- */

/* What a member found since its last report, then its part of the search. */
static bool take_report(struct lead *lead, int from, const hd_vec_char *message, hd_error *error) {
    hd_bytes bytes = {message->data, message->data + message->length, false};
    uint64_t beginning = hd_bytes_get(&bytes, UINT64_MAX);
    size_t length;
    bool done = false;
    if (bytes.bad || beginning != lead->beginning)
        return !bytes.bad; /* of a search that was given up */
    const char *text = hd_bytes_get_text(&bytes, &length);
    hd_bytes found = {text, text + length, false};
    hd_verdict_get_rests(&lead->e->rested, &found);
    bool good = hd_engine_explore_get(lead->e, &found);
    text = hd_bytes_get_text(&bytes, &length);
    hd_bytes part = {text, text + length, false};
    good = good && !bytes.bad && hd_explore_lead_take(lead->search, (uint32_t)from, &part, &done);
    lead->members[from].idle = done;
    lead->members[from].asked &= lead->halting;
    return good || hd_error_set(error, "process %d sent a report that is not one", from);
}

/* It found as much as was wanted. */
static void take_found(struct lead *lead, const hd_vec_char *message) {
    hd_bytes bytes = {message->data, message->data + message->length, false};
    uint64_t beginning = hd_bytes_get(&bytes, UINT64_MAX);
    size_t length;
    hd_explore_result counts;
    if (bytes.bad || beginning != lead->beginning)
        return;
    const char *text = hd_bytes_get_text(&bytes, &length);
    hd_bytes found = {text, text + length, false};
    hd_verdict_get_rests(&lead->e->rested, &found);
    hd_engine_explore_get(lead->e, &found);
    hd_explore_counts_get(&counts, &bytes);
    hd_explore_lead_count(lead->search, &counts);
    lead->found = true;
}

static void halt(struct lead *lead, enum hd_explore_limit limit) {
    if (lead->halting)
        return;
    lead->halting = true;
    lead->halted = hd_progress_clock();
    lead->limit = limit;
    keep(lead); /* those that ended this may not wait for the reports */
    for (int i = 1; i < lead->size; i++)
        hd_team_send(i, HD_ENGINE_HALT, NULL);
}

void hd_engine_team_lost(int member) {
    hd_log_write(HD_LOG_WARNING, "process %d has died; what it had not reported is done again",
                 member);
    if (hd_team_lost() == hd_team_current()->size - 1)
        hd_log_write(HD_LOG_WARNING, "all other processes have died; this one goes on alone");
}

static bool take_message(struct lead *lead, int from, int kind, const hd_vec_char *message,
                         hd_error *error) {
    struct member *member = &lead->members[from];
    hd_bytes bytes = {message->data, message->data + message->length, false};
    switch (kind) {
    case HD_ENGINE_READY:
        if (hd_bytes_get(&bytes, UINT64_MAX) == lead->beginning)
            member->begun = member->idle = !member->left;
        return true;
    case HD_ENGINE_REPORT: /* what one that left was to do is done again */
        return member->left || take_report(lead, from, message, error);
    case HD_ENGINE_FOUND:
        take_found(lead, message);
        return true;
    case HD_ENGINE_NEWS:
        if (hd_bytes_get(&bytes, UINT64_MAX) != lead->beginning)
            return true;
        hd_vec_char known = {(char *)(uintptr_t)bytes.at, (size_t)(bytes.end - bytes.at), 0};
        return begin_anew(lead, &known, error);
    case HD_ENGINE_LEFT:
        hd_explore_lead_lose(lead->search, (uint32_t)from);
        member->left = true;
        member->begun = false;
        halt(lead, HD_EXPLORE_LIMIT_INTERRUPT); /* a signal asked it to end: that is for all */
        return true;
    case HD_TEAM_LOST:
        hd_engine_team_lost(from);
        hd_explore_lead_lose(lead->search, (uint32_t)from);
        *member = (struct member){.left = true, .lost = true};
        return true;
    default:
        return hd_error_set(error, "process %d: %.*s", from, (int)message->length, message->data);
    }
}

/* ---- Who does what ---- */

/* Units for those that wait; if there are none, some are asked to give nodes. */
static void share_out(struct lead *lead) {
    static const double again =
        0.05; /* seconds until one that had nothing to give is asked again */
    double now = hd_progress_clock();
    int hungry = 0;
    for (int i = 1; i < lead->size && !lead->halting; i++) {
        struct member *member = &lead->members[i];
        hd_vec_char unit = {0};
        if (!member->begun || !member->idle)
            continue;
        hd_bytes_put(&unit, lead->beginning);
        if (hd_explore_lead_give(lead->search, (uint32_t)i, &unit)) {
            member->idle = false;
            hd_team_send(i, HD_ENGINE_UNIT, &unit);
        } else
            hungry++;
        hd_vec_release(&unit);
    }
    for (int i = 1; i < lead->size && hungry && !lead->halting; i++) {
        struct member *member = &lead->members[i];
        if (!member->begun || member->idle || member->asked || now - member->when < again)
            continue;
        member->asked = true;
        member->when = now;
        hd_team_send(i, HD_ENGINE_GIVE, NULL);
        hungry--;
    }
}

static bool all_left(const struct lead *lead) {
    for (int i = 1; i < lead->size; i++)
        if (!lead->members[i].left)
            return false;
    return true;
}

static void look_at_limits(struct lead *lead) {
    static const double between = 0.25;
    hd_engine_exploration *e = lead->e;
    const hd_explore_result *counts = hd_explore_lead_counts(lead->search);
    double now = hd_progress_clock();
    if (hd_stop_asked())
        halt(lead, HD_EXPLORE_LIMIT_INTERRUPT);
    else if (hd_clock_look() != HD_CLOCK_GOES ||
             (e->options.most_seconds > 0 && now - lead->started > e->options.most_seconds))
        halt(lead, HD_EXPLORE_LIMIT_TIME);
    else if (e->options.most_executions && counts->executions >= e->options.most_executions)
        halt(lead, HD_EXPLORE_LIMIT_EXECUTIONS);
    if (now - lead->ticked > between) {
        hd_explore_status status = {.executions = counts->executions, .steps = counts->steps};
        lead->ticked = now;
        hd_engine_explore_tick(e, &status);
    }
    if (now - lead->kept > e->keep.every / 2)
        keep(lead);
}

/* Of the question nondet, two ways to end that differ may come from two members. */
static bool has_enough(const struct lead *lead) {
    const hd_engine_exploration *e = lead->e;
    return lead->found || (e->nondet && e->parts.length && !e->all_outcomes) ||
           (e->findings.enough && e->findings.found.length >= e->findings.enough);
}

static bool run(struct lead *lead, hd_error *error) {
    static const double patience = 30, moment = 0.02;
    hd_vec_char message = {0};
    bool good = true;
    while (good && !hd_explore_lead_over(lead->search) && !has_enough(lead)) {
        int from, kind;
        share_out(lead);
        look_at_limits(lead);
        if (all_left(lead) || (lead->halting && hd_progress_clock() - lead->halted > patience))
            break;
        if (hd_team_receive(moment, &from, &kind, &message))
            good = take_message(lead, from, kind, &message, error);
    }
    hd_vec_release(&message);
    return good;
}

/* All members have died: the lead goes on by itself, as a search that was kept does. */
static bool go_on_alone(const struct lead *lead, hd_error *error) {
    static const double no_time = 1e-6, never = 1e9;
    hd_engine_exploration *e = lead->e;
    hd_vec_char frontier = {0};
    double left;
    if (!e->options.keeper)
        e->keeper = (hd_explore_keeper){.every = never};
    e->options.keeper = &e->keeper;
    e->keeper.from = hd_explore_lead_keep(lead->search, &frontier) ? &frontier : NULL;
    e->options.most_seconds = hd_engine_explore_time_left(e, lead->started, &left) ? left : no_time;
    bool good = hd_engine_explore_alone(e, hd_progress_clock(), error);
    hd_vec_release(&frontier);
    return good;
}

bool hd_engine_team_lead(hd_engine_exploration *e, hd_error *error) {
    struct lead lead = {.e = e, .size = hd_team_current()->size};
    lead.members = HD_NEW_ARRAY(struct member, (size_t)lead.size);
    lead.started = lead.kept = hd_progress_clock();
    hd_stop_listen();
    bool good = begin(&lead, e->keeper.from, error) && run(&lead, error);
    bool over = good && hd_explore_lead_over(lead.search);
    if (good && !over && !has_enough(&lead) && !lead.halting)
        good = go_on_alone(&lead, error);
    else if (good) {
        if (!over && !has_enough(&lead))
            keep(&lead);
        e->result = *hd_explore_lead_counts(lead.search);
        e->result.used = e->options.algorithm;
        e->result.threads = (uint32_t)lead.size - 1;
        e->result.stopped = !over && has_enough(&lead);
        if (!over && !e->result.stopped)
            e->result.limit = lead.limit;
        e->result.complete = over && !e->result.limit;
        e->result.covered = e->result.complete; /* else it is not known */
    }
    if (lead.search)
        hd_explore_lead_free(lead.search);
    free(lead.members);
    return good;
}

bool hd_engine_team_can(const hd_engine_exploration *e, hd_error *error) {
    if (hd_team_current()->size < 2)
        return true;
    if (e->machine && e->machine->threads > 64)
        return hd_error_set(error, "more than 64 threads are not shared with --mpi");
    if (e->program && hd_launch_is_source(e->path))
        return hd_error_set(error, "%s: with --mpi compile it first: heddle cc",
                            hd_text_name(e->path));
    if (e->walk || e->graph || !hd_explore_can_keep(&e->options))
        return hd_error_set(error, "%s is not shared with --mpi; sdpor and dpor are",
                            e->walk              ? "sampling"
                            : e->graph           ? "a search through states"
                            : e->options.bounded ? "a search by preemptions"
                                                 : hd_explore_algorithm_name(e->options.algorithm));
    return true;
}
