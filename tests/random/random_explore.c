/*
 * The exploring algorithms against brute force: on random models, every one of
 * them completes each Mazurkiewicz trace that all interleavings have, once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "model/model.h"
#include "support_random.h"

enum { MAX_THREADS = 6, MAX_STATEMENTS = 8, TEXT = 96 };

struct shape {
    unsigned threads, statements;
    unsigned features;
};

enum {
    BRANCHES = 1,
    POINTERS = 2,
    LOCKS = 4,
    AWAITS = 8,
    CONDITIONS = 16,
    ATOMICS = 32,
    ASSERTIONS = 64,
    OFTEN = 128 /* twice as many of the statements above as plain ones */
};

/* A model: statements as text, thread by thread. */
struct program {
    unsigned threads;
    unsigned lengths[MAX_THREADS];
    char statements[MAX_THREADS][MAX_STATEMENTS][TEXT];
    char loaded[8192]; /* the text of a saved model, instead of all that */
};

/* ---- Random statements ---- */

static const char *cell(hd_random *random) {
    static const char *const cells[] = {"x[0]", "x[1]", "y", "z"};
    return cells[hd_random_below(random, 4)];
}

static unsigned small(hd_random *random) {
    return (unsigned)hd_random_below(random, 3);
}

static void simple(char *to, size_t size, hd_random *random) {
    switch (hd_random_below(random, 4)) {
    case 0:
        snprintf(to, size, "%s = %u;", cell(random), small(random));
        break;
    case 1:
        snprintf(to, size, "%s = %s;", cell(random), cell(random));
        break;
    case 2:
        snprintf(to, size, "v = %s;", cell(random));
        break;
    default:
        snprintf(to, size, "%s = v + %u;", cell(random), small(random));
        break;
    }
}

static void branch(char *to, size_t size, hd_random *random) {
    char inner[40];
    simple(inner, sizeof inner, random);
    if (hd_random_chance(random, 300))
        snprintf(to, size, "if (v == %u) { %s }", small(random), inner);
    else
        snprintf(to, size, "if (%s == %u) { %s }", cell(random), small(random), inner);
}

static void pointer(char *to, size_t size, hd_random *random) {
    switch (hd_random_below(random, 3)) {
    case 0:
        snprintf(to, size, "x[y %% 2] = %u;", small(random));
        break;
    case 1:
        snprintf(to, size, "z = x[v %% 2];");
        break;
    default:
        snprintf(to, size, "if (cas(%s, %u, %u)) { z = v; }", cell(random), small(random),
                 small(random));
        break;
    }
}

static void locked(char *to, size_t size, hd_random *random) {
    char inner[40];
    simple(inner, sizeof inner, random);
    const char *lock = hd_random_chance(random, 700) ? "m" : "n";
    if (hd_random_chance(random, 250))
        snprintf(to, size, "lock m; lock n; %s unlock n; unlock m;", inner);
    else if (hd_random_chance(random, 150))
        snprintf(to, size, "lock n; lock m; unlock m; unlock n;");
    else
        snprintf(to, size, "lock %s; %s unlock %s;", lock, inner, lock);
}

static void await(char *to, size_t size, hd_random *random) {
    switch (hd_random_below(random, 3)) {
    case 0:
        snprintf(to, size, "await (%s == %u);", cell(random), small(random));
        break;
    case 1:
        snprintf(to, size, "await (%s == %s);", cell(random), cell(random));
        break;
    default:
        snprintf(to, size, "await (%s == %u || %s == %u);", cell(random), small(random),
                 cell(random), small(random));
        break;
    }
}

static void condition(char *to, size_t size, hd_random *random) {
    static const char *const all[] = {"wait c, m;", "wait c, m;", "notify c;", "notifyall c;"};
    const char *one = all[hd_random_below(random, 4)];
    if (hd_random_chance(random, 800))
        snprintf(to, size, "lock m; %s unlock m;", one);
    else if (one[0] == 'n')
        snprintf(to, size, "%s", one);
    else
        snprintf(to, size, "lock m; if (y == 0) { wait c, m; } unlock m;");
}

static void statement(char *to, size_t size, hd_random *random, unsigned features) {
    unsigned kind = (unsigned)hd_random_below(random, features & OFTEN ? 8 : 10);
    if (kind == 0 && features & BRANCHES)
        branch(to, size, random);
    else if (kind == 1 && features & POINTERS)
        pointer(to, size, random);
    else if ((kind == 2 || kind == 3) && features & LOCKS)
        locked(to, size, random);
    else if (kind == 4 && features & AWAITS)
        await(to, size, random);
    else if (kind == 5 && features & CONDITIONS)
        condition(to, size, random);
    else if (kind == 6 && features & ATOMICS)
        snprintf(to, size, "atomic { v = %s; %s = v + 1; }", cell(random), cell(random));
    else if (kind == 7 && features & ASSERTIONS)
        snprintf(to, size, "assert (%s != %u);", hd_random_chance(random, 200) ? "v" : cell(random),
                 small(random));
    else
        simple(to, size, random);
}

/* ---- The input type ---- */

static void *draw(hd_random *random, const void *about) {
    const struct shape *shape = about;
    struct program *program = calloc(1, sizeof *program);
    unsigned features = shape->features & (unsigned)hd_random_next(random);
    program->threads = 2 + (unsigned)hd_random_below(random, shape->threads - 1);
    if (shape->threads > 4)
        program->threads = 5 + (unsigned)hd_random_below(random, shape->threads - 4);
    for (unsigned t = 0; t < program->threads; t++) {
        program->lengths[t] = 1 + (unsigned)hd_random_below(random, shape->statements);
        for (unsigned i = 0; i < program->lengths[t]; i++)
            statement(program->statements[t][i], TEXT, random, features);
    }
    return program;
}

static void print(const struct program *program, FILE *to) {
    fputs(program->loaded, to);
    if (program->loaded[0])
        return;
    fputs("shared x[2], y, z;\nmutex m, n;\ncond c;\n", to);
    for (unsigned t = 0; t < program->threads; t++) {
        fprintf(to, "thread t%u {\n    local v;\n", t);
        for (unsigned i = 0; i < program->lengths[t]; i++)
            fprintf(to, "    %s\n", program->statements[t][i]);
        fputs("}\n", to);
    }
}

/* Without its i-th thread, or its i-th statement. */
static void *shrink(const void *input, size_t i) {
    const struct program *program = input;
    if (program->loaded[0])
        return NULL; /* it was shrunk before it was saved */
    struct program *smaller = malloc(sizeof *smaller);
    *smaller = *program;
    if (program->threads > 1 && i < program->threads) {
        for (unsigned t = (unsigned)i; t + 1 < program->threads; t++) {
            smaller->lengths[t] = program->lengths[t + 1];
            memcpy(smaller->statements[t], program->statements[t + 1],
                   sizeof smaller->statements[t]);
        }
        smaller->threads--;
        return smaller;
    }
    if (program->threads > 1)
        i -= program->threads;
    for (unsigned t = 0; t < program->threads; t++) {
        if (i < program->lengths[t]) {
            for (unsigned k = (unsigned)i; k + 1 < program->lengths[t]; k++)
                memcpy(smaller->statements[t][k], program->statements[t][k + 1], TEXT);
            smaller->lengths[t]--;
            return smaller;
        }
        i -= program->lengths[t];
    }
    free(smaller);
    return NULL;
}

static bool save(const void *input, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    print(input, file);
    return fclose(file) == 0;
}

static void *load(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    struct program *program = calloc(1, sizeof *program);
    size_t length = fread(program->loaded, 1, sizeof program->loaded - 1, file);
    bool whole = length > 0 && feof(file);
    fclose(file);
    if (whole)
        return program;
    free(program);
    return NULL;
}

static char *text_of(const struct program *program, size_t *length) {
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    print(program, file);
    fclose(file);
    return text;
}

/* ---- The property ---- */

static bool agrees(hd_machine *machine, enum hd_explore_algorithm algorithm, uint32_t threads,
                   const hd_explore_result *naive, char *why, size_t why_size) {
    bool variant = threads == 0;
    hd_explore_options options = {
        .algorithm = algorithm, .threads = threads, .source_sets = variant};
    hd_explore_result result;
    hd_error error = {""};
    if (!hd_explore_run(machine, &options, &result, &error)) {
        snprintf(why, why_size, "%s", error.text);
        return false;
    }
    const char *name = hd_explore_algorithm_name(algorithm);
    if (result.executions != naive->traces) {
        snprintf(why, why_size,
                 "%s%s with %u threads completes %llu executions, but there are %llu traces", name,
                 variant ? " with source sets" : "", threads, (unsigned long long)result.executions,
                 (unsigned long long)naive->traces);
        return false;
    }
    if (result.deadlocks > naive->deadlocks || !result.deadlocks != !naive->deadlocks ||
        !result.violations != !naive->violations) {
        snprintf(why, why_size, "%s finds %llu deadlocks and %llu violations, naive %llu and %llu",
                 name, (unsigned long long)result.deadlocks, (unsigned long long)result.violations,
                 (unsigned long long)naive->deadlocks, (unsigned long long)naive->violations);
        return false;
    }
    bool optimal = algorithm == HD_EXPLORE_ODPOR || algorithm == HD_EXPLORE_EPOR ||
                   algorithm == HD_EXPLORE_EPOR_SH;
    if (optimal && !variant && result.blocked) {
        snprintf(why, why_size, "%s ran into %llu blocked ends", name,
                 (unsigned long long)result.blocked);
        return false;
    }
    return true;
}

/* Models with more interleavings than brute force goes through. */
static unsigned passed_over;

static bool all_agree(const void *input, hd_random *random, char *why, size_t why_size) {
    (void)random;
    enum { MOST = 60000 };
    size_t length;
    char *text = text_of(input, &length);
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
    passed_over += !naive.complete;
    for (int a = HD_EXPLORE_DPOR; a < HD_EXPLORE_ALGORITHMS && good && naive.complete; a++)
        good = agrees(machine, (enum hd_explore_algorithm)a, 1, &naive, why, why_size);
    static const enum hd_explore_algorithm shared[] = {HD_EXPLORE_DPOR, HD_EXPLORE_SDPOR,
                                                       HD_EXPLORE_AUTO};
    for (size_t i = 0; i < 3 && good && naive.complete; i++)
        good = agrees(machine, shared[i], 3, &naive, why, why_size);
    for (int a = HD_EXPLORE_EPOR; a <= HD_EXPLORE_EPOR_SH && good && naive.complete; a++)
        good = agrees(machine, (enum hd_explore_algorithm)a, 0, &naive, why, why_size);
    machine->type->free(machine);
    return good;
}

int main(int argc, char **argv) {
    static const struct shape few = {
        4, 3, BRANCHES | POINTERS | LOCKS | AWAITS | CONDITIONS | ATOMICS | ASSERTIONS};
    static const struct shape waits = {4, 3, LOCKS | CONDITIONS | OFTEN};
    static const struct shape awaits = {4, 3, AWAITS | ATOMICS | OFTEN};
    static const struct shape plain = {3, 4, BRANCHES | POINTERS};
    static const struct shape locks = {4, 2, LOCKS};
    static const struct shape many = {6, 2, BRANCHES | POINTERS | LOCKS | AWAITS};
    static const struct shape failing = {4, 3, BRANCHES | POINTERS | LOCKS | ASSERTIONS | OFTEN};
    static const support_input_type type = {draw, shrink, save, load, free, ".hdm"};
    static const support_input_property properties[] = {
        {"algorithms agree on reads, writes, branches, pointers", &plain, all_agree},
        {"algorithms agree on locks", &locks, all_agree},
        {"algorithms agree on condition variables", &waits, all_agree},
        {"algorithms agree on awaits", &awaits, all_agree},
        {"algorithms agree on assertions", &failing, all_agree},
        {"algorithms agree on everything", &few, all_agree},
        {"algorithms agree on five and six threads", &many, all_agree},
    };
    int status = support_random_inputs(argc, argv, &type, properties,
                                       sizeof properties / sizeof properties[0]);
    printf("# %u models were too big for brute force and not compared\n", passed_over);
    return status;
}
