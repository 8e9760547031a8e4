/*
 * The checker of heddle/linear_history.h on histories from standard input, one a line:
 *
 *     MODEL STUCK COUNT  then of each call  OPERATION A THREAD NUMBER RETURNED RESULT SEEN
 *
 * It prints 1 for each that is linearizable, else 0.  Models: 0 a queue, 1 a register, 2 a bounded
 * counter whose operations wait.
 */
#include <heddle/linear_history.h>
#include <stdlib.h>

typedef struct state {
    int count;
    long long value[HEDDLE_LINEAR_CALLS];
} state;

static long long enqueue(void *of, long long a, long long b) {
    state *s = of;
    (void)b;
    s->value[s->count++] = a;
    return HEDDLE_DONE;
}

static long long dequeue(void *of, long long a, long long b) {
    state *s = of;
    (void)a, (void)b;
    if (!s->count)
        return HEDDLE_EMPTY;
    long long first = s->value[0];
    memmove(s->value, s->value + 1, (size_t)--s->count * sizeof *s->value);
    s->value[s->count] = 0;
    return first;
}

static long long write_it(void *of, long long a, long long b) {
    state *s = of;
    (void)b;
    s->value[0] = a;
    return HEDDLE_DONE;
}

static long long read_it(void *of, long long a, long long b) {
    (void)a, (void)b;
    return ((state *)of)->value[0];
}

static long long up(void *of, long long a, long long b) {
    state *s = of;
    (void)b;
    if (s->count + a > 2)
        return HEDDLE_WAITS;
    s->count += (int)a;
    return s->count;
}

static long long down(void *of, long long a, long long b) {
    state *s = of;
    (void)b;
    if (s->count < a)
        return HEDDLE_WAITS;
    s->count -= (int)a;
    return s->count;
}

static const heddle_operation operations[3][2] = {
    {{"enqueue", {"", NULL}, NULL, enqueue, NULL, NULL},
     {"dequeue", {NULL, NULL}, NULL, dequeue, NULL, NULL}},
    {{"write", {"", NULL}, NULL, write_it, NULL, NULL},
     {"read", {NULL, NULL}, NULL, read_it, NULL, NULL}},
    {{"up", {"", NULL}, NULL, up, NULL, NULL}, {"down", {"", NULL}, NULL, down, NULL, NULL}},
};

static void copy(void *to, const void *from) {
    memcpy(to, from, sizeof(state));
}

static void drop(void *of) {
    (void)of;
}

/* The next number of the line. */
static long long number(char **rest) {
    return strtoll(*rest, rest, 10);
}

int main(void) {
    static const heddle_linear_model models[2] = {{sizeof(state), 0, copy, drop},
                                                  {sizeof(state), 1, copy, drop}};
    static const state initial;
    static heddle_history h;
    static heddle_linear_search search;
    static char line[1 << 14];
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line;
        unsigned model = (unsigned)number(&rest);
        h.stuck = (int)number(&rest);
        h.count = (unsigned)number(&rest);
        for (unsigned i = 0; i < h.count; i++) {
            heddle_call *c = &h.call[i];
            c->operation = &operations[model][number(&rest)];
            c->a = number(&rest);
            c->thread = (unsigned)number(&rest);
            c->number = (unsigned)number(&rest);
            c->returned = (int)number(&rest);
            c->result = number(&rest);
            c->seen = strtoull(rest, &rest, 16);
        }
        /* With and without a memory of states: the answer is the same. */
        int plain = heddle_linear_holds(&search, &h, &models[0], &initial);
        if (heddle_linear_holds(&search, &h, &models[1], &initial) != plain)
            return 1;
        if (!plain) { /* must not fail, whatever it shows */
            FILE *nowhere = fopen("/dev/null", "w");
            heddle_linear_draw(nowhere, &h);
            heddle_linear_explain(nowhere, &search, &initial);
            fclose(nowhere);
        }
        printf("%d\n", plain);
    }
    return 0;
}
