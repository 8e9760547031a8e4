/* A drawn program as C, and as flat code for the interpreter: see drawn.h. */
#include "drawn.h"

#include <stdarg.h>
#include <string.h>

typedef struct {
    program *p;
    FILE *file; /* or NULL */
    int line;
    function *f;
    int indent;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...) {
    w->line++;
    if (!w->file)
        return;
    va_list list;
    va_start(list, format);
    for (int i = 0; i < w->indent; i++)
        fputs("    ", w->file);
    vfprintf(w->file, format, list);
    fputc('\n', w->file);
    va_end(list);
}

/* The next line is an instruction. */
static instruction *code(writer *w, operation op, const statement *s) {
    instruction *i = &w->f->code[w->f->length++];
    *i = (instruction){.line = w->line + 1, .op = op, .s = s, .jump = -1};
    return i;
}

static void needs(writer *w, feature f) {
    w->p->has[f] = true;
}

static void touches(writer *w, int number) {
    static const feature of[] = {
        [PLACE_UNION] = FEATURE_overlap, [PLACE_PACKED] = FEATURE_unaligned,
        [PLACE_FIELD] = FEATURE_bitfield, [PLACE_HEAP] = FEATURE_heap,
        [PLACE_STRING] = FEATURE_strings, [PLACE_STRUCT] = FEATURE_structs,
    };
    place at = drawn_place(number);
    if (number < drawn_place_count)
        w->p->place_used[number] = true;
    if (at.kind == PLACE_UNION || at.kind == PLACE_PACKED || at.kind == PLACE_FIELD ||
        at.kind == PLACE_HEAP || at.kind == PLACE_STRING || at.kind == PLACE_STRUCT)
        needs(w, of[at.kind]);
}

static const char *type_of(int size) {
    return size == 1 ? "uint8_t" : size == 2 ? "uint16_t" : size == 4 ? "uint32_t" : "uint64_t";
}

static const char *value(const statement *s, int size) {
    static char text[64];
    if (s->source >= 0)
        snprintf(text, sizeof text, "(%s)(r%d + %ldu)", type_of(size), s->source, s->k);
    else
        snprintf(text, sizeof text, "0x%lx", (unsigned long)s->k);
    return text;
}

static const char *order(int form, bool loads, bool stores) {
    if (form % 3 == 0)
        return "__ATOMIC_RELAXED";
    if (form % 3 == 1)
        return "__ATOMIC_SEQ_CST";
    return loads && stores ? "__ATOMIC_ACQ_REL" : loads ? "__ATOMIC_ACQUIRE" : "__ATOMIC_RELEASE";
}

static void put_atomic(writer *w, const statement *s) {
    place at = drawn_place(s->place);
    needs(w, FEATURE_atomic);
    switch (s->op) {
    case OP_ALOAD:
        put(w, "r%d = (unsigned)__atomic_load_n(&%s, %s); B;", s->r, at.text, order(s->form, true, false));
        break;
    case OP_ASTORE:
        put(w, "__atomic_store_n(&%s, %s, %s); B;", at.text, value(s, at.size),
            order(s->form, false, true));
        break;
    case OP_AADD:
        put(w, "r%d = (unsigned)__atomic_fetch_add(&%s, %ld, %s); B;", s->r, at.text, s->k,
            order(s->form, true, true));
        break;
    case OP_AEXCHANGE:
        put(w, "r%d = (unsigned)__atomic_exchange_n(&%s, %s, %s); B;", s->r, at.text,
            value(s, at.size), order(s->form, true, true));
        break;
    default:
        put(w,
            "{ %s e = %ld; r%d = __atomic_compare_exchange_n(&%s, &e, %ld, 0, %s, "
            "__ATOMIC_RELAXED); } B;",
            type_of(at.size), s->k, s->r, at.text, s->k2, order(s->form, true, true));
    }
}

static void put_copy(writer *w, const statement *s) {
    place to = drawn_place(s->place), from = drawn_place(s->other);
    if (s->form == 2) {
        put(w, "%s = %s; B;", to.text, from.text);
    } else {
        needs(w, FEATURE_copies);
        put(w, "%s(&%s, &%s, %d); B;", s->form ? "memmove" : "memcpy", to.text, from.text, s->n);
    }
}

static void put_string(writer *w, const statement *s) {
    place to = drawn_place(s->place);
    static const char *const words[] = {"", "p", "qr", "stu"};
    switch (s->op) {
    case OP_LENGTH: put(w, "r%d = (unsigned)strlen(%s.s); B;", s->r, to.text); break;
    case OP_STRCPY:
        if (s->other >= 0)
            put(w, "strcpy(%s.s, %s.s); B;", to.text, drawn_place(s->other).text);
        else
            put(w, "strcpy(%s.s, \"%s\"); B;", to.text, words[s->k]);
        break;
    case OP_STRCAT: put(w, "strcat(%s.s, \"%s\"); B;", to.text, words[s->k]); break;
    case OP_STRCMP:
        put(w, "r%d = strcmp(%s.s, %s.s) > 0; B;", s->r, to.text, drawn_place(s->other).text);
        break;
    case OP_MEMCMP:
        put(w, "r%d = memcmp(%s.s, %s.s, %d) > 0; B;", s->r, to.text, drawn_place(s->other).text, s->n);
        break;
    default:
        needs(w, FEATURE_format);
        put(w, "snprintf(%s.s, 8, \"f%%u\", r%d %% 10); B;", to.text, s->source);
    }
}

static void put_memory(writer *w, const statement *s) {
    place at = drawn_place(s->place);
    switch (s->op) {
    case OP_STORE:
        put(w, "%s = %s; B;", at.text, value(s, at.kind == PLACE_FIELD ? 4 : at.size));
        break;
    case OP_LOAD: put(w, "r%d = (unsigned)%s; B;", s->r, at.text); break;
    case OP_ADD: put(w, "%s += %ld; B;", at.text, s->k); break;
    case OP_SET:
        needs(w, FEATURE_copies);
        put(w, "memset(&%s, %ld, %d); B;", at.text, s->k, s->n);
        break;
    case OP_COPY: put_copy(w, s); break;
    case OP_LENGTH:
    case OP_STRCPY:
    case OP_STRCAT:
    case OP_STRCMP:
    case OP_MEMCMP:
    case OP_FORMAT: put_string(w, s); break;
    default: put_atomic(w, s);
    }
}

static void put_list(writer *w, int first);

static void put_children(writer *w, const statement *s, operation end, const char *text) {
    w->indent++;
    put_list(w, s->child);
    if (text) {
        code(w, end, s);
        put(w, text, s->place);
    }
    w->indent--;
}

/* A lock that is always got: lock, children, unlock. */
static void put_locked(writer *w, const statement *s) {
    bool mutex = s->op == OP_LOCKED;
    needs(w, mutex ? FEATURE_mutex : FEATURE_rwlock);
    if (mutex && w->p->kinds[s->place] == MUTEX_RECURSIVE)
        needs(w, FEATURE_recursive);
    code(w, s->op, s);
    if (mutex)
        put(w, "pthread_mutex_lock(&m%d); B;", s->place);
    else
        put(w, "pthread_rwlock_%slock(&w%d); B;", s->op == OP_READ_LOCKED ? "rd" : "wr", s->place);
    put_children(w, s, mutex ? OP_UNLOCK : OP_RW_UNLOCK,
                 mutex ? "pthread_mutex_unlock(&m%d); B;" : "pthread_rwlock_unlock(&w%d); B;");
}

static void put_tried(writer *w, const statement *s) {
    static const char *const mutex_forms[] = {"trylock(&m%d)", "timedlock(&m%d, &late)", "lock(&m%d)"};
    static const char *const rw_forms[] = {"try%slock(&w%d)", "timed%slock(&w%d, &late)"};
    bool mutex = s->op == OP_TRIED;
    char call[64];
    needs(w, mutex ? FEATURE_mutex : FEATURE_rwlock);
    needs(w, s->form == 1 ? FEATURE_timed : FEATURE_try);
    if (mutex && w->p->kinds[s->place] != MUTEX_NORMAL)
        needs(w, w->p->kinds[s->place] == MUTEX_RECURSIVE ? FEATURE_recursive : FEATURE_errorcheck);
    if (mutex)
        snprintf(call, sizeof call, mutex_forms[s->form], s->place);
    else
        snprintf(call, sizeof call, rw_forms[s->form], s->op == OP_READ_TRIED ? "rd" : "wr", s->place);
    instruction *i = code(w, s->op, s);
    put(w, "r%d = pthread_%s_%s == 0; B;", s->r, mutex ? "mutex" : "rwlock", call);
    put(w, "if (r%d) {", s->r);
    put_children(w, s, mutex ? OP_UNLOCK : OP_RW_UNLOCK,
                 mutex ? "pthread_mutex_unlock(&m%d); B;" : "pthread_rwlock_unlock(&w%d); B;");
    put(w, "}");
    i->jump = w->f->length;
}

static void put_condition(writer *w, const statement *s) {
    int c = s->place;
    needs(w, FEATURE_condition);
    if (s->op == OP_SIGNAL)
        put(w, "pthread_cond_signal(&c%d); B;", c);
    else if (s->op == OP_BROADCAST)
        put(w, "pthread_cond_broadcast(&c%d); B;", c);
    else if (s->op == OP_WAIT)
        put(w, "pthread_cond_wait(&c%d, &m0); B;", c);
    else if (s->op == OP_WAIT_TIMED) {
        needs(w, FEATURE_timed);
        put(w, "r%d = pthread_cond_timedwait(&c%d, &m0, &late) == 0; B;", s->r, c);
    } else {
        touches(w, s->other);
        put(w, "while (%s %s %ld) { pthread_cond_wait(&c%d, &m0); } B;", drawn_place(s->other).text,
            s->form ? "==" : "!=", s->k, c);
    }
}

static void put_counting(writer *w, const statement *s) {
    int n = s->place;
    switch (s->op) {
    case OP_POST: put(w, "sem_post(&s%d); B;", n); break;
    case OP_TAKE: put(w, "sem_wait(&s%d); B;", n); break;
    case OP_TRY_TAKE:
        needs(w, s->form ? FEATURE_timed : FEATURE_try);
        put(w, "r%d = sem_%swait(&s%d%s) == 0; B;", s->r, s->form ? "timed" : "try", n,
            s->form ? ", &late" : "");
        break;
    case OP_UNITS: put(w, "{ int units; sem_getvalue(&s%d, &units); r%d = units; } B;", n, s->r); break;
    default: needs(w, FEATURE_barrier); put(w, "pthread_barrier_wait(&b0); B;"); return;
    }
    needs(w, FEATURE_semaphore);
}

static void put_thread(writer *w, const statement *s) {
    int t = s->place;
    if (s->op == OP_CREATE) {
        put(w, "pthread_create(&T[%d], NULL, thread%d, NULL); B;", t, t);
    } else if (s->op == OP_DETACH) {
        needs(w, FEATURE_detached);
        put(w, "pthread_detach(T[%d]); B;", t);
    } else if (w->p->result[t] == 0) {
        put(w, "pthread_join(T[%d], NULL); B;", t);
    } else {
        needs(w, FEATURE_results);
        put(w, "{ void *got; pthread_join(T[%d], &got); r%d = %s; } B;", t, s->r,
            w->p->result[t] == 1 ? "(unsigned)(uintptr_t)got" : "*(unsigned *)got; free(got)");
    }
}

static void put_other(writer *w, const statement *s) {
    switch (s->op) {
    case OP_ASSERT:
        needs(w, FEATURE_assertion);
        put(w, "assert(r%d %s %ld);", s->source, s->form ? "==" : "!=", s->k);
        break;
    case OP_PRINT:
        needs(w, FEATURE_print);
        put(w, "printf(\"%c%%u\\n\", r%d); B;", 'a' + (int)s->k, s->source);
        break;
    case OP_LOG:
        needs(w, FEATURE_stdio);
        if (s->form)
            put(w, "fprintf(L, \"%c%%u\", r%d %% 10); B;", 'a' + (int)s->k, s->source);
        else
            put(w, "fputc('%c', L); B;", 'a' + (int)s->k);
        break;
    case OP_NEXT: needs(w, FEATURE_library); put(w, "r%d = lib_next(); B;", s->r); break;
    case OP_NOTE:
        needs(w, FEATURE_library);
        put(w, "lib_note('%c'); B;", 'a' + (int)s->k);
        break;
    case OP_LOCAL:
        needs(w, FEATURE_tls);
        put(w, "tl += %ld; r%d = tl; B;", s->k, s->r);
        break;
    case OP_BLOCK:
        needs(w, FEATURE_heap);
        put(w, "{ unsigned *own = malloc(8); own[1] = r%d + %ldu; r%d = own[1]; free(own); } B;",
            s->source, s->k, s->r);
        break;
    case OP_COUNTED: needs(w, FEATURE_statics); put(w, "r%d = counted(); B;", s->r); break;
    case OP_ONCE: needs(w, FEATURE_once); put(w, "pthread_once(&o%d, once%d); B;", s->place, s->place); break;
    case OP_UNLOCK_ALIEN: put(w, "r%d = pthread_mutex_unlock(&m%d) == 0; B;", s->r, s->place); break;
    default: needs(w, FEATURE_exit); put(w, "exit(%ld);", s->k);
    }
}

static void put_statement(writer *w, const statement *s) {
    switch (s->op) {
    case OP_LOCKED:
    case OP_READ_LOCKED:
    case OP_WRITE_LOCKED: put_locked(w, s); return;
    case OP_TRIED:
    case OP_READ_TRIED:
    case OP_WRITE_TRIED: put_tried(w, s); return;
    case OP_IF: {
        needs(w, FEATURE_branch);
        instruction *i = code(w, OP_IF, s);
        put(w, "if (r%d %s %ld) {", s->source, s->form ? "==" : "!=", s->k);
        put_children(w, s, OP_IF, NULL);
        put(w, "}");
        i->jump = w->f->length;
        return;
    }
    default: break;
    }
    code(w, s->op, s);
    if (s->op <= OP_FORMAT) {
        touches(w, s->place);
        if (s->op == OP_COPY || s->op == OP_STRCMP || s->op == OP_MEMCMP ||
            (s->op == OP_STRCPY && s->other >= 0))
            touches(w, s->other);
        put_memory(w, s);
    } else if (s->op >= OP_WAIT && s->op <= OP_BROADCAST) {
        put_condition(w, s);
    } else if (s->op >= OP_POST && s->op <= OP_BARRIER) {
        put_counting(w, s);
    } else if (s->op >= OP_CREATE && s->op <= OP_DETACH) {
        put_thread(w, s);
    } else {
        put_other(w, s);
    }
}

static void put_list(writer *w, int first) {
    for (int i = first; i >= 0; i = w->p->statements[i].next)
        put_statement(w, &w->p->statements[i]);
}

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
    case PLACE_UNION: return at.size == 8 && overlaps_used(p, number);
    case PLACE_SCALAR:
    case PLACE_HEAP:
    case PLACE_FIELD: return overlaps_used(p, number);
    case PLACE_SLOT: return number < drawn_place_count && overlaps_used(p, number);
    default: return false;
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
    *s = (statement){.op = op, .id = -1, .place = number, .r = -1, .source = -1, .child = -1, .next = -1};
    return s;
}

static void put_slots(writer *w, int thread, int set) {
    for (int r = 0; r < DRAWN_REGISTERS; r++) {
        if (!(set >> r & 1))
            continue;
        statement *s = extra(w->p, OP_STORE, drawn_slot(thread, r));
        s->source = r;
        code(w, OP_STORE, s);
        put(w, "O[%d][%d] = r%d; B;", thread, r, r);
    }
}

static void open_function(writer *w, int number, const char *head) {
    w->f = &w->p->functions[number];
    w->f->length = 0;
    w->f->used = true;
    put(w, "%s {", head);
    w->indent = 1;
    put(w, "unsigned r0 = 0, r1 = 0, r2 = 0; (void)r0; (void)r1; (void)r2;");
}

static void close_function(writer *w, const char *result) {
    code(w, OP_RETURN, NULL);
    put(w, "%s", result);
    w->indent = 0;
    put(w, "}");
}

static void put_body(writer *w, int t) {
    char head[48];
    snprintf(head, sizeof head, "static void *thread%d(void *unused)", t);
    open_function(w, t, head);
    put(w, "(void)unused;");
    put_list(w, w->f->first);
    put_slots(w, t, registers_set(w->p, w->f->first));
    if (w->p->result[t] == 2) {
        put(w, "unsigned *block = malloc(4); *block = r0;");
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
        put_list(w, w->f->first);
        close_function(w, "return;");
    }
    for (int i = 0; i < p->handlers; i++) {
        char head[48];
        if (p->functions[DRAWN_HANDLER + i].first < 0)
            continue;
        snprintf(head, sizeof head, "static void handler%d(void)", i);
        open_function(w, DRAWN_HANDLER + i, head);
        put_list(w, w->f->first);
        close_function(w, "return;");
    }
    if (!calls(p, OP_COUNTED, -1))
        return;
    open_function(w, DRAWN_COUNTED, "static unsigned counted(void)");
    put(w, "static unsigned n;");
    statement *add = extra(p, OP_ADD, 0), *load = extra(p, OP_LOAD, 0);
    for (int i = 0; i < drawn_place_count; i++)
        if (drawn_places[i].kind == PLACE_STATIC)
            add->place = load->place = i;
    add->k = 1;
    load->r = 0;
    code(w, OP_ADD, add);
    put(w, "n += 1; B;");
    code(w, OP_LOAD, load);
    put(w, "r0 = n; B;");
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
    {-1, "/* Every statement stays, in its place and with its own line. */"},
    {-1, "#define B __asm__ volatile(\"# %0\" : : \"i\"(__LINE__), \"r\"(r0), \"r\"(r1), \"r\"(r2) : \"memory\")"},
    {FEATURE_unaligned, "struct packed2 { uint16_t x; } __attribute__((packed));"},
    {FEATURE_unaligned, "struct packed4 { uint32_t x; } __attribute__((packed));"},
    {FEATURE_unaligned, "struct packed8 { uint64_t x; } __attribute__((packed));"},
    {-1, "union { uint8_t b[16]; uint16_t h[8]; uint32_t w[4]; uint64_t q[2]; } U;"},
    {-1, "uint64_t x2; uint8_t x3; uint16_t x4;"},
    {FEATURE_bitfield, "struct { unsigned char a : 3, b : 5; unsigned char c : 4, d : 4; } F;"},
    {-1, "union { char s[16]; uint64_t q[2]; } S0, S1;"},
    {-1, "struct wide { uint32_t a, b, c; } d0, d1;"},
    {-1, "struct narrow { uint32_t a; } e0, e1;"},
    {-1, "uint32_t *P, O[5][3];"},
    {-1, "pthread_t T[5];"},
    {FEATURE_rwlock, "pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;"},
    {FEATURE_condition, "pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;"},
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
    put(w, "/* seed %llu, attempt %d */", (unsigned long long)p->seed, p->attempt);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        if (head[i].feature < 0 || p->has[head[i].feature])
            put(w, "%s", head[i].text);
    put(w, "uint32_t x0 = %d, x1 = %d;", p->initial[0], p->initial[1]);
    for (int i = 0; i < DRAWN_MUTEXES; i++)
        put(w, "pthread_mutex_t m%d = PTHREAD_%sMUTEX_INITIALIZER%s;", i, kind[p->kinds[i]],
            p->kinds[i] ? "_NP" : "");
}

static void put_last(writer *w, int number, char *format, char *arguments, int *count) {
    place at = drawn_place(number);
    code(w, OP_FINAL, extra(w->p, OP_FINAL, number));
    put(w, "uint64_t v%d = %s; B;", *count, at.text);
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
            sprintf(format + strlen(format), "%%x "), sprintf(arguments + strlen(arguments), ", r%d", r);
    if (p->has[FEATURE_stdio]) {
        put(w, "fclose(L);");
        strcat(format, "%s "), strcat(arguments, ", log_text");
    }
    if (p->has[FEATURE_library])
        strcat(format, "%s "), strcat(arguments, ", lib_text()");
    if (*format) {
        code(w, OP_LAST_LINE, NULL);
        put(w, "printf(\"%s\\n\"%s);", format, arguments);
    }
}

/* Once more than one pass: what main starts with depends on what others use. */
static void put_main(writer *w) {
    program *p = w->p;
    open_function(w, 0, "int main(void)");
    for (int i = 0; i < DRAWN_SEMAPHORES && p->has[FEATURE_semaphore]; i++)
        put(w, "sem_init(&s%d, 0, %d);", i, p->units[i]);
    if (p->has[FEATURE_barrier])
        put(w, "pthread_barrier_init(&b0, NULL, %d);", p->party);
    if (p->has[FEATURE_heap])
        put(w, "P = calloc(2, 4);");
    if (p->has[FEATURE_stdio])
        put(w, "L = open_memstream(&log_text, &log_size);");
    for (int i = 0; i < p->handlers; i++) {
        if (!p->functions[DRAWN_HANDLER + i].used)
            continue;
        needs(w, FEATURE_handlers);
        put(w, "atexit(handler%d);", i);
    }
    put_list(w, w->f->first);
    if (p->main_ends) {
        needs(w, FEATURE_mainends);
        code(w, OP_MAIN_ENDS, NULL);
        put(w, "pthread_exit(NULL);");
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
