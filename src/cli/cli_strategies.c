/*
 * How far each strategy of heddle explore came, as text and as JSON.
 */
#include <string.h>

#include "cli_explore.h"

const char *hd_cli_strategy(const char *by) {
    static const struct {
        const char *name, *text;
    } names[] = {{"search", "the search through all schedules"},
                 {"bound", "the search with few preemptions"},
                 {"pct", "random runs by priorities of threads (PCT)"},
                 {"pos", "random runs by priorities of operations (POS)"},
                 {"unfold", "the search by reads-from (unfold)"},
                 {"graph", "the search through states, by what earlier runs have shown"},
                 {"states", "the search for livelocks, through states"}};
    for (size_t i = 0; by && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, by) == 0)
            return names[i].text;
    return "the comparison of all runs";
}

/* Were all schedules with fewer preemptions than this searched?  0: not even those with none.
 * Nothing that is shaky counts. */
static uint32_t levels_of(const hd_engine_exploration *e) {
    return hd_verdict_shaky(&e->verdict) ? 0 : e->portfolio.bound.levels;
}

static void print_bound(const hd_engine_exploration *e) {
    const hd_engine_portfolio *p = &e->portfolio;
    uint32_t levels = levels_of(e);
    const char *nothing = e->findings.found.length ? "all schedules" : "no failure";
    const char *executions = hd_text_count(p->bound.executions, "execution", "executions");
    if (levels)
        printf("  %-19s %s with at most %u: complete; %s\n", "preemptions", nothing, levels - 1,
               executions);
    else
        printf("  %-19s no number of them is complete; %s\n", "preemptions", executions);
}

void hd_cli_strategies_graph(const hd_engine_exploration *e) {
    const hd_engine_portfolio *p = &e->portfolio;
    char number[32];
    printf("  %-19s %s put together from runs%s\n", "states",
           hd_text_grouped(number, p->graph_seen.states),
           p->graph_seen.finished ? ", to the end, which proves nothing" : "");
}

void hd_cli_strategies_print(const hd_engine_exploration *e) {
    const hd_engine_portfolio *p = &e->portfolio;
    char number[32];
    if (p->states.states)
        printf("  %-19s %s%s\n", "states", hd_text_grouped(number, p->states.states),
               e->program      ? " of random runs, in search of a livelock"
               : p->states.all ? ", which are all: executions without end come back to them"
                               : ", and there are more");
    if (!p->ran)
        return;
    print_bound(e);
    if (p->unfolds && !e->chosen)
        printf("  %-19s not finished; %s\n", "by reads-from",
               hd_text_count(p->unfold.executions, "execution", "executions"));
    printf("  %-19s %s by priorities of threads (PCT), up to depth %u\n", "random runs",
           hd_text_grouped(number, p->pct.runs), p->pct.depth);
    printf("  %-19s %s by priorities of operations (POS)\n", "",
           hd_text_grouped(number, p->pos.runs));
    if (p->graph_seen.states)
        hd_cli_strategies_graph(e);
    if (p->pct.cut + p->pos.cut)
        printf("  %-19s %s of them cut off by the limit on steps\n", "",
               hd_text_grouped(number, p->pct.cut + p->pos.cut));
}

static uint64_t found_by(const hd_engine_exploration *e, const char *name) {
    uint64_t count = 0;
    for (size_t i = 0; i < e->findings.found.length; i++) {
        const char *by = e->findings.found.data[i].by;
        count += by && strcmp(by, name) == 0;
    }
    return count;
}

static void open_strategy(const hd_engine_exploration *e, hd_json *json, const char *name,
                          uint64_t executions) {
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "name", name);
    hd_json_uint(json, "executions", executions);
    hd_json_uint(json, "found", found_by(e, name));
}

static void write_sampled(const hd_engine_exploration *e, hd_json *json, const char *name,
                          const hd_engine_sampled *sampled) {
    open_strategy(e, json, name, sampled->executions);
    hd_json_bool(json, "finished", false);
    hd_json_uint(json, "runs", sampled->runs);
    hd_json_uint(json, "cut", sampled->cut);
    if (sampled->depth)
        hd_json_uint(json, "depth", sampled->depth);
    hd_json_close(json);
}

static void write_bound(const hd_engine_exploration *e, hd_json *json) {
    const hd_engine_portfolio *p = &e->portfolio;
    uint32_t levels = levels_of(e);
    open_strategy(e, json, "bound", p->bound.executions);
    hd_json_bool(json, "finished", levels > p->preemptions || (levels && p->bound.complete));
    if (levels)
        hd_json_uint(json, "preemptions", levels - 1); /* with at most so many it is complete */
    else
        hd_json_null(json, "preemptions");
    hd_json_uint(json, "most_preemptions", p->preemptions);
    hd_json_uint(json, "cut", p->bound.cut);
    hd_json_close(json);
}

static void write_graph(const hd_engine_exploration *e, hd_json *json) {
    open_strategy(e, json, "graph", e->portfolio.graph_seen.executions);
    hd_json_bool(json, "finished", e->portfolio.graph_seen.finished);
    hd_json_uint(json, "states", e->portfolio.graph_seen.states);
    hd_json_close(json);
}

void hd_cli_strategies_write(const hd_engine_exploration *e, hd_json *json) {
    const hd_engine_portfolio *p = &e->portfolio;
    hd_json_open(json, "strategies", '[');
    open_strategy(e, json, e->chosen ? "unfold" : "search", e->result.executions);
    hd_json_bool(json, "finished", hd_verdict_complete(&e->verdict) && !p->states.complete);
    hd_json_close(json);
    if (p->states.states) {
        open_strategy(e, json, "states", 0);
        hd_json_bool(json, "finished", p->states.complete);
        hd_json_uint(json, "states", p->states.states);
        hd_json_close(json);
    }
    if (p->ran) {
        write_bound(e, json);
        if (p->unfolds && !e->chosen) {
            open_strategy(e, json, "unfold", p->unfold.executions);
            hd_json_bool(json, "finished", false);
            hd_json_close(json);
        }
        if (p->graphs)
            write_graph(e, json);
        write_sampled(e, json, "pct", &p->pct);
        write_sampled(e, json, "pos", &p->pos);
    }
    hd_json_close(json);
}
