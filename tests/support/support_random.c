/*
 * The runner of random tests.  Its core knows inputs only by callbacks; traces
 * are one type of input, at the end of the file.
 *
 * Case i of a run with seed S has the seed S + i: a single case is run again by
 * giving its own seed with --cases 1.
 */
#include "support_random.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    WHY_SIZE = 1024,
    DEFAULT_CASES = 1000,
    DEFAULT_SEED = 1,
    MAX_TRIES = 200000, /* of one shrinking */
    MAX_SHRINK_SECONDS = 60,
    MAX_SHOWN_LINES = 100
};

struct runner {
    const char *program;
    uint64_t cases, seed;
    double seconds;       /* of processor time for each property; 0: no limit */
    const char *property; /* part of the names that run; NULL: all */
    const char *replay;
    const char *out;
    const support_input_type *type;
};

/* One case of one property on its way. */
struct trial {
    const struct runner *runner;
    const support_input_property *property;
    uint64_t seed;
    char why[WHY_SIZE];
};

/* ---- The command line ---- */

static _Noreturn void usage(const char *program, const char *wrong) {
    fprintf(stderr,
            "%s: %s\n"
            "usage: %s [--cases N] [--seconds N] [--seed N|random] [--property TEXT] "
            "[--replay FILE] [--out DIR]\n",
            program, wrong, program);
    exit(2);
}

static uint64_t number(const char *program, const char *text) {
    uint64_t value;
    if (!hd_text_u64(text, strlen(text), &value))
        usage(program, "a number is needed");
    return value;
}

static uint64_t seed_from_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    hd_random random;
    hd_random_seed(&random, (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
    return hd_random_below(&random, UINT64_C(1000000000000));
}

static void option(struct runner *runner, const char *name, const char *value) {
    if (!value)
        usage(runner->program, "an option lacks its value, or is not known");
    if (strcmp(name, "--cases") == 0)
        runner->cases = number(runner->program, value);
    else if (strcmp(name, "--seconds") == 0)
        runner->seconds = (double)number(runner->program, value);
    else if (strcmp(name, "--seed") == 0)
        runner->seed =
            strcmp(value, "random") == 0 ? seed_from_clock() : number(runner->program, value);
    else if (strcmp(name, "--property") == 0)
        runner->property = value;
    else if (strcmp(name, "--replay") == 0)
        runner->replay = value;
    else if (strcmp(name, "--out") == 0)
        runner->out = value;
    else
        usage(runner->program, "an option is not known");
}

static void parse(struct runner *runner, int argc, char **argv) {
    for (int i = 1; i < argc; i += 2)
        option(runner, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
}

static bool wanted(const struct runner *runner, const support_input_property *property) {
    return !runner->property || strstr(property->name, runner->property);
}

/* ---- Crashes ---- */

/* What to say if a property takes the process down with it. */
static char last_words[512];

static void say_last_words(void) {
    ssize_t ignored = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)ignored;
}

static void on_crash(int signal_number) {
    say_last_words();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* There in sanitizer builds only. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void prepare_last_words(void) {
    signal(SIGABRT, on_crash);
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(say_last_words);
    } else {
        signal(SIGSEGV, on_crash);
        signal(SIGBUS, on_crash);
        signal(SIGFPE, on_crash);
    }
}

/* ---- One case ---- */

/* The property that runs, for checks that are adapters (check_trace). */
static const support_input_property *running;

/* The same numbers for the check whenever the case runs, whatever became of the input. */
static bool holds(struct trial *trial, const void *input) {
    hd_random random;
    hd_random_seed(&random, trial->seed ^ UINT64_C(0x5eed0fc4ec4));
    trial->why[0] = '\0';
    running = trial->property;
    return trial->property->check(input, &random, trial->why, sizeof trial->why);
}

static void comment(const char *text) {
    char line[2 * WHY_SIZE];
    while (*text) {
        size_t length = strcspn(text, "\n");
        hd_text_printable(line, sizeof line, text, length);
        printf("# %s\n", line);
        text += length + (text[length] == '\n');
    }
}

/* Takes any smaller variant that fails too, until a whole round of them has none. */
static void *shrink(struct trial *trial, void *input, unsigned *tries) {
    const support_input_type *type = trial->runner->type;
    double end = hd_progress_clock() + MAX_SHRINK_SECONDS;
    size_t i = 0, quiet = 0; /* variants since the last that failed */
    for (*tries = 0; type->shrink && *tries < MAX_TRIES && hd_progress_clock() < end; ++*tries) {
        void *smaller = type->shrink(input, i);
        if (!smaller) {
            if (quiet >= i) /* all variants of this input were tried */
                break;
            i = 0;
            quiet = 0;
            continue;
        }
        char why[WHY_SIZE];
        memcpy(why, trial->why, sizeof why);
        if (holds(trial, smaller)) {
            memcpy(trial->why, why, sizeof why);
            type->free(smaller);
            i++;
            quiet++;
        } else {
            type->free(input);
            input = smaller;
            quiet = 0;
        }
    }
    return input;
}

/* The property's name as part of a file's. */
static void slug(char *to, size_t size, const char *name) {
    size_t used = 0;
    for (; *name && used + 1 < size; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9');
        to[used++] = plain ? *name : '-';
    }
    to[used] = '\0';
}

static void show_file(const char *path) {
    FILE *file = fopen(path, "r");
    char line[WHY_SIZE];
    for (int i = 0; file && fgets(line, sizeof line, file); i++) {
        line[strcspn(line, "\n")] = '\0';
        if (i < MAX_SHOWN_LINES)
            printf("#     %s\n", line);
    }
    if (file)
        fclose(file);
}

static void save(const struct trial *trial, const void *input) {
    const struct runner *runner = trial->runner;
    char path[4096], name[64];
    const char *suite = strrchr(runner->program, ' ');
    slug(name, sizeof name, trial->property->name);
    snprintf(path, sizeof path, "%s/%s-%s-%llu%s", runner->out, suite ? suite + 1 : runner->program,
             name, (unsigned long long)trial->seed, runner->type->suffix);
    if (!runner->type->save || !runner->type->save(input, path)) {
        printf("# the case could not be saved as %s\n", path);
        return;
    }
    show_file(path);
    printf("# replay: %s --property '%s' --seed %llu --replay '%s'\n", runner->program,
           trial->property->name, (unsigned long long)trial->seed, path);
}

/* Consumes the input. */
static void report_failure(struct trial *trial, void *input) {
    unsigned tries;
    comment(trial->why);
    input = shrink(trial, input, &tries);
    printf("# after %u steps of shrinking:\n", tries);
    comment(trial->why);
    save(trial, input);
    printf("# the case as drawn: %s --property '%s' --seed %llu --cases 1\n",
           trial->runner->program, trial->property->name, (unsigned long long)trial->seed);
    trial->runner->type->free(input);
}

/* ---- One property ---- */

static bool run_case(const struct runner *runner, unsigned test,
                     const support_input_property *property, uint64_t i) {
    struct trial trial = {.runner = runner, .property = property, .seed = runner->seed + i};
    snprintf(last_words, sizeof last_words, "# died in: %s --property '%s' --seed %llu --cases 1\n",
             runner->program, property->name, (unsigned long long)trial.seed);
    hd_random random;
    hd_random_seed(&random, trial.seed);
    void *input = runner->type->draw(&random, property->shape);
    if (holds(&trial, input)) {
        runner->type->free(input);
        return true;
    }
    printf("not ok %u - %s (case %llu of %llu, seed %llu)\n", test, property->name,
           (unsigned long long)i + 1, (unsigned long long)runner->cases,
           (unsigned long long)trial.seed);
    report_failure(&trial, input);
    return false;
}

static bool run_replay(const struct runner *runner, unsigned test,
                       const support_input_property *property) {
    struct trial trial = {.runner = runner, .property = property, .seed = runner->seed};
    void *input = runner->type->load(runner->replay);
    if (!input)
        exit(2); /* load has said why */
    bool good = holds(&trial, input);
    printf("%sok %u - %s (%s)\n", good ? "" : "not ", test, property->name, runner->replay);
    comment(trial.why);
    runner->type->free(input);
    return good;
}

/* Of the processor, so that a busy machine checks as many cases as a quiet one. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool run_property(const struct runner *runner, unsigned test,
                         const support_input_property *property) {
    if (runner->replay)
        return run_replay(runner, test, property);
    double end = processor_seconds() + runner->seconds;
    uint64_t done = 0;
    while (done < runner->cases) {
        if (!run_case(runner, test, property, done))
            return false;
        done++;
        if (runner->seconds > 0 && processor_seconds() > end)
            break;
    }
    printf("ok %u - %s (%llu cases, seed %llu)\n", test, property->name, (unsigned long long)done,
           (unsigned long long)runner->seed);
    return true;
}

int support_random_inputs(int argc, char **argv, const support_input_type *type,
                          const support_input_property *properties, size_t count) {
    struct runner runner = {argv[0], DEFAULT_CASES, DEFAULT_SEED, 0, NULL, NULL, ".", type};
    parse(&runner, argc, argv);
    unsigned plan = 0, test = 0, failures = 0;
    for (size_t i = 0; i < count; i++)
        plan += wanted(&runner, &properties[i]);
    if (!plan)
        usage(runner.program, "no property has such a name");
    const char *builds = getenv("TEST_BUILDS");
    if (builds && strcmp(builds, "few") == 0)
        runner.seconds *= 0.125;
    runner.seconds /= plan;
    setvbuf(stdout, NULL, _IOLBF, 0);
    prepare_last_words();
    printf("1..%u\n", plan);
    for (size_t i = 0; i < count; i++)
        if (wanted(&runner, &properties[i]))
            failures += !run_property(&runner, ++test, &properties[i]);
    return failures ? 1 : 0;
}

/* ---- Traces as inputs ---- */

/* A variant of a trace need not be well-formed; one that is not counts as good
 * and so is not taken. */
struct trace_input {
    hd_trace trace;
    bool well_formed;
};

static struct trace_input *new_trace_input(void) {
    struct trace_input *input = HD_NEW(struct trace_input);
    hd_trace_init(&input->trace);
    input->well_formed = true;
    return input;
}

static void free_trace_input(void *input) {
    hd_trace_release(&((struct trace_input *)input)->trace);
    free(input);
}

static void *draw_trace(hd_random *random, const void *shape) {
    const support_property *property = shape;
    struct trace_input *input = new_trace_input();
    support_random_trace(&input->trace, random, &property->shape);
    return input;
}

static bool save_trace(const void *input, const char *path) {
    hd_error error = {0};
    bool saved =
        hd_trace_save(&((const struct trace_input *)input)->trace, path, HD_TRACE_TEXT, &error);
    if (!saved)
        printf("# %s\n", error.text);
    return saved;
}

static void *load_trace(const char *path) {
    struct trace_input *input = HD_NEW(struct trace_input);
    hd_error error = {0};
    input->well_formed = true;
    if (hd_trace_load(&input->trace, path, 0, &error))
        return input;
    fprintf(stderr, "%s\n", error.text);
    free(input);
    return NULL;
}

/* What to leave out, in the order of how much it is: a whole thread; a piece of
 * the trace, from the half down to one event; two events of one thread and
 * object (an acquire and its release, a wait and its wake), neither of which
 * can be missing alone.  Each says whether it has an i-th one; if not, *i is
 * less by what it has. */

static void drop_thread(hd_bits *keep, const hd_trace *trace, uint32_t thread) {
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        bool about_it =
            hd_trace_kinds[event->kind].class == HEDDLE_CLASS_THREAD && event->object == thread;
        if (event->thread == thread || about_it)
            hd_bits_unset(keep, n - 1);
    }
}

static bool drop_some_thread(hd_bits *keep, const hd_trace *trace, size_t *i) {
    uint32_t threads = trace->tables.names[HEDDLE_CLASS_THREAD].length;
    if (*i < threads) {
        drop_thread(keep, trace, (uint32_t)*i);
        return true;
    }
    *i -= threads;
    return false;
}

static bool drop_some_piece(hd_bits *keep, const hd_trace *trace, size_t *i) {
    size_t length = hd_trace_length(trace);
    for (size_t size = (length + 1) / 2; size >= 1; size /= 2) {
        size_t pieces = (length + size - 1) / size;
        if (*i < pieces) {
            for (size_t n = *i * size; n < length && n < (*i + 1) * size; n++)
                hd_bits_unset(keep, n);
            return true;
        }
        *i -= pieces;
    }
    return false;
}

static bool go_together(const heddle_event *a, const heddle_event *b) {
    return a->thread == b->thread && a->object == b->object &&
           hd_trace_kinds[a->kind].class == hd_trace_kinds[b->kind].class && !hd_trace_is_access(a);
}

static bool drop_some_pair(hd_bits *keep, const hd_trace *trace, size_t *i) {
    for (uint32_t a = 1; a <= hd_trace_length(trace); a++)
        for (uint32_t b = a + 1; b <= hd_trace_length(trace); b++) {
            if (!go_together(hd_trace_event(trace, a), hd_trace_event(trace, b)))
                continue;
            if ((*i)-- == 0) {
                hd_bits_unset(keep, a - 1);
                hd_bits_unset(keep, b - 1);
                return true;
            }
        }
    return false;
}

static void *shrink_trace(const void *input, size_t i) {
    const hd_trace *trace = &((const struct trace_input *)input)->trace;
    hd_bits keep;
    hd_bits_init(&keep, hd_trace_length(trace));
    hd_bits_fill(&keep);
    struct trace_input *smaller = NULL;
    if (drop_some_thread(&keep, trace, &i) || drop_some_piece(&keep, trace, &i) ||
        drop_some_pair(&keep, trace, &i)) {
        smaller = new_trace_input();
        size_t kept = hd_bits_count(&keep);
        smaller->well_formed = kept > 0 && kept < hd_trace_length(trace) &&
                               support_keep(&smaller->trace, trace, &keep);
    }
    hd_bits_release(&keep);
    return smaller;
}

static bool check_trace(const void *input, hd_random *random, char *why, size_t why_size) {
    const struct trace_input *trace = input;
    const support_property *property = running->shape;
    return !trace->well_formed || property->check(&trace->trace, random, why, why_size);
}

int support_random_main(int argc, char **argv, const support_property *properties, size_t count) {
    static const support_input_type type = {draw_trace, shrink_trace,     save_trace,
                                            load_trace, free_trace_input, ".std"};
    support_input_property *inputs = HD_NEW_ARRAY(support_input_property, count);
    for (size_t i = 0; i < count; i++)
        inputs[i] = (support_input_property){properties[i].name, &properties[i], check_trace};
    int result = support_random_inputs(argc, argv, &type, inputs, count);
    free(inputs);
    return result;
}
