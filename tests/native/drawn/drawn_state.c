/* One step of a thread of a drawn program: see drawn_state.h and the rules in drawn.h. */
#include "drawn_state.h"

#include <assert.h>
#include <string.h>

static frame *top(state *s, int t) {
    return &s->threads[t].frames[s->threads[t].depth - 1];
}

static const frame *top_of(const state *s, int t) {
    return &s->threads[t].frames[s->threads[t].depth - 1];
}

static const instruction *next_of(const state *s, const program *p, int t) {
    const frame *f = top_of(s, t);
    return &p->functions[f->function].code[f->pc];
}

static uint64_t get(const state *s, int at, int size) {
    uint64_t value = 0;
    memcpy(&value, s->memory + at, (size_t)size);
    return value;
}

static void set(state *s, int at, int size, uint64_t value) {
    memcpy(s->memory + at, &value, (size_t)size);
}

static uint64_t masked(uint64_t value, int size) {
    return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

static uint64_t value_of(const frame *f, const statement *q) {
    return q->source >= 0 ? (uint64_t)(uint32_t)(f->r[q->source] + (uint32_t)q->k) : (uint64_t)q->k;
}

static void push(state *s, int t, int function) {
    thread *h = &s->threads[t];
    assert(h->depth < FRAMES);
    h->frames[h->depth] = (frame){.function = (uint8_t)function};
    h->depth++;
}

/* The next handler, the last registered first. */
static void push_handler(state *s, const program *p, int t) {
    thread *h = &s->threads[t];
    while (h->handlers_left && h->depth == 0)
        if (p->functions[DRAWN_HANDLER + --h->handlers_left].used)
            push(s, t, DRAWN_HANDLER + h->handlers_left);
}

/* Starts to leave the process: handlers run. */
static void start_exit(state *s, const program *p, int t, int status) {
    thread *h = &s->threads[t];
    memset(h->frames, 0, sizeof h->frames);
    h->depth = 0;
    h->exiting = 1;
    h->status = (uint8_t)status;
    h->handlers_left = (uint8_t)p->handlers;
    push_handler(s, p, t);
}

bool state_all_ended(const state *s, const program *p) {
    for (int t = 0; t < p->threads; t++)
        if (s->threads[t].life == LIFE_RUNNING)
            return false;
    return true;
}

static void end_thread(state *s, const program *p, int t, uint32_t result) {
    thread *h = &s->threads[t];
    h->life = LIFE_ENDED;
    if (state_all_ended(s, p)) {
        h->life = LIFE_RUNNING;
        start_exit(s, p, t, 0);
        return;
    }
    memset(h->frames, 0, sizeof h->frames);
    h->depth = 0;
    h->result = result;
    h->local = 0;
}

static void leave_function(state *s, const program *p, int t) {
    thread *h = &s->threads[t];
    frame f = *top(s, t);
    if (h->depth == 1 && h->exiting) {
        memset(&h->frames[0], 0, sizeof h->frames[0]);
        h->depth = 0;
        push_handler(s, p, t);
    } else if (h->depth == 1 && t == 0) {
        start_exit(s, p, t, 0);
    } else if (h->depth == 1) {
        end_thread(s, p, t, p->result[t] ? f.r[0] : 0);
    } else {
        memset(&h->frames[h->depth - 1], 0, sizeof f);
        h->depth--;
        if (f.function == DRAWN_COUNTED) {
            frame *caller = top(s, t);
            const instruction *i = &p->functions[caller->function].code[caller->pc - 1];
            caller->r[i->s->r] = f.r[0];
        }
    }
}

static bool holds(const frame *f, const statement *q) {
    return q->form ? f->r[q->source] == (uint32_t)q->k : f->r[q->source] != (uint32_t)q->k;
}

/* A statement that nobody else can see; false if this is none. */
static bool do_private(state *s, const program *p, int t) {
    thread *h = &s->threads[t];
    frame *f = top(s, t);
    const instruction *i = next_of(s, p, t);
    const statement *q = i->s;
    switch (i->op) {
    case OP_IF: f->pc = (uint16_t)(holds(f, q) ? f->pc + 1 : i->jump); return true;
    case OP_ASSERT:
        if (!holds(f, q))
            return false;
        break;
    case OP_LOCAL: f->r[q->r] = h->local += (uint32_t)q->k; break;
    case OP_BLOCK: f->r[q->r] = f->r[q->source] + (uint32_t)q->k; break;
    case OP_UNLOCK_ALIEN: f->r[q->r] = 0; break;
    case OP_DETACH: break;
    case OP_COUNTED:
        f->pc++;
        push(s, t, DRAWN_COUNTED);
        return true;
    case OP_EXIT: start_exit(s, p, t, (int)q->k); return true;
    case OP_MAIN_ENDS: end_thread(s, p, t, 0); return true;
    case OP_RETURN:
        if (f->function >= DRAWN_ONCE && f->function < DRAWN_HANDLER)
            return false;
        leave_function(s, p, t);
        return true;
    default: return false;
    }
    f->pc++;
    return true;
}

static void advance(state *s, const program *p, int t) {
    while (s->threads[t].life == LIFE_RUNNING && s->threads[t].depth && do_private(s, p, t)) {
    }
}

void state_start(state *s, const program *p) {
    memset(s, 0, sizeof *s);
    set(s, 16, 4, (uint64_t)p->initial[0]);
    set(s, 20, 4, (uint64_t)p->initial[1]);
    for (int i = 0; i < DRAWN_SEMAPHORES; i++)
        s->units[i] = (uint8_t)p->units[i];
    s->threads[0].life = LIFE_RUNNING;
    push(s, 0, 0);
    advance(s, p, 0);
}

int state_line(const state *s, const program *p, int t) {
    return s->threads[t].depth ? next_of(s, p, t)->line : 0;
}

bool state_fails(const state *s, const program *p, int t) {
    const thread *h = &s->threads[t];
    return h->life == LIFE_RUNNING && h->depth && next_of(s, p, t)->op == OP_ASSERT;
}

bool state_exits(const state *s, const program *p, int t) {
    (void)p;
    return s->threads[t].life == LIFE_RUNNING && s->threads[t].depth == 0;
}

static bool mutex_free(const state *s, const program *p, int t, int m) {
    return s->owner[m] == 0 || (s->owner[m] == t + 1 && p->kinds[m] == MUTEX_RECURSIVE);
}

static bool rw_free(const state *s, const program *p, bool write) {
    if (s->writer)
        return false;
    for (int i = 0; write && i < p->threads; i++)
        if (s->readers[i])
            return false;
    return true;
}

static int waiters(const state *s, const program *p, int condition, int list[DRAWN_THREADS]) {
    int count = 0;
    for (int i = 0; i < p->threads; i++)
        if (s->threads[i].waits_for == condition + 1 && s->threads[i].woken == WOKEN_NOT)
            list[count++] = i;
    return count;
}

static int wait_choices(const state *s, int t, const instruction *i) {
    const thread *h = &s->threads[t];
    if (top_of(s, t)->phase < 2)
        return 1;
    if (h->woken == WOKEN_NOT)
        return i->op == OP_WAIT_TIMED; /* its time may be up */
    return s->owner[0] == 0;
}

int state_choices(const state *s, const program *p, int t) {
    int list[DRAWN_THREADS];
    const thread *h = &s->threads[t];
    if (h->life != LIFE_RUNNING)
        return 0;
    if (h->depth == 0)
        return 1;
    const instruction *i = next_of(s, p, t);
    const statement *q = i->s;
    switch (i->op) {
    case OP_LOCKED: return mutex_free(s, p, t, q->place);
    case OP_TRIED:
        /* A plain lock of a checking mutex waits, but not for the thread itself. */
        return q->form < 2 || mutex_free(s, p, t, q->place) || s->owner[q->place] == t + 1;
    case OP_READ_LOCKED: return rw_free(s, p, false);
    case OP_WRITE_LOCKED: return rw_free(s, p, true);
    case OP_WAIT:
    case OP_WAIT_UNTIL:
    case OP_WAIT_TIMED: return wait_choices(s, t, i);
    case OP_SIGNAL: {
        int count = waiters(s, p, q->place, list);
        return count ? count : 1;
    }
    case OP_TAKE: return s->units[q->place] > 0;
    case OP_BARRIER: return top_of(s, t)->phase == 0 || h->released;
    case OP_ONCE: return s->once[q->place] != 1;
    case OP_JOIN: return s->threads[q->place].life == LIFE_ENDED;
    default: return 1;
    }
}

static int text_length(const state *s, int at) {
    return (int)strlen((const char *)s->memory + at);
}

static const char *const words[] = {"", "p", "qr", "stu"};

/* How far strcmp has to look. */
static int compared(const state *s, int a, int b) {
    int n = 0;
    while (s->memory[a + n] && s->memory[a + n] == s->memory[b + n])
        n++;
    return n + 1;
}

static int string_accesses(const state *s, const statement *q, int phase, access_range out[2]) {
    int at = drawn_place(q->place).at, other = q->other >= 0 ? drawn_place(q->other).at : 0, n;
    switch (q->op) {
    case OP_LENGTH: out[0] = (access_range){at, text_length(s, at) + 1, false, false, true}; return 1;
    case OP_STRCPY:
        if (q->other >= 0 && phase == 0)
            out[0] = (access_range){other, text_length(s, other) + 1, false, false, true};
        else
            out[0] = (access_range){at, q->other >= 0 ? phase : (int)strlen(words[q->k]) + 1, true,
                                    false, true};
        return 1;
    case OP_STRCAT:
        if (phase == 0)
            out[0] = (access_range){at, text_length(s, at) + 1, false, false, true};
        else
            out[0] = (access_range){at + phase - 1, (int)strlen(words[q->k]) + 1, true, false, true};
        return 1;
    case OP_STRCMP:
    case OP_MEMCMP:
        n = q->op == OP_STRCMP ? compared(s, at, other) : q->n;
        out[0] = (access_range){at, n, false, false, true};
        out[1] = (access_range){other, n, false, false, true};
        return 2;
    default: out[0] = (access_range){at, 3, true, false, true}; return 1;
    }
}

int state_accesses(const state *s, const program *p, int t, access_range out[2]) {
    const thread *h = &s->threads[t];
    if (h->life != LIFE_RUNNING || h->depth == 0)
        return 0;
    const instruction *i = next_of(s, p, t);
    const statement *q = i->s;
    int phase = top_of(s, t)->phase;
    if (i->op == OP_WAIT_UNTIL) {
        place at = drawn_place(q->other);
        out[0] = (access_range){at.at, at.size, false, false, false};
        return phase == 0;
    }
    if (i->op > OP_FORMAT && i->op != OP_FINAL)
        return 0;
    place at = drawn_place(q->place);
    out[0] = (access_range){at.at, at.size, false, false, false};
    switch (i->op) {
    case OP_LOAD:
    case OP_FINAL: return 1;
    case OP_STORE: out[0].write = at.kind != PLACE_FIELD || phase == 1; return 1;
    case OP_ADD: out[0].write = phase == 1; return 1;
    case OP_ALOAD: out[0].atomic = true; return 1;
    case OP_ASTORE:
    case OP_AADD:
    case OP_AEXCHANGE: out[0].atomic = out[0].write = true; return 1;
    case OP_ACAS:
        out[0].atomic = true;
        out[0].write = get(s, at.at, at.size) == masked((uint64_t)q->k, at.size);
        return 1;
    case OP_SET: out[0] = (access_range){at.at, q->n, true, false, q->n > 8}; return 1;
    case OP_COPY:
        if (phase == 0)
            at = drawn_place(q->other);
        out[0] = (access_range){at.at, q->n, phase == 1, false, q->n > 8};
        return 1;
    default: return string_accesses(s, q, phase, out);
    }
}

static void done(frame *f) {
    f->phase = 0;
    memset(f->kept, 0, sizeof f->kept);
    f->pc++;
}

static void step_field(state *s, frame *f, const statement *q, place at) {
    uint8_t mask = (uint8_t)(((1u << at.bits) - 1) << at.shift);
    if (f->phase == 0) {
        f->kept[0] = s->memory[at.at];
        f->phase = 1;
        return;
    }
    s->memory[at.at] = (uint8_t)((f->kept[0] & ~mask) | ((value_of(f, q) << at.shift) & mask));
    done(f);
}

static uint64_t field_or_whole(const state *s, place at) {
    uint64_t value = get(s, at.at, at.size);
    return at.kind == PLACE_FIELD ? value >> at.shift & ((1u << at.bits) - 1) : value;
}

static void step_plain(state *s, frame *f, operation op, const statement *q) {
    place at = drawn_place(q->place);
    uint64_t seen;
    switch (op) {
    case OP_STORE:
        if (at.kind == PLACE_FIELD) {
            step_field(s, f, q, at);
            return;
        }
        set(s, at.at, at.size, value_of(f, q));
        break;
    case OP_LOAD: f->r[q->r] = (uint32_t)field_or_whole(s, at); break;
    case OP_ADD:
        if (f->phase == 0) {
            seen = get(s, at.at, at.size);
            memcpy(f->kept, &seen, 8);
            f->phase = 1;
            return;
        }
        memcpy(&seen, f->kept, 8);
        set(s, at.at, at.size, seen + (uint64_t)q->k);
        break;
    case OP_ALOAD: f->r[q->r] = (uint32_t)get(s, at.at, at.size); break;
    case OP_ASTORE: set(s, at.at, at.size, value_of(f, q)); break;
    case OP_AADD:
        seen = get(s, at.at, at.size);
        set(s, at.at, at.size, seen + (uint64_t)q->k);
        f->r[q->r] = (uint32_t)seen;
        break;
    case OP_AEXCHANGE:
        seen = get(s, at.at, at.size);
        set(s, at.at, at.size, value_of(f, q));
        f->r[q->r] = (uint32_t)seen;
        break;
    default: /* OP_ACAS */
        seen = get(s, at.at, at.size);
        f->r[q->r] = seen == masked((uint64_t)q->k, at.size);
        if (f->r[q->r])
            set(s, at.at, at.size, (uint64_t)q->k2);
    }
    done(f);
}

static void step_wide(state *s, frame *f, operation op, const statement *q) {
    int at = drawn_place(q->place).at, other = q->other >= 0 ? drawn_place(q->other).at : 0;
    int order;
    switch (op) {
    case OP_COPY:
        if (f->phase == 0) {
            memcpy(f->kept, s->memory + other, (size_t)q->n);
            f->phase = 1;
            return;
        }
        memcpy(s->memory + at, f->kept, (size_t)q->n);
        break;
    case OP_SET: memset(s->memory + at, (int)q->k, (size_t)q->n); break;
    case OP_LENGTH: f->r[q->r] = (uint32_t)text_length(s, at); break;
    case OP_STRCPY:
        if (q->other < 0) {
            memcpy(s->memory + at, words[q->k], strlen(words[q->k]) + 1);
        } else if (f->phase == 0) {
            f->phase = (uint8_t)(text_length(s, other) + 1);
            memcpy(f->kept, s->memory + other, f->phase);
            return;
        } else {
            memcpy(s->memory + at, f->kept, f->phase);
        }
        break;
    case OP_STRCAT:
        if (f->phase == 0) {
            f->phase = (uint8_t)(text_length(s, at) + 1);
            return;
        }
        memcpy(s->memory + at + f->phase - 1, words[q->k], strlen(words[q->k]) + 1);
        break;
    case OP_STRCMP:
    case OP_MEMCMP:
        order = memcmp(s->memory + at, s->memory + other,
                       (size_t)(op == OP_STRCMP ? compared(s, at, other) : q->n));
        f->r[q->r] = order > 0;
        break;
    default:
        s->memory[at] = 'f';
        s->memory[at + 1] = (uint8_t)('0' + f->r[q->source] % 10);
        s->memory[at + 2] = 0;
    }
    done(f);
}

static void take_mutex(state *s, int t, int m) {
    s->owner[m] = (uint8_t)(t + 1);
    s->depth[m]++;
}

static void drop_mutex(state *s, int m) {
    if (--s->depth[m] == 0)
        s->owner[m] = 0;
}

static void step_lock(state *s, const program *p, int t, frame *f, const instruction *i) {
    const statement *q = i->s;
    bool got;
    switch (i->op) {
    case OP_LOCKED: take_mutex(s, t, q->place); break;
    case OP_TRIED:
        got = mutex_free(s, p, t, q->place);
        f->r[q->r] = got;
        if (!got) {
            f->pc = (uint16_t)i->jump;
            return;
        }
        take_mutex(s, t, q->place);
        break;
    case OP_READ_LOCKED: s->readers[t]++; break;
    case OP_WRITE_LOCKED: s->writer = (uint8_t)(t + 1); break;
    case OP_READ_TRIED:
    case OP_WRITE_TRIED:
        got = rw_free(s, p, i->op == OP_WRITE_TRIED);
        f->r[q->r] = got;
        if (!got) {
            f->pc = (uint16_t)i->jump;
            return;
        }
        if (i->op == OP_WRITE_TRIED)
            s->writer = (uint8_t)(t + 1);
        else
            s->readers[t]++;
        break;
    case OP_UNLOCK: drop_mutex(s, q->place); break;
    default: /* OP_RW_UNLOCK */
        if (s->writer == t + 1)
            s->writer = 0;
        else
            s->readers[t]--;
    }
    done(f);
}

static void step_wait(state *s, int t, frame *f, const instruction *i) {
    thread *h = &s->threads[t];
    const statement *q = i->s;
    if (f->phase == 0 && i->op == OP_WAIT_UNTIL) {
        place at = drawn_place(q->other);
        bool waits = (get(s, at.at, at.size) == (uint64_t)q->k) == (q->form != 0);
        if (waits)
            f->phase = 1;
        else
            done(f);
    } else if (f->phase < 2) {
        drop_mutex(s, 0);
        h->waits_for = (uint8_t)(q->place + 1);
        h->woken = WOKEN_NOT;
        f->phase = 2;
    } else if (h->woken == WOKEN_NOT) {
        h->woken = WOKEN_BY_TIME;
    } else {
        take_mutex(s, t, 0);
        if (i->op == OP_WAIT_TIMED)
            f->r[q->r] = h->woken == WOKEN_BY_SIGNAL;
        h->waits_for = 0;
        h->woken = WOKEN_NOT;
        if (i->op == OP_WAIT_UNTIL)
            f->phase = 0;
        else
            done(f);
    }
}

static void step_notify(state *s, const program *p, frame *f, const instruction *i, int choice) {
    int list[DRAWN_THREADS], count = waiters(s, p, i->s->place, list);
    for (int k = 0; k < count; k++)
        if (i->op == OP_BROADCAST || k == choice)
            s->threads[list[k]].woken = WOKEN_BY_SIGNAL;
    done(f);
}

static void step_barrier(state *s, const program *p, int t, frame *f) {
    if (f->phase == 0) {
        if (++s->arrived < p->party) {
            f->phase = 1;
            return;
        }
        s->arrived = 0;
        for (int i = 0; i < p->threads; i++) {
            const thread *h = &s->threads[i];
            if (i != t && h->life == LIFE_RUNNING && h->depth && top_of(s, i)->phase == 1 &&
                next_of(s, p, i)->op == OP_BARRIER)
                s->threads[i].released = 1;
        }
    }
    s->threads[t].released = 0;
    done(f);
}

static void add_text(char *to, size_t size, const char *text) {
    assert(strlen(to) + strlen(text) < size);
    strcat(to, text);
}

static void print_last_line(state *s, const program *p, const frame *f) {
    char word[24];
    add_text(s->output, TEXT, s->last);
    memset(s->last, 0, sizeof s->last);
    int set_registers = 0;
    for (int i = 0; i < p->functions[0].length; i++)
        if (p->functions[0].code[i].s && p->functions[0].code[i].s->r >= 0)
            set_registers |= 1 << p->functions[0].code[i].s->r;
    for (int r = 0; r < DRAWN_REGISTERS; r++) {
        snprintf(word, sizeof word, "%x ", f->r[r]);
        if (set_registers >> r & 1)
            add_text(s->output, TEXT, word);
    }
    if (p->has[FEATURE_stdio])
        add_text(s->output, TEXT, s->log), add_text(s->output, TEXT, " ");
    if (p->has[FEATURE_library])
        add_text(s->output, TEXT, s->library_text), add_text(s->output, TEXT, " ");
    add_text(s->output, TEXT, "\n");
}

static void step_text(state *s, const program *p, frame *f, const instruction *i) {
    const statement *q = i->s;
    char word[32];
    switch (i->op) {
    case OP_PRINT:
        snprintf(word, sizeof word, "%c%u\n", 'a' + (int)q->k, f->r[q->source]);
        add_text(s->output, TEXT, word);
        break;
    case OP_LOG:
        if (q->form)
            snprintf(word, sizeof word, "%c%u", 'a' + (int)q->k, f->r[q->source] % 10);
        else
            snprintf(word, sizeof word, "%c", 'a' + (int)q->k);
        add_text(s->log, sizeof s->log, word);
        break;
    case OP_NEXT: f->r[q->r] = ++s->library_count; break;
    case OP_NOTE:
        snprintf(word, sizeof word, "%c", 'a' + (int)q->k);
        add_text(s->library_text, sizeof s->library_text, word);
        break;
    case OP_FINAL:
        snprintf(word, sizeof word, "%llx ", (unsigned long long)field_or_whole(s, drawn_place(q->place)));
        add_text(s->last, TEXT, word);
        break;
    default: print_last_line(s, p, f);
    }
    done(f);
}

static void step_other(state *s, const program *p, int t, frame *f, const instruction *i) {
    const statement *q = i->s;
    switch (i->op) {
    case OP_POST: s->units[q->place]++; break;
    case OP_TAKE: s->units[q->place]--; break;
    case OP_TRY_TAKE:
        f->r[q->r] = s->units[q->place] > 0;
        if (f->r[q->r])
            s->units[q->place]--;
        break;
    case OP_UNITS: f->r[q->r] = s->units[q->place]; break;
    case OP_ONCE:
        done(f);
        if (s->once[q->place] == 0) {
            s->once[q->place] = 1;
            push(s, t, DRAWN_ONCE + q->place);
        }
        return;
    case OP_RETURN: /* of a once function */
        s->once[f->function - DRAWN_ONCE] = 2;
        leave_function(s, p, t);
        return;
    case OP_CREATE:
        s->threads[q->place].life = LIFE_RUNNING;
        push(s, q->place, q->place);
        advance(s, p, q->place);
        break;
    default: /* OP_JOIN */
        assert(i->op == OP_JOIN);
        if (p->result[q->place])
            f->r[q->r] = s->threads[q->place].result;
    }
    done(f);
}

void state_step(state *s, const program *p, int t, int choice) {
    frame *f = top(s, t);
    const instruction *i = next_of(s, p, t);
    operation op = i->op;
    if (op <= OP_ACAS)
        step_plain(s, f, op, i->s);
    else if (op <= OP_FORMAT)
        step_wide(s, f, op, i->s);
    else if (op <= OP_WRITE_TRIED || op == OP_UNLOCK || op == OP_RW_UNLOCK)
        step_lock(s, p, t, f, i);
    else if (op == OP_SIGNAL || op == OP_BROADCAST)
        step_notify(s, p, f, i, choice);
    else if (op >= OP_WAIT && op <= OP_WAIT_TIMED)
        step_wait(s, t, f, i);
    else if (op == OP_BARRIER)
        step_barrier(s, p, t, f);
    else if (op == OP_PRINT || op == OP_LOG || op == OP_NEXT || op == OP_NOTE || op == OP_FINAL ||
             op == OP_LAST_LINE)
        step_text(s, p, f, i);
    else
        step_other(s, p, t, f, i);
    advance(s, p, t);
}
