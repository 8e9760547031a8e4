/*
 * draw --seed N [--out FILE] [--without A,B] [--only A,B] [--with A,B] [--attempt N] [--drop ID,..]
 * [--unwrap ID,..]
 *
 * Draws a program, writes it as C, and prints as JSON all that it can do: see drawn.h.  Where the
 * first attempt of a seed has too many states, or can do only one thing, the next one counts.  With
 * --drop and --unwrap statements are taken out, with what is inside them or without; status 3 if
 * that cannot be done.
 */
#include "drawn.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define X(name) #name,
    DRAWN_FEATURES(X)
#undef X
};

enum { MOST_STATES = 60000 };
static const double most_paths = 1e7;

static bool in_list(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at && *at;) {
        size_t here = strcspn(at, ",");
        if (here == length && !strncmp(at, word, length))
            return true;
        at += here + (at[here] == ',');
    }
    return false;
}

static void check_names(const char *list) {
    for (const char *at = list; at && *at;) {
        size_t here = strcspn(at, ",");
        bool known = false;
        for (int f = 0; f < FEATURES; f++)
            known = known || (strlen(names[f]) == here && !strncmp(names[f], at, here));
        if (!known) {
            fprintf(stderr, "draw: no such feature: %s\n", at);
            exit(2);
        }
        at += here + (at[here] == ',');
    }
}

static bool drop(program *p, const char *list, bool keep) {
    for (const char *at = list; at && *at;) {
        char *end;
        if (!drawn_drop(p, (int)strtol(at, &end, 10), keep))
            return false;
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

static void print_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\\n", stdout);
        else
            putchar(*text);
    }
    putchar('"');
}

static void print_ids(const program *p) {
    const char *comma = "";
    printf(",\n \"statements\": [");
    for (int i = 0; i < p->count; i++)
        if (!p->statements[i].dropped)
            printf("%s%d", comma, i), comma = ", ";
    comma = "";
    printf("],\n \"blocks\": [");
    for (int i = 0; i < p->count; i++)
        if (!p->statements[i].dropped && p->statements[i].child >= 0)
            printf("%s%d", comma, i), comma = ", ";
    printf("]");
}

static void print_access(const unordered_access *a, const char *comma) {
    printf("%s{\"hidden\": %s, \"pairs\": [", comma, a->hidden ? "true" : "false");
    comma = "";
    for (int k = 0; k < DRAWN_UNORDERED; k++)
        if (a->pairs >> k & 1)
            printf("%s%d", comma, k), comma = ", ";
    printf("]}");
}

static void print_truth(const program *p, const truth *t) {
    const char *comma = "";
    printf("{\"seed\": %llu, \"attempt\": %d, \"features\": [", (unsigned long long)p->seed,
           p->attempt);
    for (int f = 0; f < FEATURES; f++)
        if (p->has[f])
            printf("%s\"%s\"", comma, names[f]), comma = ", ";
    printf("],\n \"library\": \"%s\", \"coarse\": %s, \"states\": %llu, \"paths\": %.0f,\n "
           "\"deadlock\": %s, "
           "\"deadlock_hidden\": %s,\n \"endings\": [",
           !p->has[FEATURE_library] ? ""
           : p->library_shared      ? "so"
                                    : "o",
           t->coarse ? "true" : "false", (unsigned long long)t->states, t->paths,
           t->deadlock ? "true" : "false", t->deadlock_hidden ? "true" : "false");
    for (size_t i = 0; i < t->ending_count; i++) {
        const ending *e = &t->endings[i];
        printf("%s{\"%s\": %d, \"hidden\": %s, \"output\": ", i ? ",\n  " : "",
               e->signal ? "signal" : "exit_status", e->status, e->hidden ? "true" : "false");
        print_text(e->output);
        printf("}");
    }
    printf("],\n \"races\": [");
    for (size_t i = 0; i < t->race_count; i++)
        printf("%s{\"lines\": [%d, %d], \"hidden\": %s}", i ? ", " : "", t->races[i].first,
               t->races[i].second, t->race_hidden[i] ? "true" : "false");
    printf("],\n \"unordered\": [");
    for (int i = 0; i < t->unordered_count; i++)
        printf("%s[%d, %d]", i ? ", " : "", t->unordered[i].first, t->unordered[i].second);
    printf("],\n \"unordered_accesses\": [");
    for (size_t i = 0; i < t->access_count; i++)
        print_access(&t->accesses[i], i ? ", " : "");
    printf("],\n \"failing\": [");
    for (size_t i = 0; i < t->failing_count; i++)
        printf("%s{\"line\": %d, \"hidden\": %s}", i ? ", " : "", t->failing_lines[i],
               t->failing_hidden[i] ? "true" : "false");
    printf("]");
    print_ids(p);
    printf("}\n");
}

int main(int argc, char **argv) {
    static program p;
    truth t;
    const char *out = NULL, *without = "", *only = NULL, *with = "", *dropped = "", *unwrapped = "";
    uint64_t seed = 1;
    int attempt = -1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (!strcmp(name, "--seed"))
            seed = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--out"))
            out = value;
        else if (!strcmp(name, "--without"))
            without = value;
        else if (!strcmp(name, "--only"))
            only = value;
        else if (!strcmp(name, "--with"))
            with = value;
        else if (!strcmp(name, "--attempt"))
            attempt = atoi(value);
        else if (!strcmp(name, "--drop"))
            dropped = value;
        else if (!strcmp(name, "--unwrap"))
            unwrapped = value;
        else {
            fprintf(stderr, "draw: %s?\n", name);
            return 2;
        }
    }
    check_names(without);
    check_names(only);
    check_names(with);
    bool allowed[FEATURES], wanted[FEATURES];
    for (int f = 0; f < FEATURES; f++)
        wanted[f] = in_list(with, names[f]);
    for (int f = 0; f < FEATURES; f++)
        allowed[f] = (!only || in_list(only, names[f])) && !in_list(without, names[f]);
    for (int number = attempt < 0 ? 0 : attempt;; number++) {
        drawn_generate(&p, seed, number, allowed, wanted);
        if (!drop(&p, dropped, false) || !drop(&p, unwrapped, true))
            return 3;
        drawn_emit(&p, NULL);
        drawn_interpret(&p, &t, MOST_STATES);
        bool varies =
            t.ending_count > 1 || t.race_count || t.deadlock || (seed + (uint64_t)number) % 8 == 0;
        if (!t.too_big && t.paths <= most_paths && (varies || attempt >= 0))
            break;
        drawn_truth_release(&t);
        if (attempt >= 0) {
            fprintf(stderr, "draw: too many states\n");
            return 3;
        }
    }
    FILE *file = out ? fopen(out, "w") : NULL;
    if (out && !file) {
        perror(out);
        return 2;
    }
    drawn_emit(&p, file);
    print_truth(&p, &t);
    drawn_truth_release(&t);
    return file && fclose(file) ? 2 : 0;
}
