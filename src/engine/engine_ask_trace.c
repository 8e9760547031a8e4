/*
 * Questions about traces: race, deadlock, nondet, states, detect.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_asking.h"

/* ---- race, deadlock ---- */

static uint64_t effort_of(const hd_engine_question *q) {
    return q->effort ? q->effort : (uint64_t)2000 * 1000000;
}

static int take_order(void *context, hd_finding *finding) {
    hd_engine_asking *ask = context;
    size_t number = hd_engine_asking_number(ask);
    if (!hd_engine_finding_save(ask->q->output, ask->q->path, ask->trace, finding, number,
                                &ask->failed))
        return 1;
    hd_engine_report_predicted(ask->a->report, ask->scene, finding,
                               ask->q->what == HD_ENGINE_DEADLOCK, ask->q->output, ask->q->path,
                               number);
    return hd_engine_asking_tell(ask);
}

static bool predict(hd_engine_asking *ask, hd_error *error) {
    // cppcheck-suppress uninitvar ; its address is taken, nothing is read
    hd_engine_prediction own, *p = ask->q->whole.predict ? ask->q->whole.predict : &own;
    bool deadlocks = ask->q->what == HD_ENGINE_DEADLOCK;
    if (p == &own) {
        hd_engine_predict_init(&own, ask->trace, deadlocks);
        own.options.limit = effort_of(ask->q);
        own.options.workers = ask->q->threads;
        own.options.blocks = ask->q->blocks;
        own.each = take_order;
        own.context = ask;
    }
    bool good = p != &own || !ask->q->suppressions ||
                hd_finding_suppressions_load(&own.filter, ask->q->suppressions, error);
    good = good && hd_engine_predict_run(p, error);
    if (good) {
        hd_engine_asking_put(ask,
                             deadlocks           ? "deadlocks"
                             : p->options.blocks ? "violations"
                                                 : "races",
                             (double)(deadlocks ? p->locks.deadlocks : p->races.races));
        hd_engine_asking_put(ask, "unproved",
                             (double)(deadlocks ? p->locks.unproved : p->races.unproved));
        if (p->options.blocks)
            hd_engine_asking_put(ask, "blocks", (double)p->races.blocks);
        hd_engine_asking_judge(ask, &p->verdict);
    }
    if (p == &own)
        hd_engine_predict_release(&own);
    return good;
}

/* ---- nondet ---- */

static int take_read(void *context, hd_finding *finding) {
    hd_engine_asking *ask = context;
    size_t number = hd_engine_asking_number(ask);
    if (!hd_engine_finding_save(ask->q->output, ask->q->path, ask->trace, finding, number,
                                &ask->failed))
        return 1;
    hd_engine_report_read(ask->a->report, ask->scene, finding, ask->q->output, ask->q->path,
                          number);
    return hd_engine_asking_tell(ask);
}

static bool reads(hd_engine_asking *ask, hd_error *error) {
    hd_engine_reads own = {.trace = ask->trace, .each = take_read, .context = ask};
    hd_engine_reads *r = ask->q->whole.reads ? ask->q->whole.reads : &own;
    if (r == &own) {
        hd_nondet_options_init(&own.options);
        own.options.limit = ask->q->effort ? ask->q->effort : (uint64_t)2000000 * 1000;
        own.options.workers = ask->q->threads;
    }
    bool good = (r != &own || !ask->q->suppressions ||
                 hd_finding_suppressions_load(&own.filter, ask->q->suppressions, error)) &&
                hd_engine_reads_run(r, error);
    if (good) {
        hd_engine_asking_put(ask, "reads", (double)hd_engine_reads_asked(&r->result));
        hd_engine_asking_put(ask, "nondeterministic_reads",
                             (double)hd_engine_reads_found(&r->result));
        hd_engine_asking_judge(ask, &r->verdict);
    }
    if (r == &own)
        hd_engine_reads_release(&own);
    return good;
}

/* ---- states ---- */

static bool states(hd_engine_asking *ask, hd_error *error) {
    // cppcheck-suppress uninitvar ; its address is taken, nothing is read
    hd_engine_states own, *s = ask->q->whole.states ? ask->q->whole.states : &own;
    if (s == &own) {
        hd_engine_states_init(&own, ask->trace);
        own.request.workers = ask->q->threads ? ask->q->threads : 1;
        own.request.memory = ask->q->memory ? ask->q->memory : own.request.memory;
    }
    bool good = hd_engine_states_run(s, error);
    if (good) {
        char *digits = hd_cut_count_text(&s->counted.states);
        hd_engine_asking_put(ask, "states", strtod(digits, NULL));
        free(digits);
        hd_engine_asking_judge(ask, &s->verdict);
    }
    if (s == &own)
        hd_engine_states_release(&own);
    return good;
}

/* ---- detect ---- */

static int take_state(void *context, hd_engine_detection *d, const uint32_t *state) {
    hd_engine_asking *ask = context;
    (void)state;
    hd_engine_report_state(ask->a->report, ask->scene, d);
    return hd_engine_asking_tell(ask);
}

static bool detect(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    // cppcheck-suppress uninitvar ; its address is taken, nothing is read
    hd_engine_detection own, *d = q->whole.detect ? q->whole.detect : &own;
    if (d == &own) {
        hd_engine_detect_init(&own, q->predicate);
        own.trace = ask->trace;
        own.path = q->path;
        own.request.workers = q->threads ? q->threads : 1;
        own.request.memory = q->memory ? q->memory : own.request.memory;
        own.output = q->output;
        own.each = take_state;
        own.context = ask;
    }
    bool good = hd_engine_detect_run(d, error);
    if (good) {
        hd_engine_asking_put(ask, "looked_at", (double)d->answer.looked_at);
        hd_engine_asking_judge(ask, &d->verdict);
    }
    if (d == &own)
        hd_engine_detect_release(&own);
    return good;
}

bool hd_engine_ask_online(hd_engine_asking *ask, hd_error *error) {
    hd_engine_online *o = ask->q->whole.online;
    if (!hd_engine_online_run(o, error))
        return false;
    hd_engine_asking_put(ask, "looked_at", (double)o->effort.states);
    hd_engine_asking_judge(ask, &o->d->verdict);
    return true;
}

/* ---- All of them ---- */

static bool ask_it(hd_engine_asking *ask, hd_error *error) {
    switch (ask->q->what) {
    case HD_ENGINE_NONDET:
        return reads(ask, error);
    case HD_ENGINE_STATES:
        return states(ask, error);
    case HD_ENGINE_DETECT:
        return detect(ask, error);
    default:
        return predict(ask, error);
    }
}

bool hd_engine_ask_trace(hd_engine_asking *ask, hd_error *error) {
    hd_trace loaded = {0};
    hd_report_scene scene;
    ask->trace = ask->q->trace;
    if (!ask->trace) {
        if (!hd_trace_load(&loaded, ask->q->path, 0, error))
            return false;
        ask->trace = &loaded; // cppcheck-suppress autoVariables ; taken back below
    }
    hd_report_scene_init(&scene, ask->trace);
    ask->scene = &scene; // cppcheck-suppress autoVariables ; taken back below
    /* Who is told of each may look at its witness. */
    if (!ask->q->found)
        hd_file_batch_begin();
    bool good = ask_it(ask, error);
    if (!ask->q->found)
        good &= hd_file_batch_end(good ? error : NULL);
    if (good && ask->failed.text[0])
        good = hd_error_set(error, "%s", ask->failed.text);
    hd_report_scene_release(&scene);
    ask->scene = NULL;
    ask->trace = NULL;
    hd_trace_release(&loaded);
    return good;
}
