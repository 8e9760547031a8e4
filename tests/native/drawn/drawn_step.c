/* One step of a thread of a drawn program: see drawn_state.h and the rules in drawn.h. */
#include "drawn_step.h"

#include <assert.h>
#include <string.h>

static void done(frame *f) {
    f->phase = 0;
    f->block = 0;
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
    s->memory[at.at] =
        (uint8_t)((f->kept[0] & ~mask) | ((state_value_of(f, q) << at.shift) & mask));
    done(f);
}

static uint64_t field_or_whole(const state *s, place at) {
    uint64_t value = state_get(s, at.at, at.size);
    return at.kind == PLACE_FIELD ? value >> at.shift & ((1u << at.bits) - 1) : value;
}

static void step_plain(state *s, frame *f, operation op, const statement *q) {
    place at = state_place(f, q->place);
    uint64_t seen;
    switch (op) {
    case OP_STORE:
        if (at.kind == PLACE_FIELD) {
            step_field(s, f, q, at);
            return;
        }
        state_set(s, at.at, at.size, state_value_of(f, q));
        break;
    case OP_LOAD:
        f->r[q->r] = (uint32_t)field_or_whole(s, at);
        break;
    case OP_ADD:
        if (f->phase == 0) {
            seen = state_get(s, at.at, at.size);
            memcpy(f->kept, &seen, 8);
            f->phase = 1;
            return;
        }
        memcpy(&seen, f->kept, 8);
        state_set(s, at.at, at.size, seen + (uint64_t)q->k);
        break;
    case OP_ALOAD:
        f->r[q->r] = (uint32_t)state_get(s, at.at, at.size);
        break;
    case OP_ASTORE:
        state_set(s, at.at, at.size, state_value_of(f, q));
        break;
    case OP_AADD:
        seen = state_get(s, at.at, at.size);
        state_set(s, at.at, at.size, seen + (uint64_t)q->k);
        f->r[q->r] = (uint32_t)seen;
        break;
    case OP_AEXCHANGE:
        seen = state_get(s, at.at, at.size);
        state_set(s, at.at, at.size, state_value_of(f, q));
        f->r[q->r] = (uint32_t)seen;
        break;
    case OP_FENCE:
        break;
    default: /* OP_ACAS */
        seen = state_get(s, at.at, at.size);
        f->r[q->r] = seen == state_masked((uint64_t)q->k, at.size);
        if (f->r[q->r])
            state_set(s, at.at, at.size, (uint64_t)q->k2);
    }
    done(f);
}

static void step_wide(state *s, frame *f, operation op, const statement *q) {
    int at = state_place(f, q->place).at, other = q->other >= 0 ? drawn_place(q->other).at : 0;
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
    case OP_SET:
        memset(s->memory + at, (int)q->k, (size_t)q->n);
        break;
    case OP_LENGTH:
        f->r[q->r] = (uint32_t)state_text_length(s, at);
        break;
    case OP_STRCPY:
        if (q->other < 0) {
            memcpy(s->memory + at, state_words[q->k], strlen(state_words[q->k]) + 1);
        } else if (f->phase == 0) {
            f->phase = (uint8_t)(state_text_length(s, other) + 1);
            memcpy(f->kept, s->memory + other, f->phase);
            return;
        } else {
            memcpy(s->memory + at, f->kept, f->phase);
        }
        break;
    case OP_STRCAT:
        if (f->phase == 0) {
            f->phase = (uint8_t)(state_text_length(s, at) + 1);
            return;
        }
        memcpy(s->memory + at + f->phase - 1, state_words[q->k], strlen(state_words[q->k]) + 1);
        break;
    case OP_STRCMP:
    case OP_MEMCMP:
        order = memcmp(s->memory + at, s->memory + other,
                       (size_t)(op == OP_STRCMP ? state_compared(s, at, other) : q->n));
        f->r[q->r] = order > 0;
        break;
    default:
        s->memory[at] = 'f';
        s->memory[at + 1] = (uint8_t)('0' + f->r[q->source] % 10);
        s->memory[at + 2] = 0;
    }
    done(f);
}

/* A new block, or one that was freed, by its number among these. */
static int get_block(state *s, int choice) {
    if (!choice) {
        assert(s->blocks < DRAWN_MOST_BLOCKS);
        return ++s->blocks;
    }
    int block = 0;
    while (!(s->freed >> block & 1) || --choice)
        block++;
    s->freed &= (uint8_t) ~(1 << block);
    return block + 1;
}

/* The pointer to the shared block, and its free. */
static void step_block(state *s, const program *p, frame *f, const instruction *i, int choice) {
    int block = f->block;
    switch (i->op) {
    case OP_POINT:
        block = (int)state_get(s, DRAWN_POINTER, 8);
        if (i->s->pointer == POINTER_TAKEN)
            state_set(s, DRAWN_POINTER, 8, 0);
        done(f);
        if (block)
            f->block = (uint8_t)block;
        else
            f->pc = (uint16_t)i->jump;
        return;
    case OP_CLEAR:
        state_set(s, DRAWN_POINTER, 8, 0);
        done(f);
        f->block = (uint8_t)block;
        return;
    case OP_MAKE:
        if (p->reuse && f->phase == 0) {
            f->block = (uint8_t)get_block(s, choice);
            f->phase = 1;
            return;
        }
        state_set(s, DRAWN_POINTER, 8, (uint64_t)(p->reuse ? block : get_block(s, 0)));
        break;
    default: /* OP_FREE */
        s->freed |= (uint8_t)(1 << (block - 1));
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
    case OP_LOCKED:
        take_mutex(s, t, q->place);
        break;
    case OP_TRIED:
        got = state_mutex_free(s, p, t, q->place);
        f->r[q->r] = got;
        if (!got) {
            f->pc = (uint16_t)i->jump;
            return;
        }
        take_mutex(s, t, q->place);
        break;
    case OP_READ_LOCKED:
        s->readers[t]++;
        break;
    case OP_WRITE_LOCKED:
        s->writer = (uint8_t)(t + 1);
        break;
    case OP_READ_TRIED:
    case OP_WRITE_TRIED:
        got = state_rw_free(s, p, i->op == OP_WRITE_TRIED);
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
    case OP_UNLOCK:
        drop_mutex(s, q->place);
        break;
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
        bool waits = (state_get(s, at.at, at.size) == (uint64_t)q->k) == (q->form != 0);
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
    int list[DRAWN_THREADS], count = state_waiters(s, p, i->s->place, list);
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
            if (i != t && h->life == LIFE_RUNNING && h->depth && state_top_of(s, i)->phase == 1 &&
                state_next_of(s, p, i)->op == OP_BARRIER)
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
    case OP_NEXT:
        f->r[q->r] = ++s->library_count;
        break;
    case OP_NOTE:
        snprintf(word, sizeof word, "%c", 'a' + (int)q->k);
        add_text(s->library_text, sizeof s->library_text, word);
        break;
    case OP_FINAL:
        snprintf(word, sizeof word, "%llx ",
                 (unsigned long long)field_or_whole(s, drawn_place(q->place)));
        add_text(s->last, TEXT, word);
        break;
    default:
        print_last_line(s, p, f);
    }
    done(f);
}

static void step_other(state *s, const program *p, int t, frame *f, const instruction *i) {
    const statement *q = i->s;
    switch (i->op) {
    case OP_POST:
        s->units[q->place]++;
        break;
    case OP_TAKE:
        s->units[q->place]--;
        break;
    case OP_TRY_TAKE:
        f->r[q->r] = s->units[q->place] > 0;
        if (f->r[q->r])
            s->units[q->place]--;
        break;
    case OP_UNITS:
        f->r[q->r] = s->units[q->place];
        break;
    case OP_SECTION:
        s->section = (uint8_t)(t + 1);
        break;
    case OP_SECTION_END:
        s->section = 0;
        break;
    case OP_ONCE:
        done(f);
        if (s->once[q->place] == 0) {
            s->once[q->place] = 1;
            state_push(s, t, DRAWN_ONCE + q->place);
        }
        return;
    case OP_RETURN: /* of a once function */
        s->once[f->function - DRAWN_ONCE] = 2;
        state_leave_function(s, p, t);
        return;
    case OP_CREATE:
        s->threads[q->place].life = LIFE_RUNNING;
        s->others++;
        state_push(s, q->place, q->place);
        state_advance(s, p, q->place);
        break;
    default: /* OP_JOIN */
        assert(i->op == OP_JOIN);
        s->others--;
        if (p->result[q->place])
            f->r[q->r] = s->threads[q->place].result;
    }
    done(f);
}

void state_step(state *s, const program *p, int t, int choice) {
    frame *f = state_top(s, t);
    const instruction *i = state_next_of(s, p, t);
    operation op = i->op;
    if (op <= OP_FENCE)
        step_plain(s, f, op, i->s);
    else if (op <= OP_FORMAT)
        step_wide(s, f, op, i->s);
    else if (op == OP_FREE || op == OP_MAKE || op == OP_POINT || op == OP_CLEAR)
        step_block(s, p, f, i, choice);
    else if (op <= OP_WRITE_TRIED || op == OP_UNLOCK || op == OP_RW_UNLOCK)
        step_lock(s, p, t, f, i);
    else if (op == OP_SIGNAL || op == OP_BROADCAST)
        step_notify(s, p, f, i, choice);
    else if (op >= OP_WAIT && op <= OP_WAIT_TIMED)
        step_wait(s, t, f, i);
    else if (op == OP_BARRIER)
        step_barrier(s, p, t, f);
    else if (op == OP_CHOOSE)
        f->r[i->s->r] = (uint32_t)(i->s->k + choice), done(f);
    else if (op == OP_PRINT || op == OP_LOG || op == OP_NEXT || op == OP_NOTE || op == OP_FINAL ||
             op == OP_LAST_LINE)
        step_text(s, p, f, i);
    else
        step_other(s, p, t, f, i);
    state_advance(s, p, t);
}
