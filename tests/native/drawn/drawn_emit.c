/* A drawn program as C, and as flat code for the interpreter: see drawn.h. */
#include "drawn_emit.h"

#include <string.h>

/* Whether a place is worth reading at the end, because something else touched its memory. */
static bool overlaps_used(const program *p, int number) {
    place at = drawn_place(number);
    for (int i = 0; i < drawn_place_count; i++) {
        place other = drawn_place(i);
        if (p->place_used[i] && other.at < at.at + at.size && at.at < other.at + other.size)
            return true;
    }
    return false;
}

static bool is_last(const program *p, int number) {
    place at = drawn_place(number);
    switch (at.kind) {
    case PLACE_UNION:
        return at.size == 8 && overlaps_used(p, number);
    case PLACE_SCALAR:
    case PLACE_HEAP:
    case PLACE_FIELD:
        return overlaps_used(p, number);
    case PLACE_SLOT:
        return number < drawn_place_count && overlaps_used(p, number);
    default:
        return false;
    }
}

/* The slots that a thread stores its registers in: those that it gives a value. */
static int registers_set(const program *p, int first) {
    int set = 0;
    for (int i = first; i >= 0; i = p->statements[i].next) {
        if (p->statements[i].r >= 0)
            set |= 1 << p->statements[i].r;
        if (p->statements[i].child >= 0)
            set |= registers_set(p, p->statements[i].child);
    }
    return set;
}

/* Statements that every program has need a place to stand; they have no number to drop them by. */
static statement *extra(program *p, operation op, int number) {
    statement *s = &p->extras[p->extra_count++];
    *s = (statement){
        .op = op, .id = -1, .place = number, .r = -1, .source = -1, .child = -1, .next = -1};
    return s;
}

static void put_slots(writer *w, int thread, int set) {
    for (int r = 0; r < DRAWN_REGISTERS; r++) {
        if (!(set >> r & 1))
            continue;
        statement *s = extra(w->p, OP_STORE, drawn_slot(thread, r));
        s->source = r;
        emit_code(w, OP_STORE, s);
        emit_line(w, "O[%d][%d] = r%d; B;", thread, r, r);
    }
}

static void open_function(writer *w, int number, const char *head) {
    w->f = &w->p->functions[number];
    w->f->length = 0;
    w->f->used = true;
    emit_line(w, "%s {", head);
    w->indent = 1;
    emit_line(w, "unsigned r0 = 0, r1 = 0, r2 = 0; (void)r0; (void)r1; (void)r2;");
}

static void close_function(writer *w, const char *result) {
    emit_code(w, OP_RETURN, NULL);
    emit_line(w, "%s", result);
    w->indent = 0;
    emit_line(w, "}");
}

static void put_body(writer *w, int t) {
    char head[48];
    snprintf(head, sizeof head, "static void *thread%d(void *unused)", t);
    open_function(w, t, head);
    emit_line(w, "(void)unused;");
    emit_list(w, w->f->first);
    put_slots(w, t, registers_set(w->p, w->f->first));
    if (w->p->result[t] == 2) {
        emit_line(w, "unsigned *block = malloc(4); *block = r0;");
        close_function(w, "return block;");
    } else {
        close_function(w, w->p->result[t] ? "return (void *)(uintptr_t)r0;" : "return NULL;");
    }
}

static bool calls(const program *p, operation op, int number) {
    for (int i = 0; i < p->count; i++) {
        const statement *s = &p->statements[i];
        if (s->op == op && !s->dropped && (number < 0 || s->place == number))
            return true;
    }
    return false;
}

static void put_helpers(writer *w) {
    program *p = w->p;
    for (int i = 0; i < 2; i++) {
        char head[48];
        if (!calls(p, OP_ONCE, i))
            continue;
        snprintf(head, sizeof head, "static void once%d(void)", i);
        open_function(w, DRAWN_ONCE + i, head);
        emit_list(w, w->f->first);
        close_function(w, "return;");
    }
    for (int i = 0; i < p->handlers; i++) {
        char head[48];
        if (p->functions[DRAWN_HANDLER + i].first < 0)
            continue;
        snprintf(head, sizeof head, "static void handler%d(void)", i);
        open_function(w, DRAWN_HANDLER + i, head);
        emit_list(w, w->f->first);
        close_function(w, "return;");
    }
    if (!calls(p, OP_COUNTED, -1))
        return;
    open_function(w, DRAWN_COUNTED, "static unsigned counted(void)");
    emit_line(w, "static unsigned n;");
    statement *add = extra(p, OP_ADD, 0), *load = extra(p, OP_LOAD, 0);
    for (int i = 0; i < drawn_place_count; i++)
        if (drawn_places[i].kind == PLACE_STATIC)
            add->place = load->place = i;
    add->k = 1;
    load->r = 0;
    emit_code(w, OP_ADD, add);
    emit_line(w, "n += 1; B;");
    emit_code(w, OP_LOAD, load);
    emit_line(w, "r0 = n; B;");
    close_function(w, "return r0;");
}

/* A line of the head, and the feature that needs it. */
static const struct {
    int feature;
    const char *text;
} head[] = {
    {-1, "#define _GNU_SOURCE"},
    {-1, "#include <assert.h>"},
    {-1, "#include <pthread.h>"},
    {FEATURE_semaphore, "#include <semaphore.h>"},
    {-1, "#include <stdint.h>"},
    {-1, "#include <stdio.h>"},
    {-1, "#include <stdlib.h>"},
    {-1, "#include <string.h>"},
    {-1, "#include <time.h>"},
    {FEATURE_choose, "#include <heddle/mark.h>"},
    {FEATURE_choose, "_Bool __VERIFIER_nondet_bool(void);"},
    {FEATURE_section, "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"},
    {-1, "/* Every statement stays, in its place and with its own line. */"},
    {-1, "#define B __asm__ volatile(\"# %0\" : : \"i\"(__LINE__), \"r\"(r0), \"r\"(r1), \"r\"(r2) "
         ": \"memory\")"},
    {FEATURE_unaligned, "struct packed2 { uint16_t x; } __attribute__((packed));"},
    {FEATURE_unaligned, "struct packed4 { uint32_t x; } __attribute__((packed));"},
    {FEATURE_unaligned, "struct packed8 { uint64_t x; } __attribute__((packed));"},
    {-1, "union { uint8_t b[16]; uint16_t h[8]; uint32_t w[4]; uint64_t q[2]; } U;"},
    {-1, "uint64_t x2; uint8_t x3; uint16_t x4;"},
    {FEATURE_bitfield, "struct { unsigned char a : 3, b : 5, : 0, c : 4, d : 4; } F;"},
    {-1, "union { char s[16]; uint64_t q[2]; } S0, S1;"},
    {-1, "struct wide { uint32_t a, b, c; } d0, d1;"},
    {-1, "struct narrow { uint32_t a; } e0, e1;"},
    {-1, "uint32_t *P, O[5][3];"},
    {FEATURE_frees, "uint32_t *Q;"},
    {-1, "pthread_t T[5];"},
    {FEATURE_rwlock, "pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;"},
    {FEATURE_condition,
     "pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;"},
    {FEATURE_semaphore, "sem_t s0, s1;"},
    {FEATURE_barrier, "pthread_barrier_t b0;"},
    {FEATURE_once, "pthread_once_t o0 = PTHREAD_ONCE_INIT, o1 = PTHREAD_ONCE_INIT;"},
    {FEATURE_tls, "_Thread_local unsigned tl;"},
    {FEATURE_stdio, "FILE *L; char *log_text; size_t log_size;"},
    {FEATURE_timed, "static const struct timespec late = {4000000000, 0};"},
    {FEATURE_library, "unsigned lib_next(void); void lib_note(int c); const char *lib_text(void);"},
};

static void put_head(writer *w) {
    static const char *const kind[] = {"", "RECURSIVE_", "ERRORCHECK_"};
    program *p = w->p;
    emit_line(w, "/* seed %llu, attempt %d */", (unsigned long long)p->seed, p->attempt);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        if (head[i].feature < 0 || p->has[head[i].feature])
            emit_line(w, "%s", head[i].text);
    emit_line(w, "uint32_t x0 = %d, x1 = %d;", p->initial[0], p->initial[1]);
    for (int i = 0; i < DRAWN_MUTEXES; i++)
        emit_line(w, "pthread_mutex_t m%d = PTHREAD_%sMUTEX_INITIALIZER%s;", i, kind[p->kinds[i]],
                  p->kinds[i] ? "_NP" : "");
}

static void put_last(writer *w, int number, char *format, char *arguments, int *count) {
    place at = drawn_place(number);
    emit_code(w, OP_FINAL, extra(w->p, OP_FINAL, number));
    emit_line(w, "uint64_t v%d = %s; B;", *count, at.text);
    sprintf(format + strlen(format), "%%llx ");
    sprintf(arguments + strlen(arguments), ", (unsigned long long)v%d", *count);
    ++*count;
}

static void put_ending(writer *w) {
    program *p = w->p;
    char format[512] = "", arguments[2048] = "";
    int count = 0;
    for (int i = 0; i < drawn_place_count; i++)
        if (is_last(p, i))
            put_last(w, i, format, arguments, &count);
    for (int t = 1; t < p->threads; t++)
        for (int r = 0; r < DRAWN_REGISTERS; r++)
            if (p->functions[t].used && registers_set(p, p->functions[t].first) >> r & 1)
                put_last(w, drawn_slot(t, r), format, arguments, &count);
    for (int r = 0; r < DRAWN_REGISTERS; r++)
        if (registers_set(p, w->f->first) >> r & 1)
            sprintf(format + strlen(format), "%%x "),
                sprintf(arguments + strlen(arguments), ", r%d", r);
    if (p->has[FEATURE_stdio]) {
        emit_line(w, "fclose(L);");
        strcat(format, "%s "), strcat(arguments, ", log_text");
    }
    if (p->has[FEATURE_library])
        strcat(format, "%s "), strcat(arguments, ", lib_text()");
    if (*format) {
        emit_code(w, OP_LAST_LINE, NULL);
        emit_line(w, "printf(\"%s\\n\"%s);", format, arguments);
    }
}

/* Once more than one pass: what main starts with depends on what others use. */
static void put_main(writer *w) {
    program *p = w->p;
    open_function(w, 0, "int main(void)");
    for (int i = 0; i < DRAWN_SEMAPHORES && p->has[FEATURE_semaphore]; i++)
        emit_line(w, "sem_init(&s%d, 0, %d);", i, p->units[i]);
    if (p->has[FEATURE_barrier])
        emit_line(w, "pthread_barrier_init(&b0, NULL, %d);", p->party);
    if (p->has[FEATURE_heap])
        emit_line(w, "P = calloc(2, 4);");
    if (p->has[FEATURE_frees] && p->made)
        emit_line(w, "Q = calloc(2, 4);");
    if (p->has[FEATURE_stdio])
        emit_line(w, "L = open_memstream(&log_text, &log_size);");
    for (int i = 0; i < p->handlers; i++) {
        if (!p->functions[DRAWN_HANDLER + i].used)
            continue;
        emit_needs(w, FEATURE_handlers);
        emit_line(w, "atexit(handler%d);", i);
    }
    emit_list(w, w->f->first);
    if (p->main_ends) {
        emit_needs(w, FEATURE_mainends);
        emit_code(w, OP_MAIN_ENDS, NULL);
        emit_line(w, "pthread_exit(NULL);");
        close_function(w, "return 0;");
        return;
    }
    put_ending(w);
    close_function(w, "return 0;");
}

static void put_program(program *p, FILE *file) {
    writer w = {.p = p, .file = file};
    for (int i = 0; i < DRAWN_FUNCTIONS; i++)
        p->functions[i].used = false;
    p->extra_count = 0;
    put_head(&w);
    put_helpers(&w);
    for (int t = p->threads - 1; t > 0; t--)
        if (calls(p, OP_CREATE, t))
            put_body(&w, t);
    put_main(&w);
}

void drawn_emit(program *p, FILE *file) {
    memset(p->has, 0, sizeof p->has);
    memset(p->place_used, 0, sizeof p->place_used);
    /* The first pass finds out what is used, which says how main starts and ends. */
    put_program(p, NULL);
    put_program(p, file);
    for (int t = 1; t < p->threads; t++)
        if (p->functions[t].used && p->parent[t])
            p->has[FEATURE_nested] = true;
}
