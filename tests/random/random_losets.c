/*
 * Losets that are no runs, against brute force: a loset is drawn and written as text, which is
 * read; every vector of counts is looked at, by the definitions and from what was drawn, not from
 * what was read.  The classes of states, predicates, schedules, valid posets, and which files are
 * refused.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predicate/predicate.h"
#include "support_random.h"

enum { PROCESSES = 4, EVENTS = 18, VECTORS = 4000, TEXT = 8192, MEMORY = 64 << 20, PAIRS = 9 };

/* What was drawn.  Event i is event number of[i] of process process[i]. */
struct drawn {
    uint32_t processes, events;
    uint32_t process[EVENTS], of[EVENTS], length[PROCESSES];
    const heddle_event *event[EVENTS];
    bool edge[EVENTS][EVENTS]; /* what is given, and program order */
    uint32_t group[EVENTS];    /* 0: none */
    bool always[EVENTS];
    bool steps;
    char text[TEXT];
};

static bool is_allowed(const heddle_event *event) {
    return hd_trace_is_access(event) || (hd_trace_traits(event) & HEDDLE_T_LOCK) ||
           event->kind == HEDDLE_MARK;
}

static bool take_events(struct drawn *d, const hd_trace *trace) {
    uint32_t number[64];
    memset(number, 0xff, sizeof number);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        if (!is_allowed(event))
            continue;
        if (event->thread >= 64 || d->events == EVENTS)
            return false;
        if (number[event->thread] == UINT32_MAX) {
            if (d->processes == PROCESSES)
                return false;
            number[event->thread] = d->processes++;
        }
        uint32_t p = number[event->thread];
        d->event[d->events] = event;
        d->process[d->events] = p;
        d->of[d->events++] = ++d->length[p];
    }
    size_t vectors = 1;
    for (uint32_t p = 0; p < d->processes; p++)
        vectors *= d->length[p] + 1;
    return d->events && vectors <= VECTORS;
}

static void draw_order(struct drawn *d, hd_random *random) {
    bool forward = hd_random_chance(random, 800);
    for (uint32_t i = 0; i < d->events; i++)
        for (uint32_t j = 0; j < d->events; j++)
            d->edge[i][j] = d->process[i] == d->process[j] && d->of[i] + 1 == d->of[j];
    for (uint64_t left = hd_random_below(random, 5); left; left--) {
        uint32_t i = (uint32_t)hd_random_below(random, d->events);
        uint32_t j = (uint32_t)hd_random_below(random, d->events);
        if (i == j)
            continue;
        d->edge[forward && i > j ? j : i][forward && i > j ? i : j] = true;
    }
    d->steps = hd_random_chance(random, 400);
    if (!d->steps)
        return;
    for (uint32_t i = 0; i < d->events; i++) {
        d->group[i] = (uint32_t)hd_random_below(random, 6) < 2 ? 1 + (i & 1) : 0;
        d->always[i] = hd_random_chance(random, 60);
    }
}

static void add_text(struct drawn *d, const char *format, ...) HD_PRINTF(2, 3);

static void add_text(struct drawn *d, const char *format, ...) {
    size_t used = strlen(d->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->text + used, TEXT - used, format, arguments);
    va_end(arguments);
}

static void write_group(struct drawn *d, uint32_t group) {
    uint32_t members = 0;
    for (uint32_t i = 0; i < d->events; i++)
        members += d->group[i] == group;
    if (members < 2) {
        for (uint32_t i = 0; i < d->events; i++)
            d->group[i] = d->group[i] == group ? 0 : d->group[i];
        return;
    }
    add_text(d, "together");
    for (uint32_t i = 0; i < d->events; i++)
        if (d->group[i] == group)
            add_text(d, " e%u", i);
    add_text(d, "\n");
}

static void write_text(struct drawn *d, const hd_trace *trace, hd_random *random) {
    uint32_t turn = (uint32_t)hd_random_below(random, d->processes);
    add_text(d, "# drawn\n\nloset\n");
    for (uint32_t k = 0; k < d->processes; k++) {
        uint32_t p = (k + turn) % d->processes;
        add_text(d, "process p%u\n", p);
        for (uint32_t i = 0; i < d->events; i++) {
            char line[128];
            if (d->process[i] != p)
                continue;
            hd_trace_print(line, sizeof line, &trace->tables, d->event[i]);
            add_text(d, "\t@e%u %s\r\n", i, strchr(line, '|') + 1);
        }
    }
    for (uint32_t i = 0; i < d->events; i++)
        for (uint32_t j = 0; j < d->events; j++)
            if (d->edge[i][j] && !(d->process[i] == d->process[j] && d->of[i] + 1 == d->of[j]))
                add_text(d, "before e%u e%u\n", i, j);
    write_group(d, 1);
    write_group(d, 2);
    for (uint32_t i = 0; i < d->events; i++)
        if (d->always[i])
            add_text(d, "always e%u\n", i);
}

/* ---- By the definitions ---- */

static void close_order(bool edge[EVENTS][EVENTS], uint32_t events) {
    for (uint32_t k = 0; k < events; k++)
        for (uint32_t i = 0; i < events; i++)
            for (uint32_t j = 0; j < events; j++)
                edge[i][j] |= edge[i][k] && edge[k][j];
}

static bool has_cycle(const struct drawn *d) {
    bool edge[EVENTS][EVENTS];
    memcpy(edge, d->edge, sizeof edge);
    close_order(edge, d->events);
    for (uint32_t i = 0; i < d->events; i++)
        if (edge[i][i])
            return true;
    return false;
}

static bool is_in(const struct drawn *d, const uint32_t *state, uint32_t i) {
    return d->of[i] <= state[d->process[i]];
}

static bool is_consistent(const struct drawn *d, const uint32_t *state) {
    for (uint32_t i = 0; i < d->events; i++)
        for (uint32_t j = 0; j < d->events; j++)
            if (d->edge[i][j] && is_in(d, state, j) && !is_in(d, state, i))
                return false;
    return true;
}

static bool is_whole(const struct drawn *d, const uint32_t *state) {
    for (uint32_t i = 0; i < d->events; i++) {
        if (d->always[i] && !is_in(d, state, i))
            return false;
        for (uint32_t j = 0; j < d->events; j++)
            if (d->group[i] && d->group[i] == d->group[j] &&
                is_in(d, state, i) != is_in(d, state, j))
                return false;
    }
    return true;
}

/* How often a process holds the lock: below 0 for reading. */
static int depth(const struct drawn *d, const uint32_t *state, uint32_t process, uint32_t lock) {
    int held = 0;
    for (uint32_t i = 0; i < d->events; i++)
        if (d->process[i] == process && is_in(d, state, i) &&
            (hd_trace_traits(d->event[i]) & HEDDLE_T_LOCK) && d->event[i]->object == lock) {
            int step = hd_trace_acquires(d->event[i]) ? 1 : -1;
            held += hd_trace_is_shared(d->event[i]) ? -step : step;
        }
    return held;
}

enum { LOCKS = 8 };

static bool is_feasible(const struct drawn *d, const uint32_t *state) {
    for (uint32_t lock = 0; lock < LOCKS; lock++)
        for (uint32_t p = 0; p < d->processes; p++)
            for (uint32_t q = 0; q < p; q++) {
                int a = depth(d, state, p, lock), b = depth(d, state, q, lock);
                if (a && b && (a > 0 || b > 0))
                    return false;
            }
    return is_consistent(d, state);
}

static bool is_free(const struct drawn *d, const uint32_t *state) {
    for (uint32_t lock = 0; lock < LOCKS; lock++)
        for (uint32_t p = 0; p < d->processes; p++)
            if (depth(d, state, p, lock))
                return false;
    return true;
}

static size_t number_of(const struct drawn *d, const uint32_t *state) {
    size_t number = 0;
    for (uint32_t p = 0; p < d->processes; p++)
        number = number * (d->length[p] + 1) + state[p];
    return number;
}

static bool next_vector(const struct drawn *d, uint32_t *state) {
    for (uint32_t p = d->processes; p-- > 0;) {
        if (state[p] < d->length[p]) {
            state[p]++;
            return true;
        }
        state[p] = 0;
    }
    return false;
}

struct sets {
    bool in[HD_CUT_CLASSES][VECTORS];
    bool reachable[VECTORS]; /* and perhaps in the middle of a step */
    size_t count[HD_CUT_CLASSES];
};

static void find_sets(const struct drawn *d, struct sets *sets) {
    uint32_t state[PROCESSES] = {0};
    memset(sets, 0, sizeof *sets);
    do { /* what a vector needs comes before it */
        size_t n = number_of(d, state);
        bool consistent = is_consistent(d, state), feasible = consistent && is_feasible(d, state);
        bool whole = is_whole(d, state), first = true;
        for (uint32_t p = 0; p < d->processes; p++)
            first &= !state[p];
        sets->reachable[n] = first;
        for (uint32_t p = 0; p < d->processes && feasible; p++)
            if (state[p]) {
                state[p]--;
                sets->reachable[n] |= sets->reachable[number_of(d, state)];
                state[p]++;
            }
        sets->in[HD_CUT_CONSISTENT][n] = consistent && whole;
        sets->in[HD_CUT_FEASIBLE][n] = feasible && whole;
        sets->in[HD_CUT_LOCK_FREE][n] = feasible && whole && is_free(d, state);
        sets->in[HD_CUT_REACHABLE][n] = sets->reachable[n] && whole;
        for (int c = 0; c < HD_CUT_CLASSES; c++)
            sets->count[c] += sets->in[c][n];
    } while (next_vector(d, state));
}

/* ---- Against heddle ---- */

struct look {
    const struct drawn *d;
    const bool *in;
    const uint32_t *process; /* [place] */
    size_t seen;
    bool wrong;
};

static int look_at(void *context, const uint32_t *state, uint32_t count) {
    struct look *look = context;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t by_process[PROCESSES] = {0};
        for (uint32_t p = 0; p < look->d->processes; p++)
            by_process[look->process[p]] = state[p] + (p + 1 == look->d->processes ? i : 0);
        look->wrong |= !look->in[number_of(look->d, by_process)];
        look->seen++;
    }
    return 0;
}

/* The process at each place of a space. */
static void find_processes(const hd_order *order, uint32_t *process) {
    uint32_t threads[PROCESSES + 1];
    uint32_t count = hd_cut_space_threads(order, threads);
    for (uint32_t p = 0; p < count; p++)
        process[p] = (uint32_t)(hd_trace_thread_name(&order->trace->tables, threads[p])[1] - '0');
}

static bool check_class(const struct drawn *d, const struct sets *sets, hd_order *order,
                        enum hd_cut_class class, enum hd_cut_algorithm algorithm, bool visit,
                        char *why, size_t size) {
    hd_error error = {""};
    uint32_t process[PROCESSES];
    find_processes(order, process);
    struct look look = {.d = d, .in = sets->in[class], .process = process};
    hd_cut_visitor visitor = {.context = &look, .run = look_at};
    hd_cut_request request = {.model = HD_ORDER_LOSET,
                              .class = class,
                              .algorithm = algorithm,
                              .workers = 1,
                              .memory = MEMORY,
                              .visitors = visit ? &visitor : NULL};
    hd_cut_answer answer;
    if (!hd_cut_states(order, &request, &answer, &error)) {
        snprintf(why, size, "%s", error.text);
        return false;
    }
    uint64_t states;
    bool right = hd_cut_count_fits(&answer.states, &states) && states == sets->count[class] &&
                 !answer.why && (!visit || (look.seen == states && !look.wrong));
    if (!right)
        snprintf(why, size, "%s by %s: %llu, not %zu, in\n%s", hd_cut_class_names[class],
                 hd_cut_algorithm_names[algorithm], (unsigned long long)states, sets->count[class],
                 d->text);
    hd_cut_answer_release(&answer);
    return right;
}

static bool check_classes(const struct drawn *d, const struct sets *sets, hd_order *order,
                          char *why, size_t size) {
    static const struct {
        enum hd_cut_class class;
        enum hd_cut_algorithm algorithm;
    } ways[] = {
        {HD_CUT_CONSISTENT, HD_CUT_AUTO},     {HD_CUT_CONSISTENT, HD_CUT_BFS},
        {HD_CUT_CONSISTENT, HD_CUT_QUICKLEX}, {HD_CUT_CONSISTENT, HD_CUT_TREE},
        {HD_CUT_FEASIBLE, HD_CUT_AUTO},       {HD_CUT_FEASIBLE, HD_CUT_LEX2},
        {HD_CUT_LOCK_FREE, HD_CUT_AUTO},      {HD_CUT_LOCK_FREE, HD_CUT_LEX1},
        {HD_CUT_REACHABLE, HD_CUT_AUTO},      {HD_CUT_REACHABLE, HD_CUT_LEX1},
        {HD_CUT_REACHABLE, HD_CUT_LEX2},      {HD_CUT_REACHABLE, HD_CUT_DFS},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int visit = 0; visit < 2; visit++)
            if (!check_class(d, sets, order, ways[i].class, ways[i].algorithm, visit, why, size))
                return false;
    return true;
}

/* A predicate of counts, and what it says. */
struct asked {
    uint32_t a, b, x, y;
    int form;
};

static bool holds(const struct asked *asked, const uint32_t *state) {
    uint32_t a = state[asked->a], b = state[asked->b];
    switch (asked->form) {
    case 0:
        return a >= asked->x && b <= asked->y;
    case 1:
        return a + b == asked->x + asked->y;
    default:
        return a * b > asked->x * asked->y;
    }
}

static bool check_predicate(const struct drawn *d, const struct sets *sets, hd_order *order,
                            hd_random *random, char *why, size_t size) {
    char text[128];
    hd_predicate predicate;
    hd_predicate_instance instance;
    hd_predicate_error wrong = {0};
    hd_error error = {""};
    struct asked asked = {.a = (uint32_t)hd_random_below(random, d->processes),
                          .b = (uint32_t)hd_random_below(random, d->processes),
                          .form = (int)hd_random_below(random, 3)};
    asked.x = (uint32_t)hd_random_below(random, d->length[asked.a] + 1);
    asked.y = (uint32_t)hd_random_below(random, d->length[asked.b] + 1);
    static const char *const forms[] = {"pos(p%u) >= %u && pos(p%u) <= %u",
                                        "pos(p%u) - %u == %u - pos(p%u)",
                                        "pos(p%u) * pos(p%u) > %u * %u"};
    if (asked.form == 0)
        snprintf(text, sizeof text, forms[0], asked.a, asked.x, asked.b, asked.y);
    else if (asked.form == 1)
        snprintf(text, sizeof text, forms[1], asked.a, asked.x, asked.y, asked.b);
    else
        snprintf(text, sizeof text, forms[2], asked.a, asked.b, asked.x, asked.y);
    if (!hd_predicate_init(&predicate, text, &wrong) ||
        !hd_predicate_instance_init(&instance, order, &predicate, HD_ORDER_LOSET, MEMORY, &wrong)) {
        snprintf(why, size, "%s: %s", text, wrong.error.text);
        return false;
    }
    uint32_t process[PROCESSES];
    find_processes(order, process);
    bool right = true;
    for (int c = 0; c < HD_CUT_CLASSES && right; c++) {
        if (c == HD_CUT_VIABLE || c == HD_CUT_STRONGLY_FEASIBLE)
            continue;
        uint32_t state[PROCESSES] = {0};
        uint64_t count = 0, least = UINT64_MAX;
        do {
            if (!sets->in[c][number_of(d, state)] || !holds(&asked, state))
                continue;
            uint64_t events = 0;
            for (uint32_t p = 0; p < d->processes; p++)
                events += state[p];
            least = events < least ? events : least;
            count++;
        } while (next_vector(d, state));
        for (int ask = 0; ask < 2 && right; ask++) {
            hd_predicate_request request = {.class = (enum hd_cut_class)c,
                                            .ask = ask ? HD_PREDICATE_HOW_MANY
                                                       : HD_PREDICATE_LEAST_STATE,
                                            .workers = 1,
                                            .memory = MEMORY};
            hd_predicate_answer answer;
            right = hd_predicate_detect(&instance, &request, &answer, &error) && answer.complete &&
                    answer.found == (count != 0);
            uint64_t states = 0, events = 0;
            if (right && ask)
                right = hd_cut_count_fits(&answer.states, &states) && states == count;
            for (uint32_t p = 0; right && !ask && answer.found && p < d->processes; p++)
                events += answer.state[p];
            right = right && (ask || !answer.found || events == least);
            if (!right)
                snprintf(why, size, "%s, %s: not %llu, the least of %llu events, in\n%s", text,
                         hd_cut_class_names[c], (unsigned long long)count,
                         (unsigned long long)least, d->text);
            hd_predicate_answer_release(&answer);
        }
    }
    hd_predicate_instance_release(&instance);
    hd_predicate_release(&predicate);
    return right;
}

/* Every vector has a checked schedule iff it is reachable. */
static bool check_schedules(const struct drawn *d, const struct sets *sets, hd_order *order,
                            char *why, size_t size) {
    hd_predicate predicate;
    hd_predicate_instance instance;
    hd_predicate_error wrong = {0};
    hd_error error = {""};
    hd_witness witness;
    hd_vec_u32 schedule = {0};
    uint32_t process[PROCESSES], state[PROCESSES] = {0}, by_place[PROCESSES + 16] = {0};
    bool right =
        hd_predicate_init(&predicate, "true", &wrong) &&
        hd_predicate_instance_init(&instance, order, &predicate, HD_ORDER_LOSET, MEMORY, &wrong);
    hd_predicate_prover *prover = hd_predicate_prover_create(&instance, false, MEMORY, &error);
    find_processes(order, process);
    hd_witness_init(&witness);
    do {
        if (!is_consistent(d, state))
            continue;
        for (uint32_t p = 0; p < d->processes; p++)
            by_place[p] = state[process[p]];
        bool proved = hd_predicate_prove(prover, by_place, &schedule) == HD_ORDER_FEASIBLE;
        right = proved == sets->reachable[number_of(d, state)] &&
                (!proved || hd_predicate_witness(prover, by_place, &schedule, &witness, &error));
    } while (right && next_vector(d, state));
    if (!right)
        snprintf(why, size, "schedule of a state: %s in\n%s", error.text, d->text);
    hd_witness_release(&witness);
    hd_vec_release(&schedule);
    hd_predicate_prover_free(prover);
    hd_predicate_instance_release(&instance);
    hd_predicate_release(&predicate);
    return right;
}

/* ---- Valid posets ---- */

struct hold {
    uint32_t process, lock, acquire, release; /* EVENTS: none */
    bool reading;
};

static uint32_t find_holds(const struct drawn *d, struct hold *holds) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->events; i++) {
        if (!(hd_trace_traits(d->event[i]) & HEDDLE_T_LOCK))
            continue;
        uint32_t state[PROCESSES] = {0}, lock = d->event[i]->object;
        state[d->process[i]] = d->of[i] - 1;
        int before = depth(d, state, d->process[i], lock);
        state[d->process[i]]++;
        int after = depth(d, state, d->process[i], lock);
        if (!before)
            holds[count++] =
                (struct hold){d->process[i], lock, i, EVENTS, hd_trace_is_shared(d->event[i])};
        for (uint32_t h = 0; !after && h < count; h++)
            if (holds[h].process == d->process[i] && holds[h].lock == lock &&
                holds[h].release == EVENTS)
                holds[h].release = i;
    }
    return count;
}

static int count_poset(void *context, const hd_cut_ordered *pairs, size_t count) {
    (void)pairs;
    (void)count;
    ++*(uint64_t *)context;
    return 0;
}

static bool check_posets(const struct drawn *d, hd_order *order, char *why, size_t size) {
    struct hold holds[EVENTS];
    uint32_t count = find_holds(d, holds), pairs = 0, first[PAIRS], second[PAIRS];
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (holds[a].lock != holds[b].lock || holds[a].process == holds[b].process ||
                (holds[a].reading && holds[b].reading))
                continue;
            if (pairs == PAIRS)
                return true;
            first[pairs] = a;
            second[pairs++] = b;
        }
    uint64_t valid = 0, listed = 0, counted = 0;
    for (uint32_t way = 0; way < 1U << pairs; way++) {
        bool edge[EVENTS][EVENTS], good = true;
        memcpy(edge, d->edge, sizeof edge);
        for (uint32_t i = 0; i < pairs; i++) {
            const struct hold *a = &holds[way >> i & 1 ? first[i] : second[i]];
            const struct hold *b = &holds[way >> i & 1 ? second[i] : first[i]];
            if (a->release == EVENTS)
                good = false;
            else
                edge[a->release][b->acquire] = true;
        }
        close_order(edge, d->events);
        for (uint32_t i = 0; i < d->events; i++)
            good &= !edge[i][i];
        valid += good;
    }
    hd_error error = {""};
    hd_cut_posets found = {.memory = MEMORY},
                  each = {.memory = MEMORY, .take = count_poset, .context = &listed};
    bool right = hd_cut_posets_find(order, &found, &error) &&
                 hd_cut_posets_find(order, &each, &error) && found.complete && each.complete &&
                 hd_cut_count_fits(&found.count, &counted) && counted == valid && listed == valid &&
                 found.pairs == pairs;
    if (!right)
        snprintf(why, size, "%llu posets, not %llu, in\n%s", (unsigned long long)counted,
                 (unsigned long long)valid, d->text);
    hd_cut_count_release(&found.count);
    hd_cut_count_release(&each.count);
    return right;
}

/* ---- The property ---- */

/* Written and read again, it has as many states. */
static bool check_again(const struct drawn *d, const struct sets *sets, const hd_trace *trace,
                        char *why, size_t size) {
    char path[64];
    hd_error error = {""};
    hd_trace again;
    snprintf(path, sizeof path, "/tmp/heddle-random-%d.loset", (int)getpid());
    bool right = hd_trace_loset_save(trace, "again", path, &error) &&
                 hd_trace_load(&again, path, HD_TRACE_LOSETS, &error);
    remove(path);
    if (!right) {
        snprintf(why, size, "written and read: %s", error.text);
        return false;
    }
    hd_order order;
    hd_order_init(&order, &again);
    right = check_class(d, sets, &order, HD_CUT_CONSISTENT, HD_CUT_AUTO, true, why, size) &&
            check_class(d, sets, &order, HD_CUT_REACHABLE, HD_CUT_AUTO, true, why, size);
    hd_order_release(&order);
    hd_trace_release(&again);
    return right;
}

static bool loset(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    static struct drawn d;
    static struct sets sets;
    hd_error error = {""};
    hd_trace read;
    d = (struct drawn){0};
    if (!take_events(&d, trace))
        return true;
    draw_order(&d, random);
    write_text(&d, trace, random);
    bool good = hd_trace_loset_read(&read, d.text, strlen(d.text), "drawn", &error);
    if (good == has_cycle(&d)) {
        snprintf(why, size, "%s: %s in\n%s", good ? "a cycle was read" : "refused", error.text,
                 d.text);
        return false;
    }
    if (!good)
        return true;
    find_sets(&d, &sets);
    hd_order order;
    hd_order_init(&order, &read);
    bool right = check_classes(&d, &sets, &order, why, size) &&
                 check_predicate(&d, &sets, &order, random, why, size) &&
                 check_schedules(&d, &sets, &order, why, size) &&
                 check_posets(&d, &order, why, size) && check_again(&d, &sets, &read, why, size);
    hd_order_release(&order);
    hd_trace_release(&read);
    return right;
}

enum { KINDS = SUPPORT_LOCKS | SUPPORT_MARKS | SUPPORT_ATOMICS };

static const support_property properties[] = {
    {"losets", {4, 14, 2, 2, KINDS}, loset},
    {"many locks", {3, 18, 4, 1, SUPPORT_LOCKS}, loset},
    {"read-write locks", {4, 14, 2, 1, KINDS | SUPPORT_RWLOCKS | SUPPORT_REENTRANT}, loset},
};

SUPPORT_SUITE(random_losets) {
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
