#include "native_locations.h"

enum { WORD = 8, SORT_SHIFT = 56 };

/* The operation that is being entered. */
typedef struct entry {
    hd_native_locations *locations;
    hd_native_accesses *accesses;
    hd_machine_operation *operation;
    const heddle_wire_operation *about;
    uint32_t thread;
    bool succeeds;
    bool missing; /* a cut is missing, or an assumption was wrong */
} entry;

static uint32_t number_of(hd_native_locations *locations, enum hd_native_sort sort,
                          uint64_t address) {
    bool added;
    hd_native_known *known =
        &locations->known[(address ^ address >> 6 ^ (uint64_t)sort * 37) % HD_NATIVE_KNOWN];
    if (known->sort == sort && known->address == address && known->number < locations->count)
        return known->number;
    uint32_t *number =
        hd_map_at(&locations->numbers, (uint64_t)sort << SORT_SHIFT | address, &added);
    if (added) {
        *number = locations->count++;
        hd_vec_push(&locations->all, (hd_native_location){sort, address});
    }
    *known = (hd_native_known){address, sort, *number};
    return *number;
}

static void add_number(hd_native_accesses *accesses, uint32_t number, unsigned mode) {
    hd_vec_reserve(accesses, accesses->length + 1);
    hd_machine_access *access = &accesses->data[accesses->length++];
    access->location = number;
    access->mode = (uint8_t)mode;
}

static void add_access(const entry *e, enum hd_native_sort sort, uint64_t address, unsigned mode) {
    add_number(e->accesses, number_of(e->locations, sort, address), mode);
}

void hd_native_locations_flag(hd_native_locations *locations, uint32_t thread,
                              hd_native_accesses *accesses) {
    add_number(accesses, number_of(locations, HD_NATIVE_FLAG, thread), HD_MACHINE_RELEASE);
}

void hd_native_locations_thread(hd_native_locations *locations, uint32_t thread, unsigned mode,
                                hd_native_accesses *accesses) {
    add_number(accesses, number_of(locations, HD_NATIVE_THREAD, thread), mode);
}

/* ---- Memory ---- */

/* Where the granules of a word begin; as needed if the word is seen for the first time. */
static uint32_t cuts_of(hd_native_locations *locations, uint64_t word, uint32_t needed) {
    hd_native_cut *known = &locations->known_cuts[word % HD_NATIVE_KNOWN];
    if (known->word == word && known->bytes)
        return known->bytes;
    bool added;
    uint32_t *cuts = hd_map_at(&locations->cuts, word, &added);
    if (added)
        *cuts = needed;
    *known = (hd_native_cut){word, *cuts};
    return *cuts;
}

/* Bytes `low` to `high` of a word. */
static void add_part(entry *e, uint64_t word, unsigned low, unsigned high, unsigned mode) {
    uint32_t needed = (1U << low | 1U << high | 1U) & 0xff;
    uint32_t begins = cuts_of(e->locations, word, needed);
    if (needed & ~begins) {
        hd_vec_push(&e->locations->wanted, (hd_native_cut){word, needed});
        e->missing = true;
    }
    unsigned first = low;
    while (!(begins >> first & 1))
        first--;
    for (unsigned byte = first; byte < high; byte++)
        if (begins >> byte & 1)
            add_access(e, HD_NATIVE_MEMORY, word * WORD + byte, mode);
}

/* Only the shared words of a plain access: the others belong to one thread. */
static void add_memory(entry *e, bool plain, unsigned mode) {
    uint64_t at = e->about->address, end = at + (e->about->size ? e->about->size : 1);
    while (at < end) {
        uint64_t word = at / WORD, next = (word + 1) * WORD < end ? (word + 1) * WORD : end;
        if (!plain || hd_native_server_shared(e->locations->server, word))
            add_part(e, word, (unsigned)(at - word * WORD), (unsigned)(next - word * WORD), mode);
        at = next;
    }
}

void hd_native_locations_add(hd_native_locations *locations, enum hd_native_sort sort,
                             uint64_t address, unsigned mode, hd_native_accesses *accesses) {
    add_number(accesses, number_of(locations, sort, address), mode);
}

bool hd_native_locations_add_memory(hd_native_locations *locations, uint64_t address, uint32_t size,
                                    bool plain, unsigned mode, hd_native_accesses *accesses) {
    heddle_wire_operation about = {.address = address, .size = size};
    entry e = {.locations = locations, .accesses = accesses, .about = &about};
    add_memory(&e, plain, mode);
    return e.missing;
}

/* A word that an operation in a loop waits for, besides its own. */
static void add_word(entry *e, uint64_t word) {
    if (!word)
        return;
    const heddle_wire_operation *about = e->about;
    heddle_wire_operation other = {.address = word & ((UINT64_C(1) << SORT_SHIFT) - 1),
                                   .size = (uint32_t)(word >> SORT_SHIFT)};
    e->about = &other;
    add_memory(e, false, HD_MACHINE_LOOK);
    e->about = about;
}

/* A read or an acquire in a loop that waits for another value of one of its words. */
static void add_spin(entry *e, const heddle_wire_next *next) {
    if (!(e->about->flags & HEDDLE_WIRE_SPINS))
        return;
    e->operation->awaits = true;
    add_word(e, next->with);
    for (size_t i = 0; i < sizeof next->also / sizeof *next->also; i++)
        add_word(e, next->also[i]);
}

/* ---- Objects ---- */

/* An operation that does not wait, or not for ever: what it does depends on what it finds.  A try
 * in a loop that repeats until it succeeds counts as a wait. */
static bool is_try(const entry *e) {
    return e->about->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED) &&
           !(e->about->flags & HEDDLE_WIRE_SPINS);
}

static void add_lock(entry *e) {
    if (e->about->flags & HEDDLE_WIRE_NESTED)
        return;
    unsigned mode = HD_MACHINE_ACQUIRE;
    if (is_try(e)) {
        e->operation->varies = true;
        mode = e->succeeds ? HD_MACHINE_ACQUIRE | HD_MACHINE_WRITE : HD_MACHINE_READ;
    }
    add_access(e, HD_NATIVE_OBJECT, e->about->address, mode);
}

/* Read-write locks and semaphores: an operation that excludes others, or sees how many there are,
 * writes; a reader or a post only reads, so that two of these are independent.  An operation that
 * fails to exclude others, or only looks, depends on readers and posts, so it writes too. */
static void add_await(entry *e, bool excludes) {
    if (is_try(e))
        e->operation->varies = true;
    else
        e->operation->awaits = true;
    add_access(e, HD_NATIVE_OBJECT, e->about->address,
               excludes ? HD_MACHINE_WRITE : HD_MACHINE_READ);
}

static void add_join(entry *e) {
    if (e->locations->exits & HEDDLE_WIRE_CANCELS)
        e->operation->varies = true;
    if (!is_try(e))
        return; /* it only creates order */
    e->operation->varies = true;
    add_access(e, HD_NATIVE_END, e->about->address, HD_MACHINE_READ);
}

/* A wait that may be cancelled or time out can end before a signal or by it. */
static void add_wake(entry *e) {
    add_access(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_RELEASE);
    if (!is_try(e) && !(e->locations->exits & HEDDLE_WIRE_CANCELS))
        return;
    e->operation->varies = true;
    add_access(e, HD_NATIVE_OBJECT, e->about->address, HD_MACHINE_WRITE);
}

static void add_once(entry *e) {
    e->operation->awaits = e->operation->varies = true;
    if (e->about->flags & HEDDLE_WIRE_WATCHED)
        e->operation->memory = HD_MACHINE_ATOMIC;
    add_memory(e, false, e->succeeds ? HD_MACHINE_WRITE : HD_MACHINE_READ);
}

/* A lock that others may wait for without taking it, or that several can hold at once, or that is
 * given back by other means, or that may be free and yet not be taken. */
static bool is_awaited(const entry *e) {
    return e->about->size == HEDDLE_WIRE_RWLOCK || e->about->size == HEDDLE_WIRE_STREAM ||
           e->about->size == HEDDLE_WIRE_ANNOTATED ||
           e->about->flags & (HEDDLE_WIRE_ODD | HEDDLE_WIRE_POLLED);
}

/* An object in memory that another thread frees: freeing is a write to its first word, which is
 * then shared. */
static void add_place(entry *e, uint64_t address) {
    if (address >= HEDDLE_WIRE_HEAP && address < HEDDLE_WIRE_HEAP_END &&
        hd_native_server_shared(e->locations->server, address / WORD))
        add_part(e, address / WORD, (unsigned)(address % WORD), WORD, HD_MACHINE_READ);
}

/* The memory of an object that threads initialise, destroy, overwrite or look at: to them, an
 * operation on the object is an access to all of it.  Two operations on an object have their own
 * rules, so they only read, unless it is looked at. */
static void add_body(entry *e, uint64_t address, uint64_t size) {
    unsigned mode = e->about->flags & HEDDLE_WIRE_ODD ? HD_MACHINE_WRITE : HD_MACHINE_READ;
    const heddle_wire_operation *about = e->about;
    heddle_wire_operation body = {.address = address, .size = (uint32_t)size};
    e->about = &body;
    if (size)
        add_memory(e, true, mode);
    e->about = about;
}

static void add_bodies(entry *e, uint64_t with) {
    if (!(e->about->flags & HEDDLE_WIRE_WATCHED))
        return;
    e->operation->memory = HD_MACHINE_ATOMIC;
    const uint8_t *sizes = e->locations->server->explore->body;
    add_body(e, e->about->address, sizes[heddle_wire_body_of(e->about)]);
    if (e->about->kind == HEDDLE_WAIT + 1)
        add_body(e, with, sizes[HEDDLE_WIRE_MUTEX_BODY]);
}

static hd_native_party *find_party(const hd_native_locations *locations, uint64_t barrier) {
    for (size_t i = 0; i < locations->parties.length; i++)
        if (locations->parties.data[i].barrier == barrier)
            return &locations->parties.data[i];
    return NULL;
}

uint64_t hd_native_locations_party(const hd_native_locations *locations, uint64_t barrier) {
    const hd_native_party *party = find_party(locations, barrier);
    return party && !locations->mixed ? party->threads : 0;
}

/* Does it not matter in which order threads arrive at a barrier?  It does not if the results of
 * their calls, which tell who came last, are not used, and if no more threads come than pass
 * together: then each waits until all have come, and the same threads pass in every round.  That
 * they do is seen here, as every run that has another thread arrive has this operation of it.  What
 * is not so for one call counts for all. */
static bool is_party(entry *e) {
    hd_native_locations *locations = e->locations;
    if (locations->mixed)
        return false;
    hd_native_party *party = find_party(locations, e->about->address);
    if (!party) {
        hd_vec_push(&locations->parties, (hd_native_party){e->about->address, 0});
        party = hd_vec_last(&locations->parties);
    }
    if (e->thread < 64)
        party->threads |= UINT64_C(1) << e->thread;
    if (e->thread < 64 && !(e->about->flags & HEDDLE_WIRE_WATCHED) &&
        (uint32_t)__builtin_popcountll(party->threads) <= e->about->size) /* 0: it is used */
        return true;
    locations->mixed = e->missing = true;
    return false;
}

bool hd_native_locations_arrive(hd_native_locations *locations, uint32_t thread,
                                const heddle_wire_operation *about) {
    entry e = {.locations = locations, .about = about, .thread = thread};
    uint64_t before = hd_native_locations_party(locations, about->address);
    bool party = is_party(&e);
    return e.missing || (party && hd_native_locations_party(locations, about->address) != before);
}

static void add_synchronisation(entry *e, uint64_t with) {
    uint64_t address = e->about->address;
    add_bodies(e, with);
    add_place(e, address);
    if (e->about->kind == HEDDLE_WAIT + 1)
        add_place(e, with);
    switch (e->about->kind) {
    case HEDDLE_ACQUIRE + 1:
        if (is_awaited(e))
            add_await(e, true);
        else
            add_lock(e);
        break;
    case HEDDLE_RELEASE + 1:
        if (!(e->about->flags & HEDDLE_WIRE_NESTED))
            add_access(e, HD_NATIVE_OBJECT, address,
                       is_awaited(e) ? HD_MACHINE_WRITE : HD_MACHINE_RELEASE);
        break;
    case HEDDLE_READ_ACQUIRE + 1:
        add_await(e, false);
        break;
    case HEDDLE_RECV + 1:
        add_await(e, true);
        break;
    case HEDDLE_WAIT + 1:
        add_access(e, HD_NATIVE_OBJECT, address, HD_MACHINE_WRITE);
        add_access(e, HD_NATIVE_OBJECT, with,
                   (e->about->flags & (HEDDLE_WIRE_ODD | HEDDLE_WIRE_POLLED)) ? HD_MACHINE_WRITE
                                                                              : HD_MACHINE_RELEASE);
        break;
    case HEDDLE_WAKE + 1:
        add_wake(e);
        break;
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
        e->operation->varies = true;
        add_access(e, HD_NATIVE_OBJECT, address, HD_MACHINE_WRITE);
        break;
    case HEDDLE_BARRIER_IN + 1:
        e->operation->varies = true;
        add_access(e, HD_NATIVE_OBJECT, address, is_party(e) ? HD_MACHINE_ORDER : HD_MACHINE_WRITE);
        break;
    case HEDDLE_BARRIER_OUT + 1:
        add_access(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_RELEASE);
        break;
    default: /* SEND, READ_RELEASE */
        add_access(e, HD_NATIVE_OBJECT, address, HD_MACHINE_READ);
        break;
    }
}

/* ---- Code without instrumentation ---- */

static bool is_library(const heddle_wire *wire, uint64_t address) {
    for (uint32_t i = 1; i < wire->modules && i < HEDDLE_WIRE_MODULES; i++)
        if (address >= wire->module[i].low && address < wire->module[i].high)
            return true;
    return false;
}

/* Shared words in libraries, for example what a function returned a pointer to. */
static void find_statics(hd_native_locations *locations) {
    const heddle_wire_explore *explore = locations->server->explore;
    hd_vec_clear(&locations->statics);
    for (uint32_t i = 0; i < HEDDLE_WIRE_SHARED; i++)
        if (explore->shared[i] &&
            is_library(locations->server->run.wire, (explore->shared[i] - 1) * WORD))
            hd_vec_push(&locations->statics, explore->shared[i] - 1);
    locations->statics_of = explore->renewed + 1;
}

static void add_statics(entry *e) {
    hd_native_locations *locations = e->locations;
    if (locations->statics_of != locations->server->explore->renewed + 1)
        find_statics(locations);
    for (size_t i = 0; i < locations->statics.length; i++)
        add_part(e, locations->statics.data[i], 0, WORD, HD_MACHINE_WRITE);
}

/* The address of a state of state.def. */
static uint64_t state_of(enum heddle_wire_kept which) {
    return HEDDLE_WIRE_STATES + UINT64_C(16) * which;
}

/* The state of the called function, and the memory that belongs to it. */
static void add_call(entry *e) {
    unsigned mode = e->about->flags & HEDDLE_WIRE_LOOKS ? HD_MACHINE_READ : HD_MACHINE_WRITE;
    uint64_t also = (uint64_t)e->about->deadline;
    uint64_t printed = state_of(HEDDLE_WIRE_KEPT_printed);
    add_place(e, e->about->address);
    add_access(e, HD_NATIVE_STATE, e->about->address, mode);
    if (e->about->flags & HEDDLE_WIRE_PRINTS && e->about->address != printed)
        add_access(e, HD_NATIVE_STATE, printed, HD_MACHINE_WRITE);
    if (e->about->flags & HEDDLE_WIRE_ALSO)
        add_access(e, HD_NATIVE_STATE, also & ~UINT64_C(1),
                   also & 1 ? HD_MACHINE_READ : HD_MACHINE_WRITE);
    if (e->about->flags & HEDDLE_WIRE_FILED)
        add_access(e, HD_NATIVE_STATE, state_of(HEDDLE_WIRE_KEPT_files), HD_MACHINE_READ);
    if (e->about->flags & HEDDLE_WIRE_INSIDE && e->about->size)
        add_memory(e, true, mode);
    if (e->about->flags & HEDDLE_WIRE_STORES)
        add_statics(e);
}

/* An operation that uninstrumented code does itself: what follows may change the state of that
 * code. */
static void add_inside(entry *e) {
    const heddle_wire *wire = e->locations->server->run.wire;
    uint32_t module = 0;
    while (
        module < wire->modules && module < HEDDLE_WIRE_MODULES &&
        (e->about->code < wire->module[module].low || e->about->code >= wire->module[module].high))
        module++;
    add_access(e, HD_NATIVE_STATE, HEDDLE_WIRE_MODULE_STATES + 16 * (uint64_t)module,
               HD_MACHINE_WRITE);
}

/* Freed blocks: a request changes what there is only if there is a block for it. */
static void add_reuse(entry *e) {
    if (e->about->flags & HEDDLE_WIRE_FREES)
        add_memory(e, true, HD_MACHINE_WRITE); /* its words can be used now, or no longer */
    if (e->about->flags & HEDDLE_WIRE_ALSO)
        add_access(e, HD_NATIVE_STATE, (uint64_t)e->about->deadline, HD_MACHINE_WRITE);
    e->operation->varies = e->about->flags & HEDDLE_WIRE_EITHER;
    if (e->operation->varies)
        add_access(e, HD_NATIVE_STATE, e->about->address,
                   e->succeeds ? HD_MACHINE_WRITE : HD_MACHINE_READ);
}

/* ---- All kinds ---- */

/* Those at a futex are woken; or signals are sent or looked for, which depends on what is to be
 * done with them; or that is changed. */
static void add_fence(entry *e) {
    uint64_t address = e->about->address;
    if (!address)
        return;
    bool asks = address == HEDDLE_WIRE_ACTIONS && e->about->flags & HEDDLE_WIRE_LOOKS;
    e->operation->varies = true;
    add_memory(e, false, asks ? HD_MACHINE_READ : HD_MACHINE_WRITE);
    if (address >= heddle_wire_signals(0) && address < heddle_wire_signals(HEDDLE_WIRE_EXPLORED))
        add_access(e, HD_NATIVE_MEMORY, HEDDLE_WIRE_ACTIONS, HD_MACHINE_READ);
}

static void add_rest(entry *e) {
    switch (e->about->kind) {
    case HEDDLE_FORK + 1:
        add_access(e, HD_NATIVE_THREAD, e->about->address, HD_MACHINE_RELEASE);
        break;
    case HEDDLE_JOIN + 1:
        add_join(e);
        break;
    case HEDDLE_WIRE_FINISH: /* a try to join sees it; a join only comes after it */
        add_access(e, HD_NATIVE_END, e->thread, HD_MACHINE_RELEASE);
        if (e->about->address) /* the last thread to end does more */
            add_access(e, HD_NATIVE_PROCESS, e->about->address, HD_MACHINE_WRITE);
        break;
    case HEDDLE_WIRE_ONCE:
        add_once(e);
        break;
    case HEDDLE_WIRE_FUTEX:
        add_access(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_RELEASE);
        e->operation->varies = is_try(e);
        if (is_try(e))
            add_memory(e, false, HD_MACHINE_WRITE);
        break;
    case HEDDLE_WIRE_FENCE:
        add_fence(e);
        break;
    case HEDDLE_WIRE_EXTERNAL: /* files; it is not known which, so all of them */
        if (e->about->address)
            add_await(e, true);
        if (e->about->size) /* signals, too */
            add_access(e, HD_NATIVE_MEMORY, heddle_wire_signals(e->thread), HD_MACHINE_READ);
        break;
    case HEDDLE_WIRE_CALL:
        add_call(e);
        break;
    case HEDDLE_WIRE_REUSE:
        add_reuse(e);
        break;
    case HEDDLE_WIRE_OUTPUT: /* it takes and releases the lock of the stream */
        add_await(e, true);
        if (e->about->size)
            add_access(e, HD_NATIVE_STATE, state_of(HEDDLE_WIRE_KEPT_printed), HD_MACHINE_WRITE);
        break;
    default: /* starts, sleeps, yields, marks, exit */
        break;
    }
}

/* NULL if it depends on all steps, as it does where more happens than steps of threads. */
static const hd_native_body *body_of(const hd_native_locations *locations, uint32_t thread,
                                     const heddle_wire_operation *about) {
    if (about->kind != HEDDLE_WIRE_ATOMIC || !about->orders || locations->targets ||
        locations->exits & ~(uint32_t)HEDDLE_WIRE_EXITS)
        return NULL;
    return hd_native_bodies_find(&locations->bodies, hd_native_bodies_key(thread, about->code));
}

static void add_section(entry *e, const hd_native_body *body) {
    const heddle_wire_operation *about = e->about;
    for (size_t i = 0; i < body->now; i++) {
        const hd_native_range *range = &body->ranges.data[i];
        heddle_wire_operation inner = {.address = range->address, .size = range->size};
        e->about = &inner;
        add_memory(e, true, range->write ? HD_MACHINE_WRITE : HD_MACHINE_READ);
    }
    e->about = about;
}

bool hd_native_locations_enter(hd_native_locations *locations, uint32_t thread,
                               const heddle_wire_next *next, bool succeeds,
                               hd_machine_operation *operation, hd_native_accesses *accesses) {
    const heddle_wire_operation *about = &next->operation;
    entry e = {.locations = locations,
               .accesses = accesses,
               .operation = operation,
               .about = about,
               .thread = thread,
               .succeeds = succeeds};
    const hd_native_body *body = body_of(locations, thread, about);
    bool all = about->kind == HEDDLE_WIRE_EXIT || about->kind == HEDDLE_WIRE_CANCEL ||
               (about->kind == HEDDLE_WIRE_ATOMIC && !body);
    operation->ends = about->kind == HEDDLE_WIRE_EXIT;
    operation->varies = about->kind == HEDDLE_WIRE_ATOMIC && !body; /* it may end the run, or not */
    if (body)
        add_section(&e, body);
    if (locations->exits &&
        !operation->idle) /* else it could not have come before the end either */
        add_access(&e, HD_NATIVE_PROCESS, 0, all ? HD_MACHINE_WRITE : HD_MACHINE_READ);
    if (about->flags & HEDDLE_WIRE_INSIDE && about->kind != HEDDLE_WIRE_CALL)
        add_inside(&e);
    /* A signal makes it go on where it waits, or would wait; the thread then looks at it first. */
    bool disturbed = locations->targets & heddle_wire_target(thread) && !operation->idle &&
                     about->kind != HEDDLE_WIRE_FENCE;
    if (disturbed) {
        add_access(&e, HD_NATIVE_MEMORY, heddle_wire_signals(thread), HD_MACHINE_READ);
        add_access(&e, HD_NATIVE_MEMORY, HEDDLE_WIRE_ACTIONS, HD_MACHINE_READ);
    }
    switch (about->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        add_spin(&e, next);
        add_memory(&e, about->kind == HEDDLE_READ + 1, HD_MACHINE_READ);
        break;
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        add_memory(&e, about->kind == HEDDLE_WRITE + 1, HD_MACHINE_WRITE);
        break;
    case HEDDLE_ATOMIC_RMW + 1:
        operation->varies = next->with != 0;
        operation->awaits = about->flags & HEDDLE_WIRE_SPINS;
        add_memory(&e, false, succeeds ? HD_MACHINE_WRITE : HD_MACHINE_READ);
        break;
    case HEDDLE_ACQUIRE + 1:
    case HEDDLE_READ_ACQUIRE + 1:
        add_synchronisation(&e, 0);
        if (next->with) /* else it is a try */
            add_spin(&e, next);
        break;
    case HEDDLE_RELEASE + 1:
    case HEDDLE_READ_RELEASE + 1:
    case HEDDLE_WAIT + 1:
    case HEDDLE_WAKE + 1:
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
    case HEDDLE_BARRIER_IN + 1:
    case HEDDLE_BARRIER_OUT + 1:
    case HEDDLE_SEND + 1:
    case HEDDLE_RECV + 1:
        add_synchronisation(&e, next->with);
        break;
    default:
        add_rest(&e);
        break;
    }
    /* What is cancelled may end at its next point, or go on. */
    operation->varies |= disturbed || locations->exits & HEDDLE_WIRE_CANCELS;
    return e.missing;
}

void hd_native_locations_init(hd_native_locations *locations, const hd_native_server *server) {
    *locations = (hd_native_locations){.server = server};
    number_of(locations, HD_NATIVE_PROCESS, 0);
}
