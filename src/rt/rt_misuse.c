#include "rt_misuse.h"

#include "rt_explore.h"
#include "rt_foreign_table.h"
#include "rt_real.h"
#include "rt_string.h"

static const char *const names[HD_RT_SORTS] = {[HD_RT_A_MUTEX] = "a mutex",
                                               [HD_RT_A_RWLOCK] = "a read-write lock",
                                               [HD_RT_A_SPIN] = "a spin lock",
                                               [HD_RT_A_CONDITION] = "a condition variable",
                                               [HD_RT_A_BARRIER] = "a barrier",
                                               [HD_RT_A_SEMAPHORE] = "a semaphore",
                                               [HD_RT_A_ONCE] = "an initialisation",
                                               [HD_RT_A_LOCK] = "an annotated lock",
                                               [HD_RT_A_READ_LOCK] = "an annotated lock"};

enum { MOST_HOLDS = 512, MOST_MADE = 1024 };

typedef struct hold {
    uintptr_t object, with, code;
    uint32_t thread, sort;
} hold;

/* What is known in a run: in memory that is put back between runs like the program's own. */
static struct state {
    uint32_t holds;
    bool lost; /* there were more: what is not here may be held all the same */
    hold hold[MOST_HOLDS];

    /* Static objects that were initialised by a call, by hash, then the next free place; bit 0:
     * and not destroyed since. */
    uint32_t made_count;
    uintptr_t made[MOST_MADE];
} * state;

void hd_rt_misuse_start(void) {
    state = hd_rt_table(sizeof *state, HEDDLE_WIRE_UNKEPT_OBJECTS);
}

/* --- what is told --------------------------------------------------------------------------- */

static bool is_looked_at(void) {
    return hd_rt_controlled() && state && !hd_rt.ended && !hd_rt.wire->sv_comp &&
           hd_rt.wire->misuse != HEDDLE_WIRE_MISUSE_IGNORED;
}

static void add_note(enum heddle_wire_noted kind, const char *text, const void *object,
                     uintptr_t code, uint32_t thread) {
    heddle_wire *wire = hd_rt.wire;
    uint32_t i = 0;
    while (i < wire->notes && (wire->note[i].kind != kind || wire->note[i].code != code))
        i++;
    if (i < wire->notes)
        return;
    if (i == HEDDLE_WIRE_NOTES) {
        wire->notes_lost = 1;
        return;
    }
    heddle_wire_note *note = &wire->note[i];
    *note = (heddle_wire_note){
        .kind = kind, .thread = thread, .code = code, .object = (uintptr_t)object};
    hd_rt_text(note->text, sizeof note->text, text);
    wire->notes = i + 1;
}

void hd_rt_misuse_note(enum heddle_wire_noted kind, const void *object, uintptr_t code,
                       uint32_t thread) {
    if (is_looked_at())
        add_note(kind, "", object, code, thread);
}

void hd_rt_misuse_read(const char *text, uintptr_t made, uintptr_t code) {
    if (is_looked_at())
        add_note(HEDDLE_WIRE_NOTED_UNWRITTEN, text, (const void *)made, code, hd_rt.current->id);
}

void hd_rt_misuse_handler(const char *name, uintptr_t code) {
    if (is_looked_at())
        add_note(HEDDLE_WIRE_NOTED_HANDLER, name, NULL, code, hd_rt.current->id);
}

static void fail(enum heddle_wire_fault_kind fault, const char *text, const void *object,
                 uintptr_t code, hd_rt_party party) {
    heddle_wire *wire = hd_rt.wire;
    if (wire->misuse == HEDDLE_WIRE_MISUSE_NOTED) {
        add_note(HEDDLE_WIRE_NOTED_MISUSE, text, object, code, hd_rt.current->id);
        return;
    }
    hd_rt_fail_apart(code);
    wire->fault = (heddle_wire_fault){.kind = fault,
                                      .code = code,
                                      .object = (uintptr_t)object,
                                      .freed = party.code,
                                      .freed_by = party.thread};
    hd_rt_print(wire->message, sizeof wire->message, "%s", text);
    hd_rt_say(text);
    hd_rt_fail();
}

void hd_rt_misuse(enum heddle_wire_fault_kind fault, const char *what, enum hd_rt_sort sort,
                  const char *rest, const void *object, uintptr_t code, hd_rt_party party) {
    char text[96];
    if (!is_looked_at())
        return;
    hd_rt_print(text, sizeof text, "%s %s%s", what, names[sort], rest);
    fail(fault, text, object, code, party);
}

void hd_rt_misuse_thread(enum heddle_wire_fault_kind fault, const char *what, uintptr_t code) {
    if (is_looked_at())
        fail(fault, what, NULL, code, (hd_rt_party){0});
}

/* --- what threads hold ---------------------------------------------------------------------- */

void hd_rt_hold(enum hd_rt_sort sort, const void *object, const void *with, uintptr_t code) {
    if (!state)
        return;
    if (state->holds == MOST_HOLDS) {
        state->lost = true;
        hd_rt_misuse_note(HEDDLE_WIRE_NOTED_HOLDS, NULL, 0, 0);
        return;
    }
    state->hold[state->holds++] =
        (hold){(uintptr_t)object, (uintptr_t)with, code, hd_rt.current->id, (uint32_t)sort};
}

/* The last one of that thread first: locks are usually given back so. */
static uint32_t find_hold(uintptr_t object, uint32_t thread) {
    for (uint32_t i = state->holds; i-- > 0;)
        if (state->hold[i].object == object && state->hold[i].thread == thread)
            return i;
    return MOST_HOLDS;
}

static void drop(uint32_t i) {
    for (state->holds--; i < state->holds; i++) {
        state->hold[i] = state->hold[i + 1];
        HD_RT_BARRIER(); /* or the compiler makes it a call of memmove */
    }
    state->hold[state->holds] = (hold){0}; /* as before, for loops that only wait */
}

bool hd_rt_hold_end(const void *object) {
    uint32_t i = state ? find_hold((uintptr_t)object, hd_rt.current->id) : MOST_HOLDS;
    if (i == MOST_HOLDS)
        return !state || state->lost;
    drop(i);
    return true;
}

uint32_t hd_rt_hold_levels(enum hd_rt_sort sort, const void *object) {
    uint32_t levels = 0;
    for (uint32_t i = 0; state && i < state->holds; i++)
        levels += state->hold[i].object == (uintptr_t)object && state->hold[i].sort == sort &&
                  state->hold[i].thread == hd_rt.current->id;
    return levels;
}

void hd_rt_hold_drop(enum hd_rt_sort sort, const void *object) {
    for (uint32_t i = state ? state->holds : 0; i-- > 0;)
        if (state->hold[i].object == (uintptr_t)object && state->hold[i].sort == sort &&
            state->hold[i].thread == hd_rt.current->id) {
            drop(i);
            return;
        }
}

bool hd_rt_hold_allows(const void *object, bool reading) {
    for (uint32_t i = 0; state && i < state->holds; i++)
        if (state->hold[i].object == (uintptr_t)object &&
            (state->hold[i].sort == HD_RT_A_LOCK ||
             (state->hold[i].sort == HD_RT_A_READ_LOCK && !reading)))
            return false;
    return true;
}

bool hd_rt_holds(const hd_rt_thread *thread, const void *object) {
    return state->lost || find_hold((uintptr_t)object, thread->id) != MOST_HOLDS;
}

/* Some thread that holds the object, or waits for a condition with it. */
static const hold *hold_of(const void *object) {
    for (uint32_t i = state->holds; i-- > 0;)
        if (state->hold[i].object == (uintptr_t)object || state->hold[i].with == (uintptr_t)object)
            return &state->hold[i];
    return NULL;
}

uint32_t hd_rt_hold_holder(const void *object) {
    const hold *its = state ? hold_of(object) : NULL;
    return its ? its->thread + 1 : 0;
}

/* --- objects that were destroyed ------------------------------------------------------------ */

#define DESTROYED UINT64_C(0x6465a3726f796564)
#define MADE UINT64_C(0x6d616465c3617365) /* in a semaphore */
enum { DESTROYED_SPIN = 0x64657370 };

typedef struct mark {
    uint64_t word;
    uint64_t who; /* code address, thread << 48 */
} mark;

/* Bytes of an object that are not looked at once it is destroyed, and that every way to initialise
 * it overwrites. */
static mark *mark_in(enum hd_rt_sort sort, const void *object) {
    static const uint8_t at[HD_RT_SORTS] = {[HD_RT_A_MUTEX] = 24,
                                            [HD_RT_A_RWLOCK] = 32,
                                            [HD_RT_A_CONDITION] = 0,
                                            [HD_RT_A_BARRIER] = 16,
                                            [HD_RT_A_SEMAPHORE] = 16};
    return (mark *)((uintptr_t)object + at[sort]);
}

_Static_assert(offsetof(pthread_mutex_t, __data.__list) == 24, "not the lock, owner and kind");
_Static_assert(offsetof(pthread_rwlock_t, __data.__cur_writer) < 32 &&
                   offsetof(pthread_rwlock_t, __data.__flags) >= 48,
               "not the holders");
_Static_assert(sizeof(pthread_barrier_t) >= 32 && sizeof(sem_t) >= 32, "there is room for it");

static bool is_destroyed(enum hd_rt_sort sort, const void *object) {
    if (sort == HD_RT_A_ONCE)
        return false;
    if (sort == HD_RT_A_SPIN)
        return *(const uint32_t *)object == DESTROYED_SPIN;
    return mark_in(sort, object)->word == DESTROYED;
}

/* Memory of the program itself, not that of a file that other processes may use. */
static bool is_own(uintptr_t address) {
    const heddle_wire *wire = hd_rt.wire;
    if (address >= HEDDLE_WIRE_HEAP && address < HEDDLE_WIRE_HEAP_END)
        return true;
    for (uint32_t i = 0; i < wire->modules && i < HEDDLE_WIRE_MODULES; i++)
        if (address >= wire->module[i].low && address < wire->module[i].high)
            return true;
    return false;
}

static bool is_static(uintptr_t address) {
    return is_own(address) && address - HEDDLE_WIRE_HEAP >= HEDDLE_WIRE_HEAP_END - HEDDLE_WIRE_HEAP;
}

static bool is_zero(const void *object, size_t size) {
    const unsigned char *bytes = object;
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* The C library makes nothing that looks like this.  Of a semaphore sem_init marks some of what
 * it leaves unused, and sem_open says that it is shared. */
static bool is_bare(enum hd_rt_sort sort, const void *object) {
    switch (sort) {
    case HD_RT_A_MUTEX:
        return ((const pthread_mutex_t *)object)->__data.__kind & ~HD_RT_MUTEX_KINDS;
    case HD_RT_A_BARRIER:
        return *(const uint32_t *)object == 0;
    case HD_RT_A_SEMAPHORE:
        return is_zero(object, sizeof(sem_t)) && is_own((uintptr_t)object);
    default:
        return false;
    }
}

/* Mostly it is not; so that is asked first. */
static inline bool is_suspect(enum hd_rt_sort sort, const void *object) {
    return hd_rt_controlled() &&
           HD_RT_UNLIKELY(is_destroyed(sort, object) || is_bare(sort, object));
}

bool hd_rt_misuse_bad(enum hd_rt_sort sort, const void *object) {
    return is_suspect(sort, object) && is_looked_at();
}

static hd_rt_party party_of(uint64_t who) {
    return (hd_rt_party){who & HEDDLE_WIRE_ADDRESS, (uint32_t)(who >> 48)};
}

static __attribute__((noinline)) void tell_use(enum hd_rt_sort sort, const void *object,
                                               const char *verb, uintptr_t code) {
    char what[64];
    hd_rt_party party = {0};
    if (is_destroyed(sort, object)) {
        hd_rt_print(what, sizeof what, "use after destruction: %s of", verb);
        if (sort != HD_RT_A_SPIN)
            party = party_of(mark_in(sort, object)->who);
        hd_rt_misuse(HEDDLE_WIRE_DESTROYED, what, sort, "", object, code, party);
    } else {
        hd_rt_print(what, sizeof what, "use without initialisation: %s of", verb);
        hd_rt_misuse(HEDDLE_WIRE_UNINITIALISED, what, sort, "", object, code, party);
    }
}

void hd_rt_misuse_use(enum hd_rt_sort sort, const void *object, const char *verb, uintptr_t code) {
    if (hd_rt_misuse_bad(sort, object))
        tell_use(sort, object, verb, code);
}

/* --- initialising --------------------------------------------------------------------------- */

static uintptr_t *place_of(const void *object) {
    uint32_t i = (uint32_t)(((uintptr_t)object >> 2) * 2654435761u) % MOST_MADE;
    while (state->made[i] && (state->made[i] & ~(uintptr_t)1) != (uintptr_t)object)
        i = (i + 1) % MOST_MADE;
    return &state->made[i];
}

/* Does a thread wait there, and cannot go on?  A condition that was signalled is left already. */
static bool is_awaited(enum hd_rt_sort sort, const void *object) {
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const hd_rt_thread *thread = hd_rt.live[i];
        const heddle_wire_operation *pending = &thread->wire->pending;
        bool waits = sort == HD_RT_A_CONDITION   ? pending->kind == HEDDLE_WAKE + 1
                     : sort == HD_RT_A_BARRIER   ? pending->kind == HEDDLE_BARRIER_OUT + 1
                     : sort == HD_RT_A_SEMAPHORE ? pending->kind == HEDDLE_RECV + 1
                                                 : false;
        if (waits && thread != hd_rt.current && pending->address == (uintptr_t)object &&
            !hd_rt_possible(thread))
            return true;
    }
    return false;
}

/* Fails if a thread holds the object or waits for it. */
static bool is_idle(enum heddle_wire_fault_kind fault, const char *what, enum hd_rt_sort sort,
                    const void *object, uintptr_t code) {
    const hold *its = hold_of(object);
    if (is_awaited(sort, object)) {
        hd_rt_misuse(fault, what, sort, " that a thread waits for", object, code, (hd_rt_party){0});
        return false;
    }
    if (!its || sort == HD_RT_A_CONDITION)
        return true;
    hd_rt_misuse(fault, what, sort,
                 its->with ? " that a thread waits for a condition with" : " that is held", object,
                 code, (hd_rt_party){its->code, its->thread});
    return false;
}

void hd_rt_misuse_init(enum hd_rt_sort sort, const void *object, uintptr_t code) {
    if (!is_looked_at() ||
        !is_idle(HEDDLE_WIRE_INITIALISE, "initialisation of", sort, object, code))
        return;
    if (!is_destroyed(sort, object) && is_static((uintptr_t)object) && *place_of(object) & 1)
        hd_rt_misuse(HEDDLE_WIRE_INITIALISE, "initialisation of", sort,
                     " that was initialised before", object, code, (hd_rt_party){0});
}

void hd_rt_misuse_made(enum hd_rt_sort sort, void *object) {
    if (sort == HD_RT_A_SEMAPHORE)
        mark_in(sort, object)->word = MADE;
    if (!hd_rt_controlled() || !state || !is_static((uintptr_t)object))
        return;
    uintptr_t *place = place_of(object);
    if (!*place && state->made_count >= MOST_MADE / 2)
        return;
    state->made_count += !*place;
    *place = (uintptr_t)object | 1;
}

bool hd_rt_misuse_destroy(enum hd_rt_sort sort, const void *object, uintptr_t code) {
    if (!is_looked_at())
        return true;
    hd_rt_misuse_use(sort, object, "destruction", code);
    return is_idle(HEDDLE_WIRE_DESTROY, "destruction of", sort, object, code);
}

void hd_rt_misuse_gone(enum hd_rt_sort sort, void *object, uintptr_t code) {
    if (!is_looked_at())
        return;
    uintptr_t *place = place_of(object);
    if (*place)
        *place = (uintptr_t)object;
    if (sort == HD_RT_A_MUTEX) /* as the C library has it, too */
        ((pthread_mutex_t *)object)->__data.__kind = -1;
    if (sort == HD_RT_A_SPIN)
        *(uint32_t *)object = DESTROYED_SPIN;
    else
        *mark_in(sort, object) =
            (mark){DESTROYED, (code & HEDDLE_WIRE_ADDRESS) | (uint64_t)hd_rt.current->id << 48};
}

void hd_rt_misuse_freed(uintptr_t block, size_t size, uintptr_t code) {
    for (uint32_t i = state ? state->holds : 0; i-- > 0;) {
        const hold *its = &state->hold[i];
        if (its->object - block < size && !its->with && its->sort <= HD_RT_A_SPIN)
            hd_rt_misuse(HEDDLE_WIRE_DESTROY, "free of", (enum hd_rt_sort)its->sort,
                         " that is held", (const void *)its->object, code,
                         (hd_rt_party){its->code, its->thread});
    }
}

/* --- conditions, ends ----------------------------------------------------------------------- */

void hd_rt_misuse_wait(const pthread_cond_t *condition, const pthread_mutex_t *mutex,
                       uintptr_t code) {
    if (!is_looked_at())
        return;
    for (uint32_t i = 0; i < state->holds; i++) {
        const hold *other = &state->hold[i];
        const hd_rt_thread *thread = hd_rt_thread_at(other->thread);
        if (other->object == (uintptr_t)condition && other->with &&
            other->with != (uintptr_t)mutex && thread != hd_rt.current && !thread->signalled)
            hd_rt_misuse(HEDDLE_WIRE_WAIT_ON, "wait on", HD_RT_A_CONDITION,
                         " that another thread waits on with another mutex", condition, code,
                         (hd_rt_party){other->code, other->thread});
    }
}

void hd_rt_misuse_held(enum heddle_wire_fault_kind fault, const char *verb, enum hd_rt_sort sort,
                       const void *object, uintptr_t code) {
    const hold *its = hold_of(object);
    hd_rt_misuse(fault, verb, sort, " that another thread holds", object, code,
                 its ? (hd_rt_party){its->code, its->thread} : (hd_rt_party){0});
}

void hd_rt_misuse_again(enum heddle_wire_fault_kind fault, const void *object, const char *what,
                        uintptr_t code) {
    uint32_t i = is_looked_at() ? find_hold((uintptr_t)object, hd_rt.current->id) : MOST_HOLDS;
    if (i != MOST_HOLDS)
        fail(fault, what, object, code, (hd_rt_party){state->hold[i].code, state->hold[i].thread});
}

void hd_rt_misuse_end(const hd_rt_thread *thread) {
    for (uint32_t i = state ? state->holds : 0; i-- > 0;) {
        if (state->hold[i].thread != thread->id)
            continue;
        if (state->hold[i].sort <= HD_RT_A_SPIN)
            hd_rt_misuse_note(HEDDLE_WIRE_NOTED_HOLDING, (void *)state->hold[i].object,
                              state->hold[i].code, thread->id);
    }
}

static bool takes_own(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    bool takes = pending->kind == HEDDLE_ACQUIRE + 1 || pending->kind == HEDDLE_READ_ACQUIRE + 1;
    return takes && !(pending->flags & (HEDDLE_WIRE_TIMED | HEDDLE_WIRE_TRY)) &&
           find_hold(pending->address, thread->id) != MOST_HOLDS && !hd_rt_possible(thread);
}

/* A thread that waits for itself is a deadlock, which shows only if the others wait too. */
void hd_rt_misuse_exit(void) {
    for (uint32_t i = 0; is_looked_at() && i < hd_rt.live_count; i++) {
        const hd_rt_thread *thread = hd_rt.live[i];
        const heddle_wire_operation *pending = &thread->wire->pending;
        if (thread == hd_rt.current || !takes_own(thread))
            continue;
        const hold *its = &state->hold[find_hold(pending->address, thread->id)];
        hd_rt_misuse(HEDDLE_WIRE_RELOCK, "deadlock with itself: lock of",
                     (enum hd_rt_sort)its->sort, " by the thread that holds it",
                     (void *)(uintptr_t)pending->address, (uintptr_t)pending->code,
                     (hd_rt_party){its->code, its->thread});
    }
    const heddle_wire *wire = hd_rt.wire;
    for (uint32_t id = 1; is_looked_at() && id < wire->threads; id++) {
        const hd_rt_thread *thread = hd_rt_thread_at(id);
        if (thread && !thread->detached && !thread->reaped)
            hd_rt_misuse_note(wire->thread[id].state == HEDDLE_WIRE_ENDED
                                  ? HEDDLE_WIRE_NOTED_UNJOINED
                                  : HEDDLE_WIRE_NOTED_RUNNING,
                              NULL, thread->wire->made, id);
    }
}
