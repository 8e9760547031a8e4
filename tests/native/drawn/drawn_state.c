/* What a thread of a drawn program does next: see drawn_state.h and the rules in drawn.h. */
#include "drawn_step.h"

#include <assert.h>
#include <string.h>

frame *state_top(state *s, int t) {
    return &s->threads[t].frames[s->threads[t].depth - 1];
}

const frame *state_top_of(const state *s, int t) {
    return &s->threads[t].frames[s->threads[t].depth - 1];
}

const instruction *state_next_of(const state *s, const program *p, int t) {
    const frame *f = state_top_of(s, t);
    return &p->functions[f->function].code[f->pc];
}

uint64_t state_get(const state *s, int at, int size) {
    uint64_t value = 0;
    memcpy(&value, s->memory + at, (size_t)size);
    return value;
}

void state_set(state *s, int at, int size, uint64_t value) {
    memcpy(s->memory + at, &value, (size_t)size);
}

uint64_t state_masked(uint64_t value, int size) {
    return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

uint64_t state_value_of(const frame *f, const statement *q) {
    return q->source >= 0 ? (uint64_t)(uint32_t)(f->r[q->source] + (uint32_t)q->k) : (uint64_t)q->k;
}

void state_push(state *s, int t, int function) {
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
            state_push(s, t, DRAWN_HANDLER + h->handlers_left);
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

void state_leave_function(state *s, const program *p, int t) {
    thread *h = &s->threads[t];
    frame f = *state_top(s, t);
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
            frame *caller = state_top(s, t);
            const instruction *i = &p->functions[caller->function].code[caller->pc - 1];
            caller->r[i->s->r] = f.r[0];
        }
    }
}

place state_place(const frame *f, int number) {
    place at = drawn_place(number);
    if (at.kind == PLACE_BLOCK)
        at.at += (f->block - 1) * DRAWN_BLOCK;
    return at;
}

static bool holds(const frame *f, const statement *q) {
    return q->form ? f->r[q->source] == (uint32_t)q->k : f->r[q->source] != (uint32_t)q->k;
}

/* A statement that nobody else can see; false if this is another. */
static bool do_private(state *s, const program *p, int t) {
    thread *h = &s->threads[t];
    frame *f = state_top(s, t);
    const instruction *i = state_next_of(s, p, t);
    const statement *q = i->s;
    switch (i->op) {
    case OP_IF:
        f->pc = (uint16_t)(holds(f, q) ? f->pc + 1 : i->jump);
        return true;
    case OP_ASSERT:
        if (!holds(f, q))
            return false;
        break;
    case OP_LOCAL:
        f->r[q->r] = h->local += (uint32_t)q->k;
        break;
    case OP_BLOCK:
        f->r[q->r] = f->r[q->source] + (uint32_t)q->k;
        break;
    case OP_UNLOCK_ALIEN:
        f->r[q->r] = 0;
        break;
    case OP_DETACH:
        break;
    case OP_COUNTED:
        f->pc++;
        state_push(s, t, DRAWN_COUNTED);
        return true;
    case OP_EXIT:
        start_exit(s, p, t, (int)q->k);
        return true;
    case OP_MAIN_ENDS:
        end_thread(s, p, t, 0);
        return true;
    case OP_RETURN:
        if (f->function >= DRAWN_ONCE && f->function < DRAWN_HANDLER)
            return false;
        state_leave_function(s, p, t);
        return true;
    default:
        return false;
    }
    f->pc++;
    return true;
}

void state_advance(state *s, const program *p, int t) {
    while (s->threads[t].life == LIFE_RUNNING && s->threads[t].depth && do_private(s, p, t)) {
    }
}

void state_start(state *s, const program *p) {
    memset(s, 0, sizeof *s);
    state_set(s, 16, 4, (uint64_t)p->initial[0]);
    state_set(s, 20, 4, (uint64_t)p->initial[1]);
    if (p->made)
        state_set(s, DRAWN_POINTER, 8, s->blocks = 1);
    for (int i = 0; i < DRAWN_SEMAPHORES; i++)
        s->units[i] = (uint8_t)p->units[i];
    s->threads[0].life = LIFE_RUNNING;
    state_push(s, 0, 0);
    state_advance(s, p, 0);
}

int state_line(const state *s, const program *p, int t) {
    return s->threads[t].depth ? state_next_of(s, p, t)->line : 0;
}

bool state_asserts(const state *s, const program *p, int t) {
    const thread *h = &s->threads[t];
    return h->life == LIFE_RUNNING && h->depth && state_next_of(s, p, t)->op == OP_ASSERT;
}

static bool uses_freed(const state *s, const program *p, int t) {
    const frame *f = state_top_of(s, t);
    const instruction *i = state_next_of(s, p, t);
    bool used = i->op == OP_FREE || (i->op <= OP_FORMAT && i->op != OP_FENCE &&
                                     drawn_place(i->s->place).kind == PLACE_BLOCK);
    return used && s->freed >> (f->block - 1) & 1;
}

bool state_fails(const state *s, const program *p, int t) {
    const thread *h = &s->threads[t];
    return state_asserts(s, p, t) || (h->life == LIFE_RUNNING && h->depth && uses_freed(s, p, t));
}

bool state_exits(const state *s, const program *p, int t) {
    (void)p;
    return s->threads[t].life == LIFE_RUNNING && s->threads[t].depth == 0;
}

bool state_mutex_free(const state *s, const program *p, int t, int m) {
    return s->owner[m] == 0 || (s->owner[m] == t + 1 && p->kinds[m] == MUTEX_RECURSIVE);
}

bool state_waits_for_itself(const state *s, const program *p) {
    for (int t = 0; t < p->threads; t++) {
        const thread *h = &s->threads[t];
        if (h->life != LIFE_RUNNING || !h->depth)
            continue;
        const instruction *i = state_next_of(s, p, t);
        if (i->op == OP_LOCKED && s->owner[i->s->place] == t + 1 &&
            !state_mutex_free(s, p, t, i->s->place))
            return true;
    }
    return false;
}

bool state_rw_free(const state *s, const program *p, bool write) {
    if (s->writer)
        return false;
    for (int i = 0; write && i < p->threads; i++)
        if (s->readers[i])
            return false;
    return true;
}

int state_waiters(const state *s, const program *p, int condition, int list[DRAWN_THREADS]) {
    int count = 0;
    for (int i = 0; i < p->threads; i++)
        if (s->threads[i].waits_for == condition + 1 && s->threads[i].woken == WOKEN_NOT)
            list[count++] = i;
    return count;
}

static int wait_choices(const state *s, int t, const instruction *i) {
    const thread *h = &s->threads[t];
    if (state_top_of(s, t)->phase < 2)
        return 1;
    if (h->woken == WOKEN_NOT)
        return i->op == OP_WAIT_TIMED; /* its time may be up */
    return s->owner[0] == 0;
}

/* Freed blocks that may be handed out again. */
static int reusable(const state *s, const program *p) {
    return p->reuse && s->others ? __builtin_popcount(s->freed) : 0;
}

int state_choices(const state *s, const program *p, int t) {
    int list[DRAWN_THREADS];
    const thread *h = &s->threads[t];
    if (h->life != LIFE_RUNNING || (s->section && s->section != t + 1))
        return 0;
    if (h->depth == 0)
        return 1;
    const instruction *i = state_next_of(s, p, t);
    const statement *q = i->s;
    switch (i->op) {
    case OP_CHOOSE:
        return (int)(q->k2 - q->k) + 1;
    case OP_LOCKED:
        return state_mutex_free(s, p, t, q->place);
    case OP_TRIED:
        /* A plain lock of a checking mutex waits, but not for the thread itself. */
        return q->form < 2 || state_mutex_free(s, p, t, q->place) || s->owner[q->place] == t + 1;
    case OP_READ_LOCKED:
        return state_rw_free(s, p, false);
    case OP_WRITE_LOCKED:
        return state_rw_free(s, p, true);
    case OP_WAIT:
    case OP_WAIT_UNTIL:
    case OP_WAIT_TIMED:
        return wait_choices(s, t, i);
    case OP_SIGNAL: {
        int count = state_waiters(s, p, q->place, list);
        return count ? count : 1;
    }
    case OP_TAKE:
        return s->units[q->place] > 0;
    case OP_BARRIER:
        return state_top_of(s, t)->phase == 0 || h->released;
    case OP_ONCE:
        return s->once[q->place] != 1;
    case OP_JOIN:
        return s->threads[q->place].life == LIFE_ENDED;
    case OP_MAKE:
        return 1 + (state_top_of(s, t)->phase == 0 ? reusable(s, p) : 0);
    default:
        return 1;
    }
}

int state_text_length(const state *s, int at) {
    return (int)strlen((const char *)s->memory + at);
}

const char *const state_words[] = {"", "p", "qr", "stu"};

/* How far strcmp has to look. */
int state_compared(const state *s, int a, int b) {
    int n = 0;
    while (s->memory[a + n] && s->memory[a + n] == s->memory[b + n])
        n++;
    return n + 1;
}

static int string_accesses(const state *s, const statement *q, int phase, access_range out[2]) {
    int at = drawn_place(q->place).at, other = q->other >= 0 ? drawn_place(q->other).at : 0, n;
    switch (q->op) {
    case OP_LENGTH:
        out[0] = (access_range){at, state_text_length(s, at) + 1, false, false, true};
        return 1;
    case OP_STRCPY:
        if (q->other >= 0 && phase == 0)
            out[0] = (access_range){other, state_text_length(s, other) + 1, false, false, true};
        else
            out[0] = (access_range){at, q->other >= 0 ? phase : (int)strlen(state_words[q->k]) + 1,
                                    true, false, true};
        return 1;
    case OP_STRCAT:
        if (phase == 0)
            out[0] = (access_range){at, state_text_length(s, at) + 1, false, false, true};
        else
            out[0] = (access_range){at + phase - 1, (int)strlen(state_words[q->k]) + 1, true, false,
                                    true};
        return 1;
    case OP_STRCMP:
    case OP_MEMCMP:
        n = q->op == OP_STRCMP ? state_compared(s, at, other) : q->n;
        out[0] = (access_range){at, n, false, false, true};
        out[1] = (access_range){other, n, false, false, true};
        return 2;
    default:
        out[0] = (access_range){at, 3, true, false, true};
        return 1;
    }
}

/* What is done to the pointer, and the free of a block. */
static int block_accesses(const program *p, const frame *f, const instruction *i,
                          access_range out[2]) {
    out[0] = (access_range){DRAWN_POINTER, 8, true, false, false};
    switch (i->op) {
    case OP_POINT:
        out[0].atomic = i->s->pointer != POINTER_PLAIN;
        out[0].write = i->s->pointer == POINTER_TAKEN;
        return 1;
    case OP_MAKE:
        out[0].atomic = i->s->pointer != POINTER_PLAIN;
        return !p->reuse || f->phase == 1;
    case OP_CLEAR:
        return 1;
    case OP_FREE:
        out[0] = (access_range){DRAWN_BLOCKS + (f->block - 1) * DRAWN_BLOCK, DRAWN_BLOCK, true,
                                false, false};
        return 1;
    default:
        return 0;
    }
}

int state_accesses(const state *s, const program *p, int t, access_range out[2]) {
    const thread *h = &s->threads[t];
    if (h->life != LIFE_RUNNING || h->depth == 0)
        return 0;
    const instruction *i = state_next_of(s, p, t);
    const statement *q = i->s;
    int phase = state_top_of(s, t)->phase;
    if (i->op == OP_WAIT_UNTIL) {
        place at = drawn_place(q->other);
        out[0] = (access_range){at.at, at.size, false, false, false};
        return phase == 0;
    }
    if (i->op >= OP_FREE && i->op != OP_FINAL)
        return block_accesses(p, state_top_of(s, t), i, out);
    if (i->op == OP_FENCE)
        return 0;
    place at = state_place(state_top_of(s, t), q->place);
    out[0] = (access_range){at.at, at.size, false, false, false};
    switch (i->op) {
    case OP_LOAD:
    case OP_FINAL:
        return 1;
    case OP_STORE:
        out[0].write = at.kind != PLACE_FIELD || phase == 1;
        return 1;
    case OP_ADD:
        out[0].write = phase == 1;
        return 1;
    case OP_ALOAD:
        out[0].atomic = true;
        return 1;
    case OP_ASTORE:
    case OP_AADD:
    case OP_AEXCHANGE:
        out[0].atomic = out[0].write = true;
        return 1;
    case OP_ACAS:
        out[0].atomic = true;
        out[0].write = state_get(s, at.at, at.size) == state_masked((uint64_t)q->k, at.size);
        return 1;
    case OP_SET:
        out[0] = (access_range){at.at, q->n, true, false, q->n > 8};
        return 1;
    case OP_COPY:
        if (phase == 0)
            at = drawn_place(q->other);
        out[0] = (access_range){at.at, q->n, phase == 1, false, q->n > 8};
        return 1;
    default:
        return string_accesses(s, q, phase, out);
    }
}

uint64_t state_hash(const void *bytes, size_t size, uint64_t seed) {
    const unsigned char *at = bytes;
    uint64_t h = seed;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    for (; size; at++, size--)
        h = (h ^ *at) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 29;
}
