#include "native_entry.h"

enum { SORT_SHIFT = 56 };

static uint32_t number_for_all(hd_native_numbers *numbers, enum hd_native_sort sort,
                               uint64_t address) {
    bool added;
    hd_mem_lock(&numbers->lock);
    uint32_t *number = hd_map_at(&numbers->numbers, (uint64_t)sort << SORT_SHIFT | address, &added);
    if (added) {
        *number = (uint32_t)numbers->all.length;
        hd_vec_push(&numbers->all, (hd_native_location){sort, address});
    }
    uint32_t found = *number;
    hd_mem_unlock(&numbers->lock);
    return found;
}

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
        *number = number_for_all(locations->of_all, sort, address);
        if (locations->count <= *number)
            locations->count = *number + 1;
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

void hd_native_entry_access(const hd_native_entry *e, enum hd_native_sort sort, uint64_t address,
                            unsigned mode) {
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

void hd_native_entry_part(hd_native_entry *e, uint64_t word, unsigned low, unsigned high,
                          unsigned mode) {
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
            hd_native_entry_access(e, HD_NATIVE_MEMORY, word * HD_NATIVE_WORD + byte, mode);
}

void hd_native_entry_memory(hd_native_entry *e, bool plain, unsigned mode) {
    uint64_t at = e->about->address, end = at + (e->about->size ? e->about->size : 1);
    while (at < end) {
        uint64_t word = at / HD_NATIVE_WORD,
                 next = (word + 1) * HD_NATIVE_WORD < end ? (word + 1) * HD_NATIVE_WORD : end;
        if (!plain || hd_native_server_shared(e->locations->server, word))
            hd_native_entry_part(e, word, (unsigned)(at - word * HD_NATIVE_WORD),
                                 (unsigned)(next - word * HD_NATIVE_WORD), mode);
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
    hd_native_entry e = {.locations = locations, .accesses = accesses, .about = &about};
    hd_native_entry_memory(&e, plain, mode);
    return e.missing;
}

/* A word that an operation in a loop waits for, besides its own. */
static void add_word(hd_native_entry *e, uint64_t word) {
    if (!word)
        return;
    const heddle_wire_operation *about = e->about;
    heddle_wire_operation other = {.address = word & ((UINT64_C(1) << SORT_SHIFT) - 1),
                                   .size = (uint32_t)(word >> SORT_SHIFT)};
    e->about = &other;
    hd_native_entry_memory(e, false, HD_MACHINE_LOOK);
    e->about = about;
}

/* A read or an acquire in a loop that waits for another value of one of its words. */
static void add_spin(hd_native_entry *e, const heddle_wire_next *next) {
    if (!(e->about->flags & HEDDLE_WIRE_SPINS))
        return;
    e->operation->awaits = true;
    add_word(e, next->with);
    for (size_t i = 0; i < sizeof next->also / sizeof *next->also; i++)
        add_word(e, next->also[i]);
}

/* ---- All kinds ---- */

/* Those at a futex are woken; or signals are sent or looked for, which depends on what is to be
 * done with them; or that is changed. */
static void add_fence(hd_native_entry *e) {
    uint64_t address = e->about->address;
    if (!address)
        return;
    bool asks = address == HEDDLE_WIRE_ACTIONS && e->about->flags & HEDDLE_WIRE_LOOKS;
    e->operation->varies = true;
    hd_native_entry_memory(e, false, asks ? HD_MACHINE_READ : HD_MACHINE_WRITE);
    if (address >= heddle_wire_signals(0) && address < heddle_wire_signals(HEDDLE_WIRE_EXPLORED))
        hd_native_entry_access(e, HD_NATIVE_MEMORY, HEDDLE_WIRE_ACTIONS, HD_MACHINE_READ);
}

static void add_rest(hd_native_entry *e) {
    switch (e->about->kind) {
    case HEDDLE_FORK + 1:
        hd_native_entry_access(e, HD_NATIVE_THREAD, e->about->address, HD_MACHINE_RELEASE);
        break;
    case HEDDLE_JOIN + 1:
        hd_native_entry_join(e);
        break;
    case HEDDLE_WIRE_FINISH:
        hd_native_entry_access(e, HD_NATIVE_END, e->thread, HD_MACHINE_RELEASE);
        if (e->about->address) /* the last thread to end does more */
            hd_native_entry_access(e, HD_NATIVE_PROCESS, e->about->address, HD_MACHINE_WRITE);
        break;
    case HEDDLE_WIRE_ONCE:
        hd_native_entry_once(e);
        break;
    case HEDDLE_WIRE_FUTEX:
        hd_native_entry_access(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_RELEASE);
        e->operation->varies = hd_native_entry_tries(e);
        if (hd_native_entry_tries(e))
            hd_native_entry_memory(e, false, HD_MACHINE_WRITE);
        break;
    case HEDDLE_WIRE_FENCE:
        add_fence(e);
        break;
    case HEDDLE_WIRE_EXTERNAL: /* files; it is not known which, so all of them */
        if (e->about->address)
            hd_native_entry_await(e, true);
        if (e->about->size) /* signals, too */
            hd_native_entry_access(e, HD_NATIVE_MEMORY, heddle_wire_signals(e->thread),
                                   HD_MACHINE_READ);
        break;
    case HEDDLE_WIRE_CALL:
        hd_native_entry_call(e);
        break;
    case HEDDLE_WIRE_REUSE:
        hd_native_entry_reuse(e);
        break;
    case HEDDLE_WIRE_OUTPUT: /* it takes and releases the lock of the stream */
        hd_native_entry_await(e, true);
        if (e->about->size)
            hd_native_entry_access(e, HD_NATIVE_STATE,
                                   hd_native_entry_state(HEDDLE_WIRE_KEPT_printed),
                                   HD_MACHINE_WRITE);
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

static void add_section(hd_native_entry *e, const hd_native_body *body) {
    const heddle_wire_operation *about = e->about;
    for (size_t i = 0; i < body->now; i++) {
        const hd_native_range *range = &body->ranges.data[i];
        heddle_wire_operation inner = {.address = range->address, .size = range->size};
        e->about = &inner;
        hd_native_entry_memory(e, true, range->write ? HD_MACHINE_WRITE : HD_MACHINE_READ);
    }
    e->about = about;
}

bool hd_native_locations_enter(hd_native_locations *locations, uint32_t thread,
                               const heddle_wire_next *next, bool succeeds,
                               hd_machine_operation *operation, hd_native_accesses *accesses) {
    const heddle_wire_operation *about = &next->operation;
    hd_native_entry e = {.locations = locations,
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
        hd_native_entry_access(&e, HD_NATIVE_PROCESS, 0, all ? HD_MACHINE_WRITE : HD_MACHINE_READ);
    if (about->flags & HEDDLE_WIRE_INSIDE && about->kind != HEDDLE_WIRE_CALL)
        hd_native_entry_inside(&e);
    /* A signal makes it go on where it waits, or would wait; the thread then looks at it first. */
    bool disturbed = locations->targets & heddle_wire_target(thread) && !operation->idle &&
                     about->kind != HEDDLE_WIRE_FENCE;
    if (disturbed) {
        hd_native_entry_access(&e, HD_NATIVE_MEMORY, heddle_wire_signals(thread), HD_MACHINE_READ);
        hd_native_entry_access(&e, HD_NATIVE_MEMORY, HEDDLE_WIRE_ACTIONS, HD_MACHINE_READ);
    }
    switch (about->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        add_spin(&e, next);
        hd_native_entry_memory(&e, about->kind == HEDDLE_READ + 1, HD_MACHINE_READ);
        break;
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        hd_native_entry_memory(&e, about->kind == HEDDLE_WRITE + 1, HD_MACHINE_WRITE);
        break;
    case HEDDLE_ATOMIC_RMW + 1:
        operation->varies = next->with != 0;
        operation->awaits = about->flags & HEDDLE_WIRE_SPINS;
        hd_native_entry_memory(&e, false, succeeds ? HD_MACHINE_WRITE : HD_MACHINE_READ);
        break;
    case HEDDLE_ACQUIRE + 1:
    case HEDDLE_READ_ACQUIRE + 1:
        hd_native_entry_synchronise(&e, 0);
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
        hd_native_entry_synchronise(&e, next->with);
        break;
    default:
        add_rest(&e);
        break;
    }
    /* What is cancelled may end at its next point, or go on. */
    operation->varies |= disturbed || locations->exits & HEDDLE_WIRE_CANCELS;
    return e.missing;
}

hd_native_location hd_native_locations_at(const hd_native_locations *locations, uint32_t number) {
    hd_native_numbers *numbers = locations->of_all;
    hd_mem_lock(&numbers->lock);
    hd_native_location location = numbers->all.data[number];
    hd_mem_unlock(&numbers->lock);
    return location;
}

hd_native_numbers *hd_native_numbers_new(void) {
    hd_native_numbers *numbers = HD_NEW(hd_native_numbers);
    pthread_mutex_init(&numbers->lock, NULL);
    return numbers;
}

void hd_native_numbers_free(hd_native_numbers *numbers) {
    hd_vec_release(&numbers->all);
    hd_map_release(&numbers->numbers);
    pthread_mutex_destroy(&numbers->lock);
    free(numbers);
}

void hd_native_locations_init(hd_native_locations *locations, const hd_native_server *server,
                              hd_native_numbers *of_all) {
    *locations = (hd_native_locations){.server = server, .of_all = of_all};
    number_of(locations, HD_NATIVE_PROCESS, 0);
}
