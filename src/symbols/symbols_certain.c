/*
 * From a call that records an event all ways through its function are followed up to the next such
 * calls, with what may depend on values that were read (symbols_taint.h).  After a branch that
 * does, or an access that may fail because its address does, nothing is certain until the next
 * event.  If there is a way on which something happens that is not understood, such as a call of
 * another function, nothing follows that is certain, because the thread may come to an event by it.
 *
 * The compiler's call comes before the access that it announces, so what it reads is read after the
 * call.  All that is loaded from outside of the frame counts as read; of the frame, what a call
 * announces.  Other threads reach only variables whose address goes elsewhere, and compilers
 * announce every access to these.
 *
 * One function of a thread may run again within itself, so the events of two runs of it are only
 * told apart because the recording has where functions begin and end; hence functions that do not
 * tell are left out.
 */
#include "symbols_certain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "symbols_taint.h"

typedef hd_symbols_step step;
typedef hd_symbols_taint taint;

enum {
    MOST_OF_CALL = 16,     /* states of a call */
    MOST_OF_ALL = 1 << 18, /* states */
    MOST_NEXT = 1 << 21,   /* states that follow one, of all */
    MOST_PASSES = 1 << 26  /* steps, each time one is looked at, of all functions */
};

/* --- calls ---------------------------------------------------------------------------------- */

enum announces {
    NOTHING, /* not known */
    READ,
    WRITE,
    LOCK,    /* takes or gives back one */
    COMPARE, /* the second argument is what it compares, which it may write */
    OTHER,   /* another event, or the beginning or end of a function */
};

static bool is_one_of(const char *name, const char *const *all, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, all[i]) == 0)
            return true;
    return false;
}

/* "__tsan_read4", "__tsan_unaligned_write8", "__tsan_volatile_read2" */
static bool is_access(const char *name, const char *what, uint32_t *size) {
    static const char *const kinds[] = {"__tsan_", "__tsan_unaligned_", "__tsan_volatile_"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        const char *end = strncmp(name, kinds[i], length) == 0
                              ? hd_symbols_number_after(name + length, what, size)
                              : NULL;
        if (end && !*end)
            return true;
    }
    return false;
}

static enum announces announced_by(const char *name, uint32_t *size) {
    static const char *const locks[] = {"pthread_mutex_lock",
                                        "pthread_mutex_unlock",
                                        "pthread_rwlock_rdlock",
                                        "pthread_rwlock_wrlock",
                                        "pthread_rwlock_unlock",
                                        "pthread_spin_lock",
                                        "pthread_spin_unlock",
                                        "mtx_lock",
                                        "mtx_unlock"};
    static const char *const others[] = {
        "__tsan_func_exit", "pthread_create",         "pthread_join",         "sem_post",
        "sem_wait",         "pthread_cond_signal",    "pthread_cond_wait",    "thrd_create",
        "thrd_join",        "pthread_cond_broadcast", "pthread_barrier_wait", "__tsan_func_entry",
    };
    uint32_t bits;
    const char *rest;
    if (!name)
        return NOTHING;
    if (is_access(name, "read", size))
        return READ;
    if (is_access(name, "write", size))
        return WRITE;
    if (is_one_of(name, locks, sizeof locks / sizeof *locks))
        return LOCK;
    if (is_one_of(name, others, sizeof others / sizeof *others))
        return OTHER;
    if (!(rest = hd_symbols_number_after(name, "__tsan_atomic", &bits)) || *rest != '_')
        return NOTHING;
    *size = bits / 8;
    return strncmp(rest, "_compare_exchange", strlen("_compare_exchange")) == 0 ? COMPARE : OTHER;
}

/* --- a function ----------------------------------------------------------------------------- */

/* A call that records an event, and its states. */
typedef struct site {
    const step *call;
    const step *after;
    enum announces announces;
    uint32_t size;
    HD_VEC(uint32_t) states; /* in `states` */
} site;

typedef struct state {
    uint32_t site;
    taint taint;
} state;

typedef struct function {
    hd_symbols_frame frame;
    hd_symbols_certain *to;
    HD_VEC(site) sites;
    HD_VEC(state) states;
    uint32_t base;     /* number of the first in to->states */
    taint *at;         /* by step */
    uint32_t *reached; /* by step: the number of the state, + 1, from which it was */
    HD_VEC(uint32_t) todo;
    uint64_t *passes; /* of all functions */
    bool unknown;     /* a way from the state leads to what is not understood */
} function;

/* What the call leaves; false if it is not known what it reads. */
static bool pass_call(const function *f, const site *it, taint *t) {
    const hd_symbols_arch *arch = f->frame.image->arch;
    uint8_t where = arch->argument[it->announces == COMPARE];
    hd_symbols_value argument = it->call->before[where];
    bool reads = it->announces == READ || it->announces == COMPARE;
    t->registers &= ~arch->lost;
    t->registers |= UINT32_C(1) << arch->result[0] | UINT32_C(1) << arch->result[1];
    t->flags = false;
    t->vectors &= arch->keeps_vectors;
    if (!reads || !hd_symbols_may_be_in_frame(argument))
        return true;
    return argument.kind == HD_SYMBOLS_IN_FRAME &&
           hd_symbols_taint_frame(t, argument.number, it->size);
}

/* The state of the site with what may depend on reads there, a new one if there is none; false if
 * there is no room for it. */
static bool find_state(function *f, uint32_t number, const taint *t, uint32_t *found) {
    site *it = &f->sites.data[number];
    for (size_t i = 0; i < it->states.length; i++) {
        *found = it->states.data[i];
        if (memcmp(&f->states.data[*found].taint, t, sizeof *t) == 0)
            return true;
    }
    if (it->states.length == MOST_OF_CALL || f->to->states.length >= MOST_OF_ALL)
        return false;
    *found = (uint32_t)f->states.length;
    hd_vec_push(&it->states, *found);
    hd_vec_push(&f->states, (state){.site = number, .taint = *t});
    hd_vec_push(&f->to->states, (hd_symbols_certain_state){.code = it->after->address});
    return true;
}

static void come_to(function *f, uint32_t place, const taint *t, uint32_t from) {
    if (!place) {
        f->unknown = true;
        return;
    }
    uint32_t number = place - 1;
    bool news = f->reached[number] != from + 1;
    if (news)
        f->at[number] = *t;
    else
        news = hd_symbols_taint_join(&f->at[number], t);
    f->reached[number] = from + 1;
    if (news)
        hd_vec_push(&f->todo, number);
}

/* A step on the way from the state; calls end it. */
static void pass(function *f, uint32_t number, uint32_t from) {
    const step *p = &f->frame.steps.data[number];
    enum hd_symbols_flow flow = p->it.flow;
    taint t = f->at[number];
    uint32_t size;
    ++*f->passes;
    if (flow == HD_SYMBOLS_CALL) {
        f->unknown |= announced_by(p->name, &size) == NOTHING && p->callee != HD_SYMBOLS_LAST;
        return;
    }
    hd_symbols_taint_pass(&t, &f->frame, p);
    f->unknown |= t.lost || flow == HD_SYMBOLS_AWAY;
    if (f->unknown || flow == HD_SYMBOLS_RETURN || flow == HD_SYMBOLS_END ||
        flow == HD_SYMBOLS_TAIL)
        return;
    if (flow == HD_SYMBOLS_JUMP || flow == HD_SYMBOLS_BRANCH)
        come_to(f, p->off, &t, from);
    if (flow != HD_SYMBOLS_JUMP)
        come_to(f, p->on, &t, from);
}

/* The event of the call is certain where it was reached so. */
static bool is_certain(const function *f, const site *it, const taint *t) {
    bool may_be = it->announces == READ || it->announces == WRITE || it->announces == LOCK;
    return may_be && !t->decided && !(t->registers >> f->frame.image->arch->argument[0] & 1);
}

static void follow(function *f, uint32_t from) {
    const site *begin = &f->sites.data[f->states.data[from].site];
    hd_symbols_certain_state *made = &f->to->states.data[f->base + from];
    made->first = (uint32_t)f->to->next.length;
    f->unknown = false;
    hd_vec_clear(&f->todo);
    come_to(f, (uint32_t)(begin->after - f->frame.steps.data) + 1, &f->states.data[from].taint,
            from);
    while (f->todo.length && !f->unknown)
        pass(f, hd_vec_pop(&f->todo), from);
    for (uint32_t i = 0; i < f->sites.length && !f->unknown; i++) {
        const site *it = &f->sites.data[i];
        uint32_t number = (uint32_t)(it->call - f->frame.steps.data), to;
        if (f->reached[number] != from + 1 || !is_certain(f, it, &f->at[number]))
            continue;
        taint t = f->at[number];
        bool room = f->to->next.length < MOST_NEXT;
        if (room && pass_call(f, it, &t) && find_state(f, i, &t, &to))
            hd_vec_push(&f->to->next, f->base + to);
    }
    made = &f->to->states.data[f->base + from];
    made->count = (uint32_t)f->to->next.length - made->first;
}

/* --- sites ---------------------------------------------------------------------------------- */

/* The call that returns to the address; NULL: there is none that is known. */
static const step *call_before(const function *f, uint64_t code) {
    for (size_t i = 0; i < f->frame.steps.length; i++)
        if (f->frame.steps.data[i].it.flow == HD_SYMBOLS_CALL &&
            f->frame.steps.data[i].it.next == code)
            return &f->frame.steps.data[i];
    return NULL;
}

static void add_site(function *f, uint64_t code) {
    site it = {.call = call_before(f, code), .after = hd_symbols_frame_at(&f->frame, code)};
    if (!it.call || !it.after)
        return;
    it.announces = announced_by(it.call->name, &it.size);
    if (it.announces == NOTHING)
        return;
    taint t = {0};
    uint32_t first;
    hd_vec_push(&f->sites, it);
    if (pass_call(f, &it, &t))
        find_state(f, (uint32_t)f->sites.length - 1, &t, &first);
}

static bool tells_of_beginning(const function *f) {
    for (size_t i = 0; i < f->frame.steps.length; i++)
        if (f->frame.steps.data[i].name &&
            strcmp(f->frame.steps.data[i].name, "__tsan_func_entry") == 0)
            return true;
    return false;
}

static void look_at(function *f, const uint64_t *codes, size_t count) {
    if (!tells_of_beginning(f))
        return;
    f->base = (uint32_t)f->to->states.length;
    f->at = HD_NEW_ARRAY(taint, f->frame.steps.length);
    f->reached = HD_NEW_ARRAY(uint32_t, f->frame.steps.length);
    for (size_t i = 0; i < count; i++)
        add_site(f, codes[i]);
    for (uint32_t i = 0; i < f->states.length && *f->passes < MOST_PASSES; i++)
        follow(f, i);
}

static void release(function *f) {
    for (size_t i = 0; i < f->sites.length; i++)
        hd_vec_release(&f->sites.data[i].states);
    hd_vec_release(&f->sites);
    hd_vec_release(&f->states);
    hd_vec_release(&f->todo);
    hd_symbols_frame_release(&f->frame);
    free(f->at);
    free(f->reached);
}

/* --- all ------------------------------------------------------------------------------------ */

/* The codes of the first one's function. */
static size_t of_one_function(hd_symbols_image *image, const uint64_t *codes, size_t count,
                              uint64_t *start) {
    size_t same = 1;
    *start = hd_symbols_image_start(image, codes[0]);
    while (*start && same < count && hd_symbols_image_start(image, codes[same]) == *start)
        same++;
    return same;
}

static void find_in(hd_symbols_image *image, const uint64_t *codes, size_t count, uint64_t *passes,
                    hd_symbols_certain *to) {
    uint64_t start;
    for (size_t at = 0, same; at < count && !hd_stop_asked() && *passes < MOST_PASSES; at += same) {
        same = of_one_function(image, codes + at, count - at, &start);
        function f = {.to = to, .passes = passes};
        if (start && hd_symbols_frame_init(&f.frame, image, start))
            look_at(&f, codes + at, same);
        *passes += f.frame.steps.length;
        release(&f);
    }
}

static void find_in_module(Dwfl_Module *module, const uint64_t *codes, size_t count,
                           uint64_t *passes, hd_symbols_certain *to) {
    hd_symbols_image image;
    if (hd_symbols_image_init(&image, module))
        find_in(&image, codes, count, passes, to);
    hd_symbols_image_release(&image);
}

void hd_symbols_certain_find_in(Dwfl_Module *module, const uint64_t *codes, size_t count,
                                hd_symbols_certain *to) {
    uint64_t passes = 0;
    find_in_module(module, codes, count, &passes, to);
}

static void find(hd_symbols *symbols, const uint64_t *codes, size_t count, hd_symbols_certain *to) {
    uint64_t passes = 0;
    for (size_t at = 0, same; at < count; at += same) {
        Dwfl_Module *module = hd_symbols_module(symbols, codes[at]);
        for (same = 1; at + same < count && hd_symbols_module(symbols, codes[at + same]) == module;)
            same++;
        if (module)
            find_in_module(module, codes + at, same, &passes, to);
    }
}

const hd_symbols_certain *hd_symbols_certain_find(hd_symbols *symbols, const hd_vec_u64 *codes) {
    hd_symbols_certain **kept = hd_symbols_certain_of(symbols), *it = *kept;
    size_t count = codes->length;
    if (it && it->codes.length == count &&
        (!count || memcmp(it->codes.data, codes->data, count * sizeof *codes->data) == 0))
        return it;
    hd_symbols_certain_free(it);
    *kept = it = HD_NEW(hd_symbols_certain);
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&it->codes, codes->data[i]);
    find(symbols, codes->data, count, it);
    return it;
}

void hd_symbols_certain_release(hd_symbols_certain *certain) {
    hd_vec_release(&certain->states);
    hd_vec_release(&certain->next);
    hd_vec_release(&certain->codes);
}

void hd_symbols_certain_free(hd_symbols_certain *certain) {
    if (certain)
        hd_symbols_certain_release(certain);
    free(certain);
}
