#include "support_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

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

static void object(char *to, size_t size, hd_random *random) {
    char inner[40];
    simple(inner, sizeof inner, random);
    switch (hd_random_below(random, 12)) {
    case 0:
        snprintf(to, size, "rdlock l; %s unlock l;", inner);
        break;
    case 1:
        snprintf(to, size, "wrlock l; %s unlock l;", inner);
        break;
    case 2:
        snprintf(to, size, "take s; %s post s;", inner);
        break;
    case 3:
        snprintf(to, size, hd_random_chance(random, 500) ? "take s;" : "post s;");
        break;
    case 4:
        snprintf(to, size, "arrive b;");
        break;
    case 5:
        snprintf(to, size, "send q, %s;", hd_random_chance(random, 500) ? "v" : cell(random));
        break;
    case 6:
        snprintf(to, size, "recv q, %s;", hd_random_chance(random, 500) ? "v" : cell(random));
        break;
    case 7:
        snprintf(to, size, "v = try lock m; if (v) { %s unlock m; }", inner);
        break;
    case 8:
        snprintf(to, size, "z = try %s l; if (v) unlock l;",
                 hd_random_chance(random, 500) ? "rdlock" : "wrlock");
        break;
    case 9:
        snprintf(to, size, "v = try %s;",
                 hd_random_chance(random, 300)   ? "take s"
                 : hd_random_chance(random, 500) ? "send q, 1"
                                                 : "recv q, y");
        break;
    case 10:
        snprintf(to, size, "%s = choose(0, %u);",
                 hd_random_chance(random, 600) ? "v" : cell(random), small(random));
        break;
    default:
        snprintf(to, size, "v = choose(0, y %% 2 + 1);");
        break;
    }
}

static void statement(char *to, size_t size, hd_random *random, unsigned features) {
    if (features & SUPPORT_MODEL_OBJECTS && hd_random_chance(random, 400)) {
        object(to, size, random);
        return;
    }
    unsigned kind = (unsigned)hd_random_below(random, features & SUPPORT_MODEL_OFTEN ? 9 : 12);
    if (kind == 0 && features & SUPPORT_MODEL_BRANCHES)
        branch(to, size, random);
    else if (kind == 1 && features & SUPPORT_MODEL_POINTERS)
        pointer(to, size, random);
    else if ((kind == 2 || kind == 3) && features & SUPPORT_MODEL_LOCKS)
        locked(to, size, random);
    else if (kind == 4 && features & SUPPORT_MODEL_AWAITS)
        await(to, size, random);
    else if (kind == 5 && features & SUPPORT_MODEL_CONDITIONS)
        condition(to, size, random);
    else if (kind == 6 && features & SUPPORT_MODEL_ATOMICS)
        snprintf(to, size, "atomic { v = %s; %s = v + 1; }", cell(random), cell(random));
    else if (kind == 7 && features & SUPPORT_MODEL_ASSERTIONS)
        snprintf(to, size, "assert (%s != %u);", hd_random_chance(random, 200) ? "v" : cell(random),
                 small(random));
    else if (kind == 8 && features & SUPPORT_MODEL_OUTSIDE)
        snprintf(to, size, "x[y] = %u;", small(random));
    else
        simple(to, size, random);
}

/* ---- The input type ---- */

static void *draw(hd_random *random, const void *about) {
    const support_model_shape *shape = about;
    support_model *program = calloc(1, sizeof *program);
    unsigned features = shape->features & (unsigned)hd_random_next(random);
    program->features = features;
    program->threads = 2 + (unsigned)hd_random_below(random, shape->threads - 1);
    if (shape->threads > 4)
        program->threads = 5 + (unsigned)hd_random_below(random, shape->threads - 4);
    for (unsigned t = 0; t < program->threads; t++) {
        program->lengths[t] = 1 + (unsigned)hd_random_below(random, shape->statements);
        for (unsigned i = 0; i < program->lengths[t]; i++)
            if (t > 0 && features & SUPPORT_MODEL_FORKS && hd_random_chance(random, 350))
                snprintf(program->statements[t][i], SUPPORT_MODEL_TEXT, "%s t%u;",
                         hd_random_chance(random, 550) ? "fork" : "join",
                         (unsigned)hd_random_below(random, t));
            else
                statement(program->statements[t][i], SUPPORT_MODEL_TEXT, random, features);
    }
    return program;
}

static void print(const support_model *program, FILE *to) {
    fputs(program->loaded, to);
    if (program->loaded[0])
        return;
    fputs("shared x[2], y, z;\nmutex m, n;\ncond c;\n", to);
    if (program->features & SUPPORT_MODEL_OBJECTS)
        fputs("rwlock l;\nsemaphore s = 1;\nbarrier b(2);\nchannel q(2);\n", to);
    if (program->features & SUPPORT_MODEL_INVARIANTS)
        fputs("invariant (x[0] + y <= 3 || z == 1);\n", to);
    for (unsigned t = 0; t < program->threads; t++) {
        fprintf(to, "thread t%u {\n    local v;\n", t);
        for (unsigned i = 0; i < program->lengths[t]; i++)
            fprintf(to, "    %s\n", program->statements[t][i]);
        fputs("}\n", to);
    }
}

/* Without its i-th thread, or its i-th statement. */
static void *shrink(const void *input, size_t i) {
    const support_model *program = input;
    if (program->loaded[0])
        return NULL; /* it was shrunk before it was saved */
    support_model *smaller = malloc(sizeof *smaller);
    *smaller = *program;
    bool named = program->features & SUPPORT_MODEL_FORKS; /* threads by their numbers */
    if (program->threads > 1 && !named && i < program->threads) {
        for (unsigned t = (unsigned)i; t + 1 < program->threads; t++) {
            smaller->lengths[t] = program->lengths[t + 1];
            memcpy(smaller->statements[t], program->statements[t + 1],
                   sizeof smaller->statements[t]);
        }
        smaller->threads--;
        return smaller;
    }
    if (program->threads > 1 && !named)
        i -= program->threads;
    for (unsigned t = 0; t < program->threads; t++) {
        if (i < program->lengths[t]) {
            for (unsigned k = (unsigned)i; k + 1 < program->lengths[t]; k++)
                memcpy(smaller->statements[t][k], program->statements[t][k + 1],
                       SUPPORT_MODEL_TEXT);
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
    support_model *program = calloc(1, sizeof *program);
    size_t length = fread(program->loaded, 1, sizeof program->loaded - 1, file);
    bool whole = length > 0 && feof(file);
    fclose(file);
    if (whole)
        return program;
    free(program);
    return NULL;
}

char *support_model_text(const support_model *program, size_t *length) {
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    print(program, file);
    fclose(file);
    return text;
}

hd_machine *support_model_machine_after(const support_model *program, unsigned idle, char *why,
                                        size_t why_size) {
    size_t length;
    char *text = support_model_text(program, &length);
    hd_vec_char whole = {0};
    if (idle)
        hd_text_append(&whole, "thread idle[%u] {}\n", idle);
    hd_text_append(&whole, "%s", text);
    hd_model_error bad;
    hd_machine *machine = hd_model_parse("random", whole.data, whole.length, NULL, 0, &bad);
    hd_vec_release(&whole);
    free(text);
    if (!machine)
        snprintf(why, why_size, "line %u: %s", bad.line, bad.text);
    return machine;
}

hd_machine *support_model_machine(const support_model *program, char *why, size_t why_size) {
    return support_model_machine_after(program, 0, why, why_size);
}

const support_input_type support_models = {draw, shrink, save, load, free, ".hdm"};
