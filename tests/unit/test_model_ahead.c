/*
 * Random models: undoing, what a step is said to access against what it does, and lists
 * of what is ahead against random runs.
 */

#include "support_few.h"
#include "support_suite.h"
#include "test_model_tools.h"

/* ---- Random models ---- */

typedef struct maker {
    hd_random random;
    hd_vec_char text;
    unsigned waits; /* permille of waits and notifies */
} maker;

/* How many models. */
static uint64_t seeds(uint64_t all) {
    return support_few(all, all / 8);
}

static uint64_t below(maker *m, uint64_t limit) {
    return hd_random_below(&m->random, limit);
}

static void make_expression(maker *m, unsigned depth);

/* Mostly inside the array. */
static void make_element(maker *m, unsigned depth) {
    say(&m->text, "a[");
    switch (below(m, 6)) {
    case 0:
        say(&m->text, "id & 1");
        break;
    case 1:
    case 2:
        say(&m->text, "(");
        make_expression(m, depth);
        say(&m->text, ") & 1");
        break;
    case 3:
        make_expression(m, depth);
        break;
    default:
        say(&m->text, "%u", (unsigned)below(m, 3));
    }
    say(&m->text, "]");
}

static void make_shared(maker *m, unsigned depth) {
    if (depth > 0 && below(m, 3) == 0)
        make_element(m, depth - 1);
    else
        say(&m->text, "%s", below(m, 2) ? "x" : "y");
}

static void make_expression(maker *m, unsigned depth) {
    static const char *const operators[] = {"+", "-", "*", "==", "<", "&", "&&", "||", "&&", "||"};
    uint64_t kind = below(m, depth > 0 ? 12 : 5);
    if (kind < 2) {
        say(&m->text, "%u", (unsigned)below(m, 3));
    } else if (kind == 2) {
        say(&m->text, "%s", below(m, 2) ? "v" : "w");
    } else if (kind < 5) {
        make_shared(m, depth);
    } else if (kind < 9) {
        say(&m->text, "(");
        make_expression(m, depth - 1);
        say(&m->text, " %s ", operators[below(m, sizeof operators / sizeof *operators)]);
        make_expression(m, depth - 1);
        say(&m->text, ")");
    } else if (kind == 9) {
        say(&m->text, "(");
        make_expression(m, depth - 1);
        say(&m->text, " ? ");
        make_expression(m, depth - 1);
        say(&m->text, " : ");
        make_expression(m, depth - 1);
        say(&m->text, ")");
    } else if (kind == 10) {
        say(&m->text, "cas(");
        make_shared(m, depth);
        say(&m->text, ", %u, ", (unsigned)below(m, 2));
        make_expression(m, depth - 1);
        say(&m->text, ")");
    } else {
        say(&m->text, "(%u %s ", (unsigned)below(m, 3), below(m, 2) ? "/" : "%");
        make_expression(m, depth - 1);
        say(&m->text, ")");
    }
}

static void make_assignment(maker *m) {
    if (below(m, 3) == 0)
        say(&m->text, "%s", below(m, 4) == 0 ? "l[v & 1]" : below(m, 2) ? "v" : "w");
    else
        make_shared(m, 1);
    say(&m->text, " = ");
    make_expression(m, 2);
    say(&m->text, "; ");
}

static void make_condition(maker *m, const char *word) {
    say(&m->text, "%s (", word);
    make_expression(m, 2);
    say(&m->text, ")");
}

static void make_statement(maker *m, unsigned depth);

static void make_statements(maker *m, unsigned depth, unsigned most) {
    for (uint64_t left = 1 + below(m, most); left > 0; left--)
        make_statement(m, depth);
}

static void make_atomic(maker *m) {
    say(&m->text, "atomic { ");
    if (below(m, 4) == 0) {
        make_condition(m, "await");
        say(&m->text, "; ");
    }
    for (unsigned left = 2; left > 0; left--) {
        if (below(m, 3) == 0)
            make_condition(m, "if");
        make_assignment(m);
    }
    if (below(m, 8) == 0)
        say(&m->text, "assert (v < 4); ");
    say(&m->text, "} ");
}

static void make_locked(maker *m, unsigned depth) {
    const char *lock = below(m, 3) ? "m" : below(m, 2) ? "k[id & 1]" : "k[v & 1]";
    say(&m->text, "lock %s; ", lock);
    if (strcmp(lock, "m") == 0 && below(m, 1000) < m->waits)
        say(&m->text, "wait c, m; ");
    make_statements(m, depth, 2);
    say(&m->text, "unlock %s; ", lock);
}

static void make_loop(maker *m, unsigned depth) {
    say(&m->text, "i = 0; ");
    say(&m->text, "while (i < 2 && ");
    make_expression(m, 1);
    say(&m->text, ") { i = i + 1; ");
    make_statements(m, depth, 2);
    say(&m->text, "} ");
}

static void make_statement(maker *m, unsigned depth) {
    uint64_t kind = below(m, depth > 0 ? 20 : 12);
    if (below(m, 1000) < m->waits)
        say(&m->text, "%s c; ", below(m, 2) ? "notify" : "notifyall");
    if (kind < 10) {
        make_assignment(m);
    } else if (kind == 10) {
        make_condition(m, "await");
        say(&m->text, "; ");
    } else if (kind == 11) {
        say(&m->text, "assert (x + v < 9); ");
    } else if (kind < 15) {
        make_condition(m, "if");
        say(&m->text, " { ");
        make_statements(m, depth - 1, 2);
        say(&m->text, "} ");
    } else if (kind == 15) {
        make_loop(m, depth - 1);
    } else if (kind < 18) {
        make_locked(m, depth - 1);
    } else {
        make_atomic(m);
    }
}

static hd_machine *make_model(maker *m, uint64_t seed) {
    hd_random_seed(&m->random, seed);
    hd_vec_clear(&m->text);
    m->waits = below(m, 2) ? 150 : 0;
    say(&m->text, "shared x, y = 1, a[3] = {0, 1}; mutex m, k[2]; cond c;\n");
    uint64_t threads = 2 + below(m, 2);
    for (uint64_t t = 0; t < threads; t++) {
        say(&m->text, "thread t%u[%u] { local i, v = id, w, l[2]; ", (unsigned)t,
            (unsigned)(1 + (below(m, 4) == 0)));
        make_statements(m, 2, 5);
        say(&m->text, "}\n");
    }
    return load(m->text.data);
}

static _Noreturn void give_up(const maker *m, uint64_t seed, const char *why) {
    print_error("seed %" PRIu64 ": %s\n%s\n", seed, why, m->text.data);
    fail();
    abort();
}

static bool same_accesses(const hd_machine_operation *a, const hd_machine_operation *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->accesses[i].location != b->accesses[i].location ||
            a->accesses[i].mode != b->accesses[i].mode)
            return false;
    return true;
}

/* ---- What is said about a step is what it does ---- */

typedef struct taken {
    uint32_t thread, choice;
    uint64_t hash; /* of the state before */
} taken;

typedef struct journey {
    maker maker;
    uint64_t seed;
    hd_machine *machine, *twin; /* the twin is run again from the start, and looks once */
    HD_VEC(taken) path;
    HD_VEC(int64_t) before; /* values of locations */
} journey;

static void check_against_twin(journey *j) {
    hd_machine *a = j->machine, *b = j->twin;
    b->type->restart(b);
    for (size_t i = 0; i < j->path.length; i++)
        b->type->step(b, j->path.data[i].thread, j->path.data[i].choice);
    if (hd_model_hash(a) != hd_model_hash(b))
        give_up(&j->maker, j->seed, "the same schedule gives another state");
    for (uint32_t t = 0; t < a->threads; t++) {
        hd_machine_operation x, y;
        bool in_a = a->type->next(a, t, &x), in_b = b->type->next(b, t, &y);
        if (in_a != in_b || (in_a && (!same_accesses(&x, &y) || x.enabled != y.enabled ||
                                      x.choices != y.choices || x.position != y.position)))
            give_up(&j->maker, j->seed, "the next operation is not what it is when looked at anew");
    }
}

static uint8_t mode_of(const hd_machine_operation *operation, uint32_t place) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (operation->accesses[i].location == place)
            return operation->accesses[i].mode;
    return 0;
}

static uint8_t mode_of_event(const heddle_event *event) {
    unsigned traits = hd_trace_traits(event);
    uint8_t mode = (traits & HEDDLE_T_READS) ? HD_MACHINE_READ : 0;
    if (traits & HEDDLE_T_WRITES)
        mode |= HD_MACHINE_WRITE;
    if (event->kind == HEDDLE_ACQUIRE)
        mode = HD_MACHINE_ACQUIRE;
    if (event->kind == HEDDLE_RELEASE)
        mode = HD_MACHINE_RELEASE;
    return mode;
}

/* Events have what was accessed, but for condition variables and flags. */
static void check_events(journey *j, const hd_machine_operation *operation) {
    hd_machine *machine = j->machine;
    hd_trace trace;
    hd_trace_init(&trace);
    machine->type->record(machine, &trace);
    uint32_t found = 0, expected = 0;
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++) {
        const heddle_event *event = hd_trace_event(&trace, n);
        uint8_t mode = mode_of_event(event);
        if (mode == 0)
            continue;
        uint32_t place = location(machine, hd_trace_object_name(&trace.tables, event));
        uint8_t said = mode_of(operation, place);
        /* What the operation wrote first and read then is a write. */
        if (said != mode && !(mode == HD_MACHINE_WRITE && said == 3))
            give_up(&j->maker, j->seed, "an event is not among the accesses");
        found++;
    }
    for (uint32_t i = 0; i < operation->count; i++)
        expected += operation->accesses[i].location < location(machine, "c");
    if (found != expected)
        give_up(&j->maker, j->seed, "an access has no event");
    hd_trace_release(&trace);
}

static void check_changes(journey *j, const hd_machine_operation *operation) {
    for (uint32_t i = 0; i < j->machine->locations; i++)
        if (hd_model_value(j->machine, i) != j->before.data[i] &&
            !(mode_of(operation, i) & HD_MACHINE_WRITES))
            give_up(&j->maker, j->seed, "a location changed that is not said to be written");
}

static bool go(journey *j, uint32_t thread) {
    hd_machine *machine = j->machine;
    hd_machine_operation operation = next(machine, thread);
    HD_VEC(hd_machine_access) accesses = {0};
    for (uint32_t i = 0; i < operation.count; i++)
        hd_vec_push(&accesses, operation.accesses[i]);
    operation.accesses = accesses.data;
    hd_vec_clear(&j->before);
    for (uint32_t i = 0; i < machine->locations; i++)
        hd_vec_push(&j->before, hd_model_value(machine, i));
    uint32_t choice = (uint32_t)hd_random_below(&j->maker.random, operation.choices);
    hd_vec_push(&j->path, (taken){thread, choice, hd_model_hash(machine)});
    bool went_on = machine->type->step(machine, thread, choice) == HD_MACHINE_WENT_ON;
    check_changes(j, &operation);
    if (went_on || operation.count > 0)
        check_events(j, &operation);
    hd_vec_release(&accesses);
    return went_on;
}

static void go_back(journey *j) {
    j->machine->type->undo(j->machine);
    if (hd_model_hash(j->machine) != hd_vec_pop(&j->path).hash)
        give_up(&j->maker, j->seed, "undo does not give the state before");
}

static void travel(journey *j, unsigned length) {
    while (length-- > 0) {
        bool back = j->path.length > 0 && hd_random_chance(&j->maker.random, 350);
        uint32_t thread = back ? j->machine->threads : pick(j->machine, &j->maker.random);
        if (thread == j->machine->threads && j->path.length == 0)
            return;
        bool failed = thread == j->machine->threads || !go(j, thread);
        if (failed)
            go_back(j);
        check_against_twin(j);
    }
    while (j->path.length > 0)
        go_back(j);
    check_against_twin(j);
}

static void test_steps_and_undo(void **state) {
    (void)state;
    journey j = {0};
    for (uint64_t last = seeds(1500); j.seed < last;) {
        j.seed++;
        j.machine = make_model(&j.maker, j.seed);
        j.twin = j.machine->type->copy(j.machine);
        hd_vec_clear(&j.path);
        travel(&j, 60);
        release(j.machine);
        release(j.twin);
    }
    hd_vec_release(&j.maker.text);
    hd_vec_release(&j.path);
    hd_vec_release(&j.before);
}

/* ---- What is ahead ---- */

/* Lists in words: "x:r y:w <y" with the addresses behind <, "*" for branching. */
static void expect_ahead(const char *body, const char *expected) {
    char text[512];
    snprintf(text, sizeof text,
             "shared x, y, z, one = 1, a[3]; mutex m, k[2]; cond c;\n"
             "thread t { local v, w; %s }",
             body);
    hd_machine *machine = load(text);
    uint64_t hash = hd_model_hash(machine);
    const hd_machine_ahead *list;
    hd_vec_char words = {0};
    uint32_t count = machine->type->ahead(machine, 0, &list);
    for (uint32_t i = 0; i < count; i++) {
        say(&words, "%s", i ? ", " : "");
        say_accesses(machine, &list[i].operation, &words);
        for (uint32_t k = 0; k < list[i].address_count; k++)
            say(&words, "%s%s", k ? " " : " <",
                machine->type->location_name(machine, list[i].addresses[k]));
        say(&words, "%s", list[i].branching ? " *" : "");
    }
    if (words.data && strcmp(words.data, expected) != 0)
        print_error("%s\n", body);
    expect_text(&words, expected);
    assert_int_equal(hd_model_hash(machine), hash);
    release(machine);
}

static void test_ahead(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"x = 1; y = x; v = y; z = v;", "x:w, x:r y:w, y:r, z:w"},
        {"x = 1; if (x) y = 1;", "x:w, x:r *"},
        {"v = x; if (v) y = 1;", "x:r *"},
        {"v = x; y = v; a[v] = 1;", "x:r, y:w *"},
        {"v = x; v = 1; a[v] = 1;", "x:r, a[1]:w"},
        {"v = x; w = v + 1; v = 0; if (w) skip; y = 1;", "x:r *"},
        {"v = x; y = 1; if (v) skip; z = 1;", "x:r, y:w *"},
        {"if (v == 0) x = 1; else y = 1; z = 1;", "x:w, z:w"},
        {"while (v < 2) { a[v] = 1; v = v + 1; } x = 1;", "a[0]:w, a[1]:w, x:w"},
        {"a[one] = 1; y = 1;", "one:r a[1]:w <one, y:w"},
        {"x = 2; a[x] = 1; z = 1;", "x:w, x:r a[2]:w <x, z:w"},
        {"a[a[one]] = z; y = 2;", "z:r one:r a[0]:w a[1]:r <one a[1], y:w"},
        {"v = z + a[one]; y = 2;", "z:r one:r a[1]:r <one, y:w"},
        {"v = one && y; z = 1;", "y:r one:r <one, z:w"},
        {"v = one && y; if (v) skip; z = 1;", "y:r one:r <one *"},
        {"v = x; y = v && z;", "x:r *"},
        {"x = y; a[x] = 1;", "x:w y:r"},
        {"x = 1; y = x; if (y) skip;", "x:w, x:r y:w, y:r *"},
        {"v = y; cas(x, 0, v); a[x] = 1;", "y:r, x:rw <x"},
        {"atomic { x = y; a[x] = 1; } z = 1;", "x:rw y:r a[0]:w <x y, z:w"},
        {"v = cas(x, 0, 1); y = 1;", "x:rw <x, y:w"},
        {"v = cas(x, 0, y); if (v) z = 1;", "x:rw y:r <x *"},
        {"v = y; cas(x, v, 2);", "y:r"},
        {"v = y; cas(x, 0, v); z = v;", "y:r, x:rw <x, z:w"},
        {"x = 1 / one; y = 1;", "x:w one:r <one, y:w"},
        {"x = 1 / y; z = 1;", "y:r <y *"},
        {"v = y; x = 1 / v;", "y:r *"},
        {"lock m; x = 1; unlock m; y = 1;", "m:a, x:w, m:l, y:w"},
        {"lock m; lock m; x = 1;", "m:a, blocked m:a"},
        {"lock k[one]; unlock k[1];", "one:r k[1]:a <one, k[1]:l"},
        {"unlock m; x = 1;", "m:l *"},
        {"await (one == 1); x = 1;", "one:r <one, x:w"},
        {"await (x == 1); y = 1;", "blocked x:r <x"},
        {"v = x; await (one == v); y = 1;", "x:r"},
        {"await (v == 1); y = 1;", "blocked  *"},
        {"x = 1; await (v == 1); y = 1;", "x:w, blocked  *"},
        {"lock m; wait c, m; x = 1;", "m:a, m:l c:rw flag of t:w, blocked flag of t:r <flag of t"},
        {"notify c; notifyall c; x = 1;", "c:rw <c, c:rw <c, x:w"},
        {"assert (x == 0); y = 1;", "x:r *"},
        {"x = 1; assert (v == 0); y = 1;", "x:w, y:w"},
        {"x = 1; assert (v == 1); y = 1;", "x:w *"},
        {"v = x; assert (v == 1); y = 1;", "x:r *"},
        {"atomic { x = 1; y = 2; } z = 1;", "x:w y:w, z:w"},
        {"atomic { if (one) v = 1; y = 2; } z = 1; a[v] = 1;", "y:w one:r <one, z:w *"},
        {"atomic { await (one); x = 2; } z = 1;", "x:w one:r <one, z:w"},
        {"atomic { await (y); x = 2; } z = 1;", "blocked y:r <y"},
        {"atomic { x = 2; assert (one); } z = 1;", "x:w one:r *"},
        {"v = x; atomic { if (v) y = 1; } z = 1;", "x:r *"},
        {"x = 1; while (true) { }", "x:w *"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_ahead(rows[i][0], rows[i][1]);
}

/* A way to notify is a branch of its own. */
static void test_ahead_of_notify(void **state) {
    (void)state;
    hd_machine *machine = load(waiting);
    const hd_machine_ahead *list;
    assert_int_equal(machine->type->ahead(machine, 3, &list), 3);
    start_waiting(machine, 0);
    assert_int_equal(machine->type->ahead(machine, 3, &list), 3);
    start_waiting(machine, 1);
    assert_int_equal(machine->type->ahead(machine, 3, &list), 1);
    assert_int_equal(list[0].operation.choices, 2);
    assert_true(list[0].branching);
    release(machine);
}

/* The end of a list that is too long. */
static void test_ahead_limit(void **state) {
    (void)state;
    hd_machine *machine = load("shared x; thread t { while (true) x = 1; }");
    const hd_machine_ahead *list;
    assert_int_equal(machine->type->ahead(machine, 0, &list), HD_MODEL_MAX_AHEAD);
    release(machine);
}

/* A list as it was, while the machine runs on. */
typedef struct promise {
    uint32_t thread, count, done;
    hd_machine_ahead *list;
    bool *written; /* locations, by others */
} promise;

static void *kept(const void *data, size_t size) {
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    return size > 0 ? memcpy(copy, data, size) : copy;
}

static promise make_promise(hd_machine *machine, uint32_t thread) {
    const hd_machine_ahead *list;
    promise p = {.thread = thread, .count = machine->type->ahead(machine, thread, &list)};
    p.list = calloc(p.count + 1, sizeof *p.list);
    p.written = calloc(machine->locations, sizeof *p.written);
    for (uint32_t i = 0; i < p.count; i++) {
        p.list[i] = list[i];
        uint32_t count = list[i].operation.count, addresses = list[i].address_count;
        p.list[i].operation.accesses =
            kept(list[i].operation.accesses, count * sizeof(hd_machine_access));
        p.list[i].addresses = kept(list[i].addresses, addresses * sizeof(uint32_t));
    }
    return p;
}

static void release_promise(promise *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        free((void *)(uintptr_t)p->list[i].operation.accesses);
        free((void *)(uintptr_t)p->list[i].addresses);
    }
    free(p->list);
    free(p->written);
}

/* Did another thread write what the first operations up to this one depend on? */
static bool is_off(const promise *p, bool accesses_too) {
    for (uint32_t i = 0; i <= p->done; i++) {
        for (uint32_t k = 0; k < p->list[i].address_count; k++)
            if (p->written[p->list[i].addresses[k]])
                return true;
        for (uint32_t k = 0; accesses_too && k < p->list[i].operation.count; k++)
            if (p->written[p->list[i].operation.accesses[k].location])
                return true;
    }
    return false;
}

/* Holds the thread's next operation to the list; false when there is no more to
 * hold it to. */
static bool check_promise(const maker *m, uint64_t seed, hd_machine *machine, const promise *p) {
    if (p->done >= p->count || is_off(p, false))
        return false;
    const hd_machine_operation *said = &p->list[p->done].operation;
    hd_machine_operation operation;
    if (!machine->type->next(machine, p->thread, &operation))
        give_up(m, seed, "a thread ends before what is ahead of it");
    if (!same_accesses(said, &operation) || said->position != operation.position ||
        said->choices != operation.choices || said->awaits != operation.awaits)
        give_up(m, seed, "a thread does something else than what is ahead of it");
    if (!is_off(p, true) && said->enabled != operation.enabled)
        give_up(m, seed, "an operation is enabled otherwise than what is ahead says");
    return true;
}

static void note_writes(promise *p, const hd_machine_operation *operation) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (operation->accesses[i].mode & HD_MACHINE_WRITES)
            p->written[operation->accesses[i].location] = true;
}

/* One random run under a promise; how many operations it held. */
static unsigned keep_promise(maker *m, uint64_t seed, hd_machine *machine, uint32_t thread) {
    promise p = make_promise(machine, thread);
    unsigned held = 0, steps = 0;
    while (check_promise(m, seed, machine, &p)) {
        uint32_t t = pick(machine, &m->random);
        if (t == machine->threads)
            break;
        hd_machine_operation operation = next(machine, t);
        if (t != thread)
            note_writes(&p, &operation);
        uint32_t choice = (uint32_t)hd_random_below(&m->random, operation.choices);
        steps++;
        if (machine->type->step(machine, t, choice) == HD_MACHINE_FAILED)
            break;
        p.done += t == thread;
        held += t == thread;
    }
    while (steps-- > 0)
        machine->type->undo(machine);
    release_promise(&p);
    return held;
}

static void test_ahead_is_kept(void **state) {
    (void)state;
    maker m = {0};
    unsigned held = 0;
    for (uint64_t seed = 1, last = seeds(3000); seed <= last; seed++) {
        hd_machine *machine = make_model(&m, seed);
        for (unsigned start = 0; start < 6; start++) {
            machine->type->restart(machine);
            for (uint64_t skip = below(&m, 6); skip > 0; skip--) {
                uint32_t t = pick(machine, &m.random);
                if (t == machine->threads ||
                    machine->type->step(machine, t, 0) == HD_MACHINE_FAILED)
                    break;
            }
            uint64_t hash = hd_model_hash(machine);
            for (uint32_t t = 0; t < machine->threads; t++)
                for (unsigned run = 0; run < 8; run++)
                    held += keep_promise(&m, seed, machine, t);
            if (hd_model_hash(machine) != hash)
                give_up(&m, seed, "looking ahead changed the state");
        }
        release(machine);
    }
    assert_true(held > seeds(100000));
    hd_vec_release(&m.text);
}

/* An operation that does not vary accesses the same whatever others do. */
static void check_steady(maker *m, uint64_t seed, hd_machine *machine, uint32_t thread) {
    hd_machine_operation said, operation;
    if (!machine->type->next(machine, thread, &said) || said.varies)
        return;
    said.accesses = kept(said.accesses, said.count * sizeof *said.accesses);
    unsigned steps = 0;
    while (steps < 8) {
        uint32_t t = pick(machine, &m->random);
        if (t == machine->threads || t == thread)
            break;
        steps++;
        if (machine->type->step(machine, t, 0) == HD_MACHINE_FAILED)
            break;
        if (!machine->type->next(machine, thread, &operation) || operation.varies ||
            !same_accesses(&said, &operation))
            give_up(m, seed, "an operation varies that is said not to");
    }
    while (steps-- > 0)
        machine->type->undo(machine);
    free((void *)(uintptr_t)said.accesses);
}

static void test_varies(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool varies;
    } rows[] = {
        {"x = y;", false},
        {"a[v] = x;", false},
        {"a[x] = v;", true},
        {"lock k[v];", false},
        {"lock k[x];", true},
        {"if (v || x) skip;", false},
        {"if (x || y) skip;", true},
        {"v = cas(x, 0, 1);", true},
        {"x = 1 / (v + 1);", false},
        {"x = 1 / y;", true},
        {"notify c;", true},
        {"await (x);", false},
        {"atomic { await (x); y = 1; }", true},
        {"atomic { v = x; a[v] = 1; }", true},
        {"atomic { x = 1; while (v < 2) { a[v] = 1; v = v + 1; } }", false},
        {"atomic { x = 1; while (v < 2) { a[w] = 1; w = v; v = y; } }", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "shared x, y, a[3]; mutex k[2]; cond c; thread t { local v, w; x = 0; %s }",
                 rows[i].text);
        hd_machine *machine = load(text);
        step(machine, 0);
        if (next(machine, 0).varies != rows[i].varies)
            print_error("%s\n", rows[i].text);
        assert_int_equal(next(machine, 0).varies, rows[i].varies);
        release(machine);
    }
    maker m = {0};
    for (uint64_t seed = 1, last = seeds(2000); seed <= last; seed++) {
        hd_machine *machine = make_model(&m, seed);
        for (unsigned run = 0; run < 10; run++)
            for (uint32_t t = 0; t < machine->threads; t++)
                check_steady(&m, seed, machine, t);
        release(machine);
    }
    hd_vec_release(&m.text);
}

SUPPORT_SUITE(test_model_ahead) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_and_undo),  cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_ahead_of_notify), cmocka_unit_test(test_ahead_limit),
        cmocka_unit_test(test_ahead_is_kept),   cmocka_unit_test(test_varies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
