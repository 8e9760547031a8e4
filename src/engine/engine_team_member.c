/* A process that explores for another one (engine_team.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_team.h"

struct serving {
    hd_engine_exploration *e;
    uint64_t beginning;
    hd_vec_char message;   /* that has come, */
    int kind;              /* 0: none */
    bool over, anew, left; /* told to end; to begin anew; to stop */
};

/* A message, if one is there within some time. */
static bool look(struct serving *s, double seconds) {
    int from;
    return s->kind || hd_team_receive(seconds, &from, &s->kind, &s->message);
}

/* ---- While it explores ---- */

static enum hd_explore_wanted wanted(void *context, bool now) {
    struct serving *s = context;
    if (!now)
        return s->kind || hd_team_waits() ? HD_EXPLORE_WANTED_REPORT : HD_EXPLORE_WANTED_NOTHING;
    if (!look(s, 0))
        return HD_EXPLORE_WANTED_REPORT;
    int kind = s->kind;
    if (kind == HD_ENGINE_BEGIN || kind == HD_ENGINE_OVER || kind == HD_TEAM_LOST)
        return HD_EXPLORE_WANTED_END; /* the message is looked at when the search has ended */
    s->kind = 0;
    s->left |= kind == HD_ENGINE_HALT;
    return kind == HD_ENGINE_GIVE   ? HD_EXPLORE_WANTED_NODES
           : kind == HD_ENGINE_HALT ? HD_EXPLORE_WANTED_HALT
                                    : HD_EXPLORE_WANTED_REPORT;
}

/* What was found since the last report, which is then forgotten: the lead has it. */
static void put_found(struct serving *s, const hd_explore_machines *machines, hd_vec_char *to) {
    hd_vec_char found = {0};
    hd_engine_explore_put_rests(s->e, machines, &found);
    hd_engine_explore_put(s->e, &found);
    hd_bytes_put(to, s->beginning);
    hd_bytes_put_text(to, found.data, found.length);
    hd_vec_release(&found);
    hd_engine_explore_told(s->e);
}

static void report(void *context, const hd_explore_machines *machines, const hd_vec_char *part) {
    struct serving *s = context;
    hd_vec_char message = {0};
    put_found(s, machines, &message);
    hd_bytes_put_text(&message, part->data, part->length);
    hd_team_send(0, HD_ENGINE_REPORT, &message);
    hd_vec_release(&message);
}

/* ---- Units ---- */

static void say_news(struct serving *s) {
    hd_vec_char message = {0};
    hd_bytes_put(&message, s->beginning);
    hd_native_machine_put(s->e->machine, &message);
    hd_team_send(0, HD_ENGINE_NEWS, &message);
    hd_vec_release(&message);
    s->anew = true; /* until the lead says so */
}

static bool explore_unit(struct serving *s, hd_error *error) {
    hd_engine_exploration *e = s->e;
    hd_explore_result result;
    hd_bytes bytes = {s->message.data, s->message.data + s->message.length, false};
    uint64_t beginning = hd_bytes_get(&bytes, UINT64_MAX);
    hd_vec_char unit = {0};
    for (; bytes.at < bytes.end; bytes.at++)
        hd_vec_push(&unit, *bytes.at);
    s->kind = 0;
    bool good = true;
    if (beginning == s->beginning && !s->anew) {
        hd_explore_member member = {.every = e->keep.every / 2,
                                    .wanted = wanted,
                                    .report = report,
                                    .context = s,
                                    .unit = &unit};
        e->options.member = &member;
        e->options.keeper = NULL;
        e->options.threads = 1;
        good = hd_explore_run(e->machine, &e->options, &result, error);
        if (good && e->program &&
            (result.complete ? hd_native_machine_settle(e->machine)
                             : hd_native_machine_changed(e->machine))) {
            hd_native_machine_renew(e->machine);
            say_news(s);
        } else if (good && result.strayed)
            good = hd_error_set(error, "the %s does not do what it did before",
                                e->program ? "program" : "model");
        else if (good && e->broken.text[0])
            good = hd_error_set(error, "a schedule of the search cannot be run again: %s",
                                e->broken.text);
        else if (good && result.stopped && !s->kind) {
            hd_vec_char message = {0};
            hd_explore_machines machines = {&e->machine, 1, 1};
            put_found(s, &machines, &message);
            hd_explore_counts_put(&result, &message);
            hd_team_send(0, HD_ENGINE_FOUND, &message);
            hd_vec_release(&message);
        }
        s->left |= good && result.limit == HD_EXPLORE_LIMIT_INTERRUPT;
    }
    hd_vec_release(&unit);
    return good;
}

/* The lead's program is to be ours. */
static bool begin(struct serving *s, hd_error *error) {
    hd_bytes bytes = {s->message.data, s->message.data + s->message.length, false};
    size_t length;
    hd_vec_char known = {0}, ready = {0};
    s->beginning = hd_bytes_get(&bytes, UINT64_MAX);
    const char *text = hd_bytes_get_text(&bytes, &length);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&known, text[i]);
    s->kind = 0;
    s->anew = false;
    hd_engine_explore_clear(s->e);
    bool good = true;
    if (s->e->program) {
        s->e->checker->type->free(s->e->checker); /* a copy of the machine, which is replaced */
        s->e->checker = NULL;
        good = hd_engine_explore_learn(s->e, &known);
        hd_engine_explore_make_checker(s->e);
    }
    if (good) {
        hd_bytes_put(&ready, s->beginning);
        hd_team_send(0, HD_ENGINE_READY, &ready);
    }
    hd_vec_release(&known);
    hd_vec_release(&ready);
    return good || hd_error_set(error, "the program is not the same there");
}

bool hd_engine_team_serve(hd_engine_exploration *e, hd_error *error) {
    static const double moment = 1, patience = 60;
    struct serving s = {.e = e};
    bool good = true, told = false;
    double since = 0;
    hd_stop_listen();
    e->options.visit = hd_engine_explore_visit;
    e->options.skip_complete = !e->program;
    e->options.collide = e->find & HD_ENGINE_FIND_RACE ? hd_engine_explore_collide : NULL;
    e->options.each_variable = e->filter.on;
    e->options.context = e;
    e->options.most_seconds = 0;
    e->options.most_executions = 0;
    while (good && !s.over) {
        bool ends = s.left || hd_stop_asked();
        if (ends && !told) {
            told = true;
            since = hd_progress_clock();
            hd_team_send(0, HD_ENGINE_LEFT, NULL);
        }
        if (told && hd_progress_clock() - since > patience)
            return hd_error_set(error, "the lead does not answer");
        if (!look(&s, moment))
            continue;
        if (s.kind == HD_ENGINE_UNIT)
            good = explore_unit(&s, error);
        else if (s.kind == HD_ENGINE_BEGIN)
            good = begin(&s, error);
        else if (hd_team_leaderless())
            good = hd_error_set(error, "the process that led has died");
        else {
            s.over = s.kind == HD_ENGINE_OVER;
            s.left |= s.kind == HD_ENGINE_HALT;
            s.kind = 0;
        }
    }
    hd_vec_release(&s.message);
    return good;
}

/* ---- The end ---- */

/* Whatever still comes is received, or who sent it would wait for that for ever. */
static void wait_for(int kind, int count) {
    static const double patience = 120;
    const hd_team *team = hd_team_current();
    double since = hd_progress_clock();
    bool *said = HD_NEW_ARRAY(bool, (size_t)team->size);
    hd_vec_char message = {0};
    int from, got;
    while (count > 0 && hd_progress_clock() - since < patience)
        if (hd_team_receive(1, &from, &got, &message) && !said[from] &&
            (got == kind || got == HD_TEAM_LOST)) {
            said[from] = true;
            count--;
        }
    hd_vec_release(&message);
    free(said);
    if (count > 0)
        team->end(2);
}

void hd_engine_team_over(bool served, const hd_error *error) {
    const hd_team *team = hd_team_current();
    if (!team)
        return;
    if (team->rank == 0) {
        fflush(stdout); /* while the others are there, mpirun passes on what comes */
        for (int i = 1; i < team->size; i++)
            hd_team_send(i, HD_ENGINE_OVER, NULL);
        wait_for(HD_ENGINE_BYE, team->size - 1 - hd_team_lost());
    } else {
        if (!served && !hd_team_leaderless()) {
            hd_vec_char text = {(char *)(uintptr_t)error->text, strlen(error->text), 0};
            hd_team_send(0, HD_ENGINE_BROKEN, &text);
            wait_for(HD_ENGINE_OVER, 1);
        }
        hd_team_send(0, HD_ENGINE_BYE, NULL);
        if (hd_team_leaderless())
            team->end(2);
    }
    hd_team_leave();
}
