/*
 * The accesses of operations on locks and other objects.
 */
#include "native_entry.h"

bool hd_native_entry_tries(const hd_native_entry *e) {
    return e->about->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED) &&
           !(e->about->flags & HEDDLE_WIRE_SPINS);
}

static void add_lock(hd_native_entry *e) {
    if (e->about->flags & HEDDLE_WIRE_NESTED)
        return;
    unsigned mode = HD_MACHINE_ACQUIRE;
    if (hd_native_entry_tries(e)) {
        e->operation->varies = true;
        mode = e->succeeds ? HD_MACHINE_ACQUIRE | HD_MACHINE_WRITE : HD_MACHINE_READ;
    }
    hd_native_entry_access(e, HD_NATIVE_OBJECT, e->about->address, mode);
}

void hd_native_entry_await(hd_native_entry *e, bool excludes) {
    if (hd_native_entry_tries(e))
        e->operation->varies = true;
    else
        e->operation->awaits = true;
    hd_native_entry_access(e, HD_NATIVE_OBJECT, e->about->address,
                           excludes ? HD_MACHINE_WRITE : HD_MACHINE_READ);
}

void hd_native_entry_join(hd_native_entry *e) {
    if (e->locations->exits & HEDDLE_WIRE_CANCELS)
        e->operation->varies = true;
    if (!hd_native_entry_tries(e))
        return; /* it only creates order */
    e->operation->varies = true;
    hd_native_entry_access(e, HD_NATIVE_END, e->about->address, HD_MACHINE_READ);
}

/* A wait that may be cancelled or time out can end before a signal or by it. */
static void add_wake(hd_native_entry *e) {
    hd_native_entry_access(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_RELEASE);
    if (!hd_native_entry_tries(e) && !(e->locations->exits & HEDDLE_WIRE_CANCELS))
        return;
    e->operation->varies = true;
    hd_native_entry_access(e, HD_NATIVE_OBJECT, e->about->address, HD_MACHINE_WRITE);
}

void hd_native_entry_once(hd_native_entry *e) {
    e->operation->awaits = e->operation->varies = true;
    if (e->about->flags & HEDDLE_WIRE_WATCHED)
        e->operation->memory = HD_MACHINE_ATOMIC;
    hd_native_entry_memory(e, false, e->succeeds ? HD_MACHINE_WRITE : HD_MACHINE_READ);
}

/* A lock that others may wait for without taking it, or that several can hold at once, or that is
 * given back by other means, or that may be free and yet not be taken. */
static bool is_awaited(const hd_native_entry *e) {
    return e->about->size == HEDDLE_WIRE_RWLOCK || e->about->size == HEDDLE_WIRE_STREAM ||
           e->about->size == HEDDLE_WIRE_ANNOTATED ||
           e->about->flags & (HEDDLE_WIRE_ODD | HEDDLE_WIRE_POLLED);
}

void hd_native_entry_place(hd_native_entry *e, uint64_t address) {
    if (address >= HEDDLE_WIRE_HEAP && address < HEDDLE_WIRE_HEAP_END &&
        hd_native_server_shared(e->locations->server, address / HD_NATIVE_WORD))
        hd_native_entry_part(e, address / HD_NATIVE_WORD, (unsigned)(address % HD_NATIVE_WORD),
                             HD_NATIVE_WORD, HD_MACHINE_READ);
}

/* The memory of an object that threads initialise, destroy, overwrite or look at: to them, an
 * operation on the object is an access to all of it.  Two operations on an object have their own
 * rules, so they only read, unless it is looked at. */
static void add_body(hd_native_entry *e, uint64_t address, uint64_t size) {
    unsigned mode = e->about->flags & HEDDLE_WIRE_ODD ? HD_MACHINE_WRITE : HD_MACHINE_READ;
    const heddle_wire_operation *about = e->about;
    heddle_wire_operation body = {.address = address, .size = (uint32_t)size};
    e->about = &body;
    if (size)
        hd_native_entry_memory(e, true, mode);
    e->about = about;
}

static void add_bodies(hd_native_entry *e, uint64_t with) {
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
static bool is_party(hd_native_entry *e) {
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
    hd_native_entry e = {.locations = locations, .about = about, .thread = thread};
    uint64_t before = hd_native_locations_party(locations, about->address);
    bool party = is_party(&e);
    return e.missing || (party && hd_native_locations_party(locations, about->address) != before);
}

void hd_native_entry_synchronise(hd_native_entry *e, uint64_t with) {
    uint64_t address = e->about->address;
    add_bodies(e, with);
    hd_native_entry_place(e, address);
    if (e->about->kind == HEDDLE_WAIT + 1)
        hd_native_entry_place(e, with);
    switch (e->about->kind) {
    case HEDDLE_ACQUIRE + 1:
        if (is_awaited(e))
            hd_native_entry_await(e, true);
        else
            add_lock(e);
        break;
    case HEDDLE_RELEASE + 1:
        if (!(e->about->flags & HEDDLE_WIRE_NESTED))
            hd_native_entry_access(e, HD_NATIVE_OBJECT, address,
                                   is_awaited(e) ? HD_MACHINE_WRITE : HD_MACHINE_RELEASE);
        break;
    case HEDDLE_READ_ACQUIRE + 1:
        hd_native_entry_await(e, false);
        break;
    case HEDDLE_RECV + 1:
        hd_native_entry_await(e, true);
        break;
    case HEDDLE_WAIT + 1:
        hd_native_entry_access(e, HD_NATIVE_OBJECT, address, HD_MACHINE_WRITE);
        hd_native_entry_access(e, HD_NATIVE_OBJECT, with,
                               (e->about->flags & (HEDDLE_WIRE_ODD | HEDDLE_WIRE_POLLED))
                                   ? HD_MACHINE_WRITE
                                   : HD_MACHINE_RELEASE);
        break;
    case HEDDLE_WAKE + 1:
        add_wake(e);
        break;
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
        e->operation->varies = true;
        hd_native_entry_access(e, HD_NATIVE_OBJECT, address, HD_MACHINE_WRITE);
        break;
    case HEDDLE_BARRIER_IN + 1:
        e->operation->varies = true;
        hd_native_entry_access(e, HD_NATIVE_OBJECT, address,
                               is_party(e) ? HD_MACHINE_ORDER : HD_MACHINE_WRITE);
        break;
    case HEDDLE_BARRIER_OUT + 1:
        hd_native_entry_access(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_RELEASE);
        break;
    default: /* SEND, READ_RELEASE */
        hd_native_entry_access(e, HD_NATIVE_OBJECT, address, HD_MACHINE_READ);
        break;
    }
}
