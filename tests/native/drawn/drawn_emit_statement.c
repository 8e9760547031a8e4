/* A statement of a drawn program as C and as code: see drawn_emit.h. */
#include "drawn_emit.h"

#include <stdarg.h>

void emit_line(writer *w, const char *format, ...) {
    w->line++;
    if (!w->file)
        return;
    va_list list;
    va_start(list, format);
    for (int i = 0; i < w->indent; i++)
        fputs("    ", w->file);
    if (w->before)
        fprintf(w->file, "%s ", w->before);
    vfprintf(w->file, format, list);
    if (w->before)
        fputs(" } } B;", w->file);
    fputc('\n', w->file);
    va_end(list);
}

/* The next line is an instruction. */
instruction *emit_code(writer *w, operation op, const statement *s) {
    instruction *i = &w->f->code[w->f->length++];
    *i = (instruction){.line = w->line + 1, .op = op, .s = s, .jump = -1};
    return i;
}

void emit_needs(writer *w, feature f) {
    w->p->has[f] = true;
}

void emit_touches(writer *w, int number) {
    static const feature of[] = {
        [PLACE_UNION] = FEATURE_overlap,  [PLACE_PACKED] = FEATURE_unaligned,
        [PLACE_FIELD] = FEATURE_bitfield, [PLACE_HEAP] = FEATURE_heap,
        [PLACE_STRING] = FEATURE_strings, [PLACE_STRUCT] = FEATURE_structs,
        [PLACE_BLOCK] = FEATURE_frees,
    };
    place at = drawn_place(number);
    if (number < drawn_place_count)
        w->p->place_used[number] = true;
    if (at.kind == PLACE_UNION || at.kind == PLACE_PACKED || at.kind == PLACE_FIELD ||
        at.kind == PLACE_HEAP || at.kind == PLACE_STRING || at.kind == PLACE_STRUCT ||
        at.kind == PLACE_BLOCK)
        emit_needs(w, of[at.kind]);
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

memory_order drawn_order(const statement *s) {
    bool loads = s->op != OP_ASTORE, stores = s->op != OP_ALOAD;
    switch (s->form) {
    case 0:
        return s->op == OP_FENCE ? SEQ_CST : RELAXED;
    case 1:
        return SEQ_CST;
    case 2:
        return loads && stores ? ACQ_REL : loads ? ACQUIRE : RELEASE;
    case 3:
        return loads ? ACQUIRE : RELEASE;
    default:
        return stores ? RELEASE : ACQUIRE;
    }
}

static const char *order(const statement *s) {
    static const char *const names[] = {"__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE",
                                        "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};
    return names[drawn_order(s)];
}

static void put_atomic(writer *w, const statement *s) {
    place at = drawn_place(s->place);
    emit_needs(w, FEATURE_atomic);
    if (w->p->ordered)
        emit_needs(w, FEATURE_orders);
    switch (s->op) {
    case OP_ALOAD:
        emit_line(w, "r%d = (unsigned)__atomic_load_n(&%s, %s); B;", s->r, at.text, order(s));
        break;
    case OP_ASTORE:
        emit_line(w, "__atomic_store_n(&%s, %s, %s); B;", at.text, value(s, at.size), order(s));
        break;
    case OP_AADD:
        emit_line(w, "r%d = (unsigned)__atomic_fetch_add(&%s, %ld, %s); B;", s->r, at.text, s->k,
                  order(s));
        break;
    case OP_AEXCHANGE:
        emit_line(w, "r%d = (unsigned)__atomic_exchange_n(&%s, %s, %s); B;", s->r, at.text,
                  value(s, at.size), order(s));
        break;
    default:
        emit_line(w,
                  "{ %s e = %ld; r%d = __atomic_compare_exchange_n(&%s, &e, %ld, 0, %s, "
                  "__ATOMIC_RELAXED); } B;",
                  type_of(at.size), s->k, s->r, at.text, s->k2, order(s));
    }
}

static void put_copy(writer *w, const statement *s) {
    place to = drawn_place(s->place), from = drawn_place(s->other);
    if (s->form == 2) {
        emit_line(w, "%s = %s; B;", to.text, from.text);
    } else {
        emit_needs(w, FEATURE_copies);
        emit_line(w, "%s(&%s, &%s, %d); B;", s->form ? "memmove" : "memcpy", to.text, from.text,
                  s->n);
    }
}

static void put_string(writer *w, const statement *s) {
    place to = drawn_place(s->place);
    static const char *const words[] = {"", "p", "qr", "stu"};
    switch (s->op) {
    case OP_LENGTH:
        emit_line(w, "r%d = (unsigned)strlen(%s.s); B;", s->r, to.text);
        break;
    case OP_STRCPY:
        if (s->other >= 0)
            emit_line(w, "strcpy(%s.s, %s.s); B;", to.text, drawn_place(s->other).text);
        else
            emit_line(w, "strcpy(%s.s, \"%s\"); B;", to.text, words[s->k]);
        break;
    case OP_STRCAT:
        emit_line(w, "strcat(%s.s, \"%s\"); B;", to.text, words[s->k]);
        break;
    case OP_STRCMP:
        emit_line(w, "r%d = strcmp(%s.s, %s.s) > 0; B;", s->r, to.text, drawn_place(s->other).text);
        break;
    case OP_MEMCMP:
        emit_line(w, "r%d = memcmp(%s.s, %s.s, %d) > 0; B;", s->r, to.text,
                  drawn_place(s->other).text, s->n);
        break;
    default:
        emit_needs(w, FEATURE_format);
        emit_line(w, "snprintf(%s.s, 8, \"f%%u\", r%d %% 10); B;", to.text, s->source);
    }
}

static void put_memory(writer *w, const statement *s) {
    place at = drawn_place(s->place);
    switch (s->op) {
    case OP_STORE:
        emit_line(w, "%s = %s; B;", at.text, value(s, at.kind == PLACE_FIELD ? 4 : at.size));
        break;
    case OP_LOAD:
        emit_line(w, "r%d = (unsigned)%s; B;", s->r, at.text);
        break;
    case OP_ADD:
        emit_line(w, "%s += %ld; B;", at.text, s->k);
        break;
    case OP_SET:
        emit_needs(w, FEATURE_copies);
        emit_line(w, "memset(&%s, %ld, %d); B;", at.text, s->k, s->n);
        break;
    case OP_COPY:
        put_copy(w, s);
        break;
    case OP_LENGTH:
    case OP_STRCPY:
    case OP_STRCAT:
    case OP_STRCMP:
    case OP_MEMCMP:
    case OP_FORMAT:
        put_string(w, s);
        break;
    default:
        put_atomic(w, s);
    }
}

static void put_children(writer *w, const statement *s, operation end, const char *text) {
    w->indent++;
    emit_list(w, s->child);
    if (text) {
        emit_code(w, end, s);
        emit_line(w, text, s->place);
    }
    w->indent--;
}

/* A lock that is always got: lock, children, unlock. */
static void put_locked(writer *w, const statement *s) {
    bool mutex = s->op == OP_LOCKED;
    emit_needs(w, mutex ? FEATURE_mutex : FEATURE_rwlock);
    if (mutex && w->p->kinds[s->place] == MUTEX_RECURSIVE)
        emit_needs(w, FEATURE_recursive);
    emit_code(w, s->op, s);
    if (mutex)
        emit_line(w, "pthread_mutex_lock(&m%d); B;", s->place);
    else
        emit_line(w, "pthread_rwlock_%slock(&w%d); B;", s->op == OP_READ_LOCKED ? "rd" : "wr",
                  s->place);
    put_children(w, s, mutex ? OP_UNLOCK : OP_RW_UNLOCK,
                 mutex ? "pthread_mutex_unlock(&m%d); B;" : "pthread_rwlock_unlock(&w%d); B;");
}

static void put_tried(writer *w, const statement *s) {
    static const char *const mutex_forms[] = {"trylock(&m%d)", "timedlock(&m%d, &late)",
                                              "lock(&m%d)"};
    static const char *const rw_forms[] = {"try%slock(&w%d)", "timed%slock(&w%d, &late)"};
    bool mutex = s->op == OP_TRIED;
    char call[64];
    emit_needs(w, mutex ? FEATURE_mutex : FEATURE_rwlock);
    emit_needs(w, s->form == 1 ? FEATURE_timed : FEATURE_try);
    if (mutex && w->p->kinds[s->place] != MUTEX_NORMAL)
        emit_needs(w, w->p->kinds[s->place] == MUTEX_RECURSIVE ? FEATURE_recursive
                                                               : FEATURE_errorcheck);
    if (mutex)
        snprintf(call, sizeof call, mutex_forms[s->form], s->place);
    else
        snprintf(call, sizeof call, rw_forms[s->form], s->op == OP_READ_TRIED ? "rd" : "wr",
                 s->place);
    instruction *i = emit_code(w, s->op, s);
    emit_line(w, "r%d = pthread_%s_%s == 0; B;", s->r, mutex ? "mutex" : "rwlock", call);
    emit_line(w, "if (r%d) {", s->r);
    put_children(w, s, mutex ? OP_UNLOCK : OP_RW_UNLOCK,
                 mutex ? "pthread_mutex_unlock(&m%d); B;" : "pthread_rwlock_unlock(&w%d); B;");
    emit_line(w, "}");
    i->jump = w->f->length;
}

static void put_condition(writer *w, const statement *s) {
    int c = s->place;
    emit_needs(w, FEATURE_condition);
    if (s->op == OP_SIGNAL)
        emit_line(w, "pthread_cond_signal(&c%d); B;", c);
    else if (s->op == OP_BROADCAST)
        emit_line(w, "pthread_cond_broadcast(&c%d); B;", c);
    else if (s->op == OP_WAIT)
        emit_line(w, "pthread_cond_wait(&c%d, &m0); B;", c);
    else if (s->op == OP_WAIT_TIMED) {
        emit_needs(w, FEATURE_timed);
        emit_line(w, "r%d = pthread_cond_timedwait(&c%d, &m0, &late) == 0; B;", s->r, c);
    } else {
        emit_touches(w, s->other);
        emit_line(w, "while (%s %s %ld) { pthread_cond_wait(&c%d, &m0); } B;",
                  drawn_place(s->other).text, s->form ? "==" : "!=", s->k, c);
    }
}

static void put_counting(writer *w, const statement *s) {
    int n = s->place;
    switch (s->op) {
    case OP_POST:
        emit_line(w, "sem_post(&s%d); B;", n);
        break;
    case OP_TAKE:
        emit_line(w, "sem_wait(&s%d); B;", n);
        break;
    case OP_TRY_TAKE:
        emit_needs(w, s->form ? FEATURE_timed : FEATURE_try);
        emit_line(w, "r%d = sem_%swait(&s%d%s) == 0; B;", s->r, s->form ? "timed" : "try", n,
                  s->form ? ", &late" : "");
        break;
    case OP_UNITS:
        emit_line(w, "{ int units; sem_getvalue(&s%d, &units); r%d = units; } B;", n, s->r);
        break;
    default:
        emit_needs(w, FEATURE_barrier);
        emit_line(w, "pthread_barrier_wait(&b0); B;");
        return;
    }
    emit_needs(w, FEATURE_semaphore);
}

static void put_thread(writer *w, const statement *s) {
    int t = s->place;
    if (s->op == OP_CREATE) {
        emit_line(w, "pthread_create(&T[%d], NULL, thread%d, NULL); B;", t, t);
    } else if (s->op == OP_DETACH) {
        emit_needs(w, FEATURE_detached);
        emit_line(w, "pthread_detach(T[%d]); B;", t);
    } else if (w->p->result[t] == 0) {
        emit_line(w, "pthread_join(T[%d], NULL); B;", t);
    } else {
        emit_needs(w, FEATURE_results);
        emit_line(w, "{ void *got; pthread_join(T[%d], &got); r%d = %s; } B;", t, s->r,
                  w->p->result[t] == 1 ? "(unsigned)(uintptr_t)got"
                                       : "*(unsigned *)got; free(got)");
    }
}

static void put_other(writer *w, const statement *s) {
    switch (s->op) {
    case OP_ASSERT:
        emit_needs(w, FEATURE_assertion);
        emit_line(w, "assert(r%d %s %ld);", s->source, s->form ? "==" : "!=", s->k);
        break;
    case OP_PRINT:
        emit_needs(w, FEATURE_print);
        emit_line(w, "printf(\"%c%%u\\n\", r%d); B;", 'a' + (int)s->k, s->source);
        break;
    case OP_LOG:
        emit_needs(w, FEATURE_stdio);
        if (s->form)
            emit_line(w, "fprintf(L, \"%c%%u\", r%d %% 10); B;", 'a' + (int)s->k, s->source);
        else
            emit_line(w, "fputc('%c', L); B;", 'a' + (int)s->k);
        break;
    case OP_NEXT:
        emit_needs(w, FEATURE_library);
        emit_line(w, "r%d = lib_next(); B;", s->r);
        break;
    case OP_NOTE:
        emit_needs(w, FEATURE_library);
        emit_line(w, "lib_note('%c'); B;", 'a' + (int)s->k);
        break;
    case OP_LOCAL:
        emit_needs(w, FEATURE_tls);
        emit_line(w, "tl += %ld; r%d = tl; B;", s->k, s->r);
        break;
    case OP_BLOCK:
        emit_needs(w, FEATURE_heap);
        emit_line(w,
                  "{ unsigned *own = malloc(8); own[1] = r%d + %ldu; r%d = own[1]; free(own); } B;",
                  s->source, s->k, s->r);
        break;
    case OP_COUNTED:
        emit_needs(w, FEATURE_statics);
        emit_line(w, "r%d = counted(); B;", s->r);
        break;
    case OP_ONCE:
        emit_needs(w, FEATURE_once);
        emit_line(w, "pthread_once(&o%d, once%d); B;", s->place, s->place);
        break;
    case OP_UNLOCK_ALIEN:
        emit_line(w, "r%d = pthread_mutex_unlock(&m%d) == 0; B;", s->r, s->place);
        break;
    case OP_CHOOSE:
        emit_needs(w, FEATURE_choose);
        if (s->form)
            emit_line(w, "r%d = __VERIFIER_nondet_bool(); B;", s->r);
        else
            emit_line(w, "r%d = (unsigned)heddle_choose(%ld, %ld); B;", s->r, s->k, s->k2);
        break;
    default:
        emit_needs(w, FEATURE_exit);
        emit_line(w, "exit(%ld);", s->k);
    }
}

/* How a statement starts that goes through the pointer, which is NULL if it has none; the rest is
 * on the same line. */
static const char *const through[] = {
    "{ uint32_t *q = Q; if (q) {",
    "{ uint32_t *q = __atomic_load_n(&Q, __ATOMIC_ACQUIRE); if (q) {",
    "{ uint32_t *q = __atomic_exchange_n(&Q, NULL, __ATOMIC_ACQ_REL); if (q) {",
};

static void put_use(writer *w, const statement *s) {
    emit_needs(w, FEATURE_frees);
    if (s->pointer != POINTER_PLAIN)
        emit_needs(w, FEATURE_atomic);
    instruction *i = emit_code(w, OP_POINT, s);
    bool clears = s->op == OP_FREE && s->form && s->pointer != POINTER_TAKEN;
    if (clears)
        emit_code(w, OP_CLEAR, s);
    emit_code(w, s->op, s);
    w->before = through[s->pointer];
    if (s->op == OP_FREE)
        emit_line(w, "%sfree(q); B;", clears ? "Q = NULL; " : "");
    else
        put_memory(w, s);
    w->before = NULL;
    i->jump = w->f->length;
}

static void put_make(writer *w, const statement *s) {
    emit_needs(w, FEATURE_frees);
    emit_code(w, OP_MAKE, s);
    const char *call = w->p->reuse ? "malloc(8)" : "calloc(2, 4)";
    if (w->p->reuse)
        emit_needs(w, FEATURE_reuse);
    if (s->pointer == POINTER_PLAIN) {
        emit_line(w, "Q = %s; B;", call);
        return;
    }
    emit_needs(w, FEATURE_atomic);
    emit_line(w, "__atomic_store_n(&Q, %s, __ATOMIC_RELEASE); B;", call);
}

static void put_statement(writer *w, const statement *s) {
    switch (s->op) {
    case OP_LOCKED:
    case OP_READ_LOCKED:
    case OP_WRITE_LOCKED:
        put_locked(w, s);
        return;
    case OP_TRIED:
    case OP_READ_TRIED:
    case OP_WRITE_TRIED:
        put_tried(w, s);
        return;
    case OP_IF: {
        emit_needs(w, FEATURE_branch);
        instruction *i = emit_code(w, OP_IF, s);
        emit_line(w, "if (r%d %s %ld) {", s->source, s->form ? "==" : "!=", s->k);
        put_children(w, s, OP_IF, NULL);
        emit_line(w, "}");
        i->jump = w->f->length;
        return;
    }
    case OP_SECTION:
        emit_needs(w, FEATURE_section);
        emit_code(w, OP_SECTION, s);
        emit_line(w, "__VERIFIER_atomic_begin(); B;");
        put_children(w, s, OP_SECTION_END, "__VERIFIER_atomic_end(); B;");
        return;
    case OP_MAKE:
        put_make(w, s);
        return;
    default:
        break;
    }
    if (s->op == OP_FREE || (s->op <= OP_FORMAT && drawn_place(s->place).kind == PLACE_BLOCK)) {
        put_use(w, s);
        return;
    }
    emit_code(w, s->op, s);
    if (s->op == OP_FENCE) {
        emit_line(w, "__atomic_thread_fence(%s); B;", order(s));
    } else if (s->op <= OP_FORMAT) {
        emit_touches(w, s->place);
        if (s->op == OP_COPY || s->op == OP_STRCMP || s->op == OP_MEMCMP ||
            (s->op == OP_STRCPY && s->other >= 0))
            emit_touches(w, s->other);
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

void emit_list(writer *w, int first) {
    for (int i = first; i >= 0; i = w->p->statements[i].next)
        put_statement(w, &w->p->statements[i]);
}
