/*
 * What operations of a program read and write, for a search by reads-from (hd_machine_type.
 * by_reads).  Otherwise the accesses of an operation say only what it depends on
 * (native_locations.c); here they must tell what it does next, and whether it waits.
 *
 *   memory               a load reads, a store writes, an update does both; a compare-and-swap
 *                        that fails reads; a read of a loop that waits also reads the other
 *                        words of its round; a store in one reads what it writes over
 *   a freed word         freeing writes it, and a store there reads it: it fails then
 *   mutex, spin lock     acquire, release; if some thread tries it, or has a time limit, it is read
 *                        too
 *   read-write lock      the lock has the writer; each thread has its own count of readings,
 *                        which a writer reads
 *   semaphore            read and written by post and take
 *   condition            read and written by wait and notify, which write the flags of waiters;
 *                        a waiter reads its flag; one whose time is up, or that wakes by itself,
 *                        reads and writes the condition, too
 *   barrier              the same; but if the same threads pass it in every round, an arrival
 *                        is only written, and read by all that leave
 *   thread               its creation is written by fork and read by its first step; its end is
 *                        written by its last step and read by join, and by attempts to: start,
 *                        end and every join are steps (HEDDLE_WIRE_ENDS_APART)
 *   atomic section       reads what it was seen to read, anywhere, and reads and writes what it
 *                        was seen to write (native_bodies.h)
 *   clock                read and written by each look at it; if there are any, by sleeps, too,
 *                        and by calls whose time is up
 *   the process          written by exit, read by all others if there is one
 *   output, other state  read and written, so that its order is part of a class
 *
 * What is not listed is not supported: then the machine has changed, and is not by_reads any more.
 */
#include "native_reads.h"

#include <xxhash.h>

enum { BOTH = HD_MACHINE_READ | HD_MACHINE_WRITE, WORD = 8 };

typedef struct entry {
    hd_native_program *m;
    const heddle_wire_operation *about;
    hd_native_accesses *accesses;
    uint32_t thread;
    bool succeeds;
    const char *unread; /* what is not supported; NULL: all is */
    bool missing;
} entry;

static void add(const entry *e, enum hd_native_sort sort, uint64_t address, unsigned mode) {
    hd_native_locations_add(&e->m->locations, sort, address, mode, e->accesses);
}

/* ---- Memory ---- */

static bool is_in(uint64_t address, uint64_t low, uint64_t size) {
    return address >= low && address < low + size;
}

/* What belongs to another thread is gone when that has ended. */
static bool is_of_other(const entry *e, uint64_t address) {
    const heddle_wire *wire = e->m->server.run.wire;
    for (uint32_t t = 1; t < e->m->base.threads; t++) {
        const heddle_wire_thread *thread = &wire->thread[t];
        if (t != e->thread &&
            (is_in(address, thread->stack, thread->stack_size) ||
             (thread->tls && is_in(address, thread->tls + (uint64_t)wire->tls, wire->tls_size))))
            return true;
    }
    return false;
}

static bool is_heap(uint64_t address) {
    return address >= HEDDLE_WIRE_HEAP && address < HEDDLE_WIRE_HEAP_END;
}

static void add_range(entry *e, uint64_t address, uint32_t size, bool plain, unsigned mode) {
    if (is_of_other(e, address))
        e->unread = "memory of another thread's stack";
    e->missing |=
        hd_native_locations_add_memory(&e->m->locations, address, size, plain, mode, e->accesses);
}

/* Whether words of the heap were freed. */
static void add_freed(entry *e, unsigned mode) {
    uint64_t low = e->about->address / 8, size = e->about->size ? e->about->size : 1;
    bool plain = e->about->kind == HEDDLE_WRITE + 1;
    if (!is_heap(e->about->address))
        return;
    for (uint64_t word = low; word <= (e->about->address + size - 1) / 8; word++)
        if (!plain || hd_native_server_shared(&e->m->server, word))
            add(e, HD_NATIVE_FREED, word, mode);
}

/* A word that a loop waits for besides that of the operation. */
static void add_word(entry *e, uint64_t word) {
    if (word)
        add_range(e, word & ((UINT64_C(1) << 56) - 1), (uint32_t)(word >> 56), false,
                  HD_MACHINE_READ);
}

/* In a loop that waits, a read waits until it, or another word of the round, has another value than
 * before. */
static void add_spin(entry *e, const heddle_wire_next *next) {
    if (!(e->about->flags & HEDDLE_WIRE_SPINS))
        return;
    add_word(e, next->with);
    for (size_t i = 0; i < sizeof next->also / sizeof *next->also; i++)
        add_word(e, next->also[i]);
}

static void add_memory(entry *e, bool plain, unsigned mode) {
    add_range(e, e->about->address, e->about->size, plain, mode);
}

/* Of two threads that join one, the second finds by this word that it is gone (rt_handle.h). */
static uint64_t handle_of(const entry *e, uint64_t thread) {
    return e->m->server.run.wire->thread_words + thread * WORD;
}

static bool ends_handle(const entry *e) {
    return is_in(e->about->address, handle_of(e, 0), (uint64_t)HEDDLE_WIRE_THREADS * WORD);
}

static void add_store(entry *e, bool plain) {
    bool reads = e->about->flags & HEDDLE_WIRE_TELLS || ends_handle(e);
    add_memory(e, plain, reads ? BOTH : HD_MACHINE_WRITE);
    add_freed(e, e->about->flags & HEDDLE_WIRE_FREES ? BOTH : HD_MACHINE_READ);
}

/* ---- Locks and other objects ---- */

/* One that is repeated until it succeeds is a wait.  A call with a time limit is a try: whether its
 * time is up depends on nothing (hd_rt_able), so it never waits, and fails where it would. */
static bool is_try(const entry *e) {
    return e->about->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED) &&
           !(e->about->flags & HEDDLE_WIRE_SPINS);
}

/* Locks that are handed over like memory. */
static bool is_state(const entry *e) {
    return e->about->size == HEDDLE_WIRE_STREAM || e->about->size == HEDDLE_WIRE_ANNOTATED;
}

static void add_lock(entry *e) {
    if (e->about->flags & HEDDLE_WIRE_NESTED)
        return;
    if (is_state(e))
        add(e, HD_NATIVE_OBJECT, e->about->address,
            is_try(e) && !e->succeeds ? HD_MACHINE_READ : BOTH);
    else if (!is_try(e)) {
        e->m->locks = true;
        add(e, HD_NATIVE_OBJECT, e->about->address, HD_MACHINE_ACQUIRE);
    } else {
        e->missing |= hd_native_reads_try(e->m, e->about->address);
        add(e, HD_NATIVE_OBJECT, e->about->address,
            e->succeeds ? HD_MACHINE_ACQUIRE | BOTH : HD_MACHINE_READ);
    }
}

static void add_release(entry *e) {
    if (!(e->about->flags & HEDDLE_WIRE_NESTED))
        add(e, HD_NATIVE_OBJECT, e->about->address, is_state(e) ? BOTH : HD_MACHINE_RELEASE);
}

static uint64_t reader_of(const entry *e, uint32_t thread) {
    return e->about->address | (uint64_t)thread << HD_NATIVE_THREAD_SHIFT;
}

/* A try that fails changes nothing. */
static unsigned change(const entry *e) {
    return is_try(e) && !e->succeeds ? HD_MACHINE_READ : BOTH;
}

static void add_rwlock(entry *e, bool writes) {
    bool fails = is_try(e) && !e->succeeds;
    add(e, HD_NATIVE_OBJECT, e->about->address, writes && !fails ? BOTH : HD_MACHINE_READ);
    for (uint32_t t = 0; writes && t < e->m->base.threads; t++)
        add(e, HD_NATIVE_READER, reader_of(e, t), HD_MACHINE_READ);
    if (!writes && !fails)
        add(e, HD_NATIVE_READER, reader_of(e, e->thread), BOTH);
    if (e->m->base.threads > 1U << (56 - HD_NATIVE_THREAD_SHIFT))
        e->unread = "read-write locks of so many threads";
}

/* How often the thread has arrived at the barrier so far. */
static uint32_t count_arrivals(const entry *e) {
    const hd_native_program *m = e->m;
    uint32_t count = 0;
    for (size_t i = 0; i < m->path.length; i++) {
        uint32_t taken = m->taken.data[i].before;
        if (m->path.data[i].thread != e->thread || !taken)
            continue;
        const heddle_wire_operation *about = &m->log->nexts.data[taken - 1].operation;
        count += about->kind == HEDDLE_BARRIER_IN + 1 && about->address == e->about->address;
    }
    return count;
}

/* No thread comes twice before all have left, so two arrivals of each thread are told apart. */
static void add_arrivals(entry *e, uint64_t threads, uint32_t round, unsigned mode) {
    uint64_t place = e->about->address | (round & 1);
    for (uint64_t rest = threads; rest; rest &= rest - 1)
        add(e, HD_NATIVE_ARRIVAL, place | (uint64_t)__builtin_ctzll(rest) << HD_NATIVE_THREAD_SHIFT,
            mode);
}

static void add_barrier(entry *e, bool leaves) {
    bool changed = !leaves && hd_native_locations_arrive(&e->m->locations, e->thread, e->about);
    uint64_t party = hd_native_locations_party(&e->m->locations, e->about->address);
    e->missing |= changed;
    if (party && leaves)
        add_arrivals(e, party, count_arrivals(e) - 1, HD_MACHINE_READ);
    else if (party)
        add_arrivals(e, UINT64_C(1) << e->thread, count_arrivals(e), HD_MACHINE_WRITE);
    else if (leaves)
        add(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_READ);
    else {
        add(e, HD_NATIVE_OBJECT, e->about->address, BOTH);
        add(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_WRITE);
    }
}

static void add_object(entry *e, uint64_t with) {
    uint64_t address = e->about->address;
    bool rwlock = e->about->size == HEDDLE_WIRE_RWLOCK;
    switch (e->about->kind) {
    case HEDDLE_ACQUIRE + 1:
        if (rwlock)
            add_rwlock(e, true);
        else
            add_lock(e);
        break;
    case HEDDLE_RELEASE + 1:
        if (rwlock)
            add(e, HD_NATIVE_OBJECT, address, BOTH);
        else
            add_release(e);
        break;
    case HEDDLE_READ_ACQUIRE + 1:
        if (rwlock)
            add_rwlock(e, false);
        else
            add(e, HD_NATIVE_OBJECT, address, change(e));
        break;
    case HEDDLE_READ_RELEASE + 1:
        if (rwlock)
            add(e, HD_NATIVE_READER, reader_of(e, e->thread), BOTH);
        else
            add(e, HD_NATIVE_OBJECT, address, BOTH);
        break;
    case HEDDLE_RECV + 1:
        add(e, HD_NATIVE_OBJECT, address,
            e->about->flags & HEDDLE_WIRE_LOOKS ? HD_MACHINE_READ : change(e));
        break;
    case HEDDLE_WAIT + 1:
        add(e, HD_NATIVE_OBJECT, address, BOTH);
        add(e, HD_NATIVE_OBJECT, with, HD_MACHINE_RELEASE);
        add(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_WRITE);
        break;
    case HEDDLE_WAKE + 1:
        add(e, HD_NATIVE_FLAG, e->thread, HD_MACHINE_READ);
        if (is_try(e) && !e->succeeds) /* others do not find it there any more */
            add(e, HD_NATIVE_OBJECT, address, BOTH);
        break;
    case HEDDLE_BARRIER_IN + 1:
    case HEDDLE_BARRIER_OUT + 1:
        add_barrier(e, e->about->kind == HEDDLE_BARRIER_OUT + 1);
        break;
    default: /* SEND, NOTIFY, NOTIFYALL */
        add(e, HD_NATIVE_OBJECT, address, BOTH);
        break;
    }
}

/* ---- Code without instrumentation ---- */

/* The address of a state of state.def. */
static uint64_t state_of(enum heddle_wire_kept which) {
    return HEDDLE_WIRE_STATES + UINT64_C(16) * which;
}

static void add_call(entry *e) {
    uint64_t printed = state_of(HEDDLE_WIRE_KEPT_printed);
    unsigned mode = e->about->flags & HEDDLE_WIRE_LOOKS ? HD_MACHINE_READ : BOTH;
    uint64_t also = (uint64_t)e->about->deadline;
    add(e, HD_NATIVE_STATE, e->about->address, mode);
    if (e->about->flags & HEDDLE_WIRE_ALSO)
        add(e, HD_NATIVE_STATE, also & ~UINT64_C(1), also & 1 ? HD_MACHINE_READ : BOTH);
    if (e->about->flags & HEDDLE_WIRE_FILED)
        add(e, HD_NATIVE_STATE, state_of(HEDDLE_WIRE_KEPT_files), HD_MACHINE_READ);
    if (e->about->flags & HEDDLE_WIRE_PRINTS && e->about->address != printed)
        add(e, HD_NATIVE_STATE, printed, BOTH);
    if (e->about->flags & HEDDLE_WIRE_INSIDE && e->about->size)
        add_range(e, e->about->address, e->about->size, true, mode);
    if (is_heap(e->about->address))
        add(e, HD_NATIVE_FREED, e->about->address / 8, HD_MACHINE_READ);
    if (e->about->flags & HEDDLE_WIRE_STORES)
        e->unread = "a function that changes data of its library";
}

/* ---- Atomic sections ---- */

/* What it may write it also reads, as it may not write it.  If it is not known yet what it
 * accesses, the first run that takes it shows that, and the search starts over. */
static void add_section(entry *e) {
    const hd_native_bodies *bodies = &e->m->locations.bodies;
    uint64_t key = hd_native_bodies_key(e->thread, e->about->code);
    const hd_native_body *body = hd_native_bodies_find(bodies, key);
    if (!e->about->orders || hd_native_bodies_is_all(bodies, key))
        e->unread = "an atomic section that does more than access memory";
    for (size_t i = 0; body && i < body->now; i++) {
        const hd_native_range *range = &body->ranges.data[i];
        add_range(e, range->address, range->size, false, range->write ? BOTH : HD_MACHINE_READ);
    }
}

/* ---- Time ---- */

/* Time stands still but where a thread asks for it, sleeps, or waits until its time is up.  So
 * these read it and write it if any thread asks. */
static void add_time(entry *e) {
    bool asks = e->about->kind == HEDDLE_WIRE_FENCE && !e->about->address &&
                e->about->size == HEDDLE_WIRE_A_CLOCK;
    bool passes = e->about->flags & HEDDLE_WIRE_TIMED &&
                  (e->about->kind == HEDDLE_WIRE_SLEEP || !e->succeeds);
    if (e->m->server.explore->hidden & HEDDLE_WIRE_ASKS_TIME && !e->m->clock)
        e->m->clock = e->missing = true;
    if (asks || (passes && e->m->clock))
        add(e, HD_NATIVE_CLOCK, 0, BOTH);
}

/* ---- All kinds ---- */

/* Is it what a loop can wait at? */
static bool may_spin(const heddle_wire_operation *about) {
    switch (about->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_ATOMIC_RMW + 1:
        return true;
    default:
        return about->flags & HEDDLE_WIRE_TRY;
    }
}

/* What makes an operation depend on more than the above, whatever its kind. */
static const char *odd_flag(const entry *e) {
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {
        {HEDDLE_WIRE_EITHER, "a wait that may be interrupted"},
        {HEDDLE_WIRE_WATCHED, "an object that is made or destroyed while threads run"},
        {HEDDLE_WIRE_ODD, "an object that is overwritten or looked at while threads run"},
        {HEDDLE_WIRE_POLLED, "a loop that waits and takes locks"},
        {HEDDLE_WIRE_INSIDE, "an operation of code without instrumentation"},
    };
    unsigned set = e->about->flags;
    if (set & HEDDLE_WIRE_SPINS && !may_spin(e->about))
        return "a loop that waits and takes locks";
    if (e->about->kind == HEDDLE_WIRE_CALL)
        set &= ~(unsigned)HEDDLE_WIRE_INSIDE;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (set & flags[i].flag)
            return flags[i].name;
    return NULL;
}

static void add_rest(entry *e) {
    uint64_t address = e->about->address;
    switch (e->about->kind) {
    case HEDDLE_WIRE_NOTHING:
    case HEDDLE_WIRE_START:
        if (e->thread)
            add(e, HD_NATIVE_THREAD, e->thread, HD_MACHINE_READ);
        break;
    case HEDDLE_FORK + 1:
        add(e, HD_NATIVE_THREAD, address, HD_MACHINE_WRITE);
        break;
    case HEDDLE_WIRE_FINISH:
        add(e, HD_NATIVE_END, e->thread, HD_MACHINE_WRITE);
        if (address)
            e->unread = "the end of main before other threads";
        break;
    case HEDDLE_JOIN + 1:
        add(e, HD_NATIVE_END, address, HD_MACHINE_READ);
        add_range(e, handle_of(e, address), WORD, true, HD_MACHINE_READ);
        break;
    case HEDDLE_WIRE_ONCE:
        add_range(e, address, e->about->size == HEDDLE_WIRE_BY_ONCE ? 4 : 2, false,
                  e->succeeds ? BOTH : HD_MACHINE_READ);
        break;
    case HEDDLE_WIRE_OUTPUT:
        add(e, HD_NATIVE_OBJECT, address, BOTH);
        if (e->about->size)
            add(e, HD_NATIVE_STATE, state_of(HEDDLE_WIRE_KEPT_printed), BOTH);
        break;
    case HEDDLE_WIRE_CALL:
        add_call(e);
        break;
    case HEDDLE_WIRE_SLEEP:
    case HEDDLE_WIRE_YIELD:
    case HEDDLE_WIRE_EXIT:
    case HEDDLE_WIRE_ASSUME:
    case HEDDLE_WIRE_ROUND:
    case HEDDLE_WIRE_CHOICE:
    case HEDDLE_MARK + 1:
        break;
    case HEDDLE_WIRE_FENCE:
        if (address)
            e->unread = address < HEDDLE_WIRE_PAGE ? "a signal" : "a futex";
        break;
    case HEDDLE_WIRE_FUTEX:
        e->unread = "a futex";
        break;
    case HEDDLE_WIRE_EXTERNAL:
        e->unread = "a wait for something outside the program";
        break;
    case HEDDLE_WIRE_CANCEL:
    case HEDDLE_WIRE_TESTS:
        e->unread = "the cancellation of a thread";
        break;
    case HEDDLE_WIRE_ATOMIC:
        add_section(e);
        break;
    case HEDDLE_WIRE_REUSE:
        e->unread = "freed memory that is handed out again";
        break;
    default:
        e->unread = "an unknown operation";
        break;
    }
}

static void add_operation(entry *e, const heddle_wire_next *next) {
    unsigned kind = e->about->kind;
    switch (kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        add_memory(e, kind == HEDDLE_READ + 1, HD_MACHINE_READ);
        add_spin(e, next);
        break;
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        add_store(e, kind == HEDDLE_WRITE + 1);
        break;
    case HEDDLE_ATOMIC_RMW + 1:
        add_memory(e, false, e->succeeds ? BOTH : HD_MACHINE_READ);
        break;
    case HEDDLE_ACQUIRE + 1:
    case HEDDLE_RELEASE + 1:
    case HEDDLE_READ_ACQUIRE + 1:
    case HEDDLE_READ_RELEASE + 1:
    case HEDDLE_WAIT + 1:
    case HEDDLE_WAKE + 1:
    case HEDDLE_NOTIFY + 1:
    case HEDDLE_NOTIFYALL + 1:
    case HEDDLE_BARRIER_IN + 1:
    case HEDDLE_BARRIER_OUT + 1:
    case HEDDLE_SEND + 1:
    case HEDDLE_RECV + 1:
        if (is_heap(e->about->address)) /* freeing it is a write to its first word */
            add(e, HD_NATIVE_FREED, e->about->address / 8, HD_MACHINE_READ);
        add_object(e, next->with);
        break;
    default:
        add_rest(e);
        break;
    }
}

/* What the whole program does. */
static const char *odd_program(const hd_native_program *m) {
    const heddle_wire_explore *explore = m->server.explore;
    if (explore->exits & HEDDLE_WIRE_CANCELS)
        return "the cancellation of a thread";
    if (explore->exits & HEDDLE_WIRE_MAKES_OBJECTS)
        return "an object that is made or destroyed while threads run";
    if (explore->exits & HEDDLE_WIRE_ODD_OBJECTS)
        return "an object that is overwritten or looked at while threads run";
    if (explore->exits & HEDDLE_WIRE_MOVES_WAITERS)
        return "a futex";
    if (explore->targets)
        return "a signal";
    if (explore->ends & HEDDLE_WIRE_ENDS_LAST)
        return "the end of main before other threads";
    if (explore->hidden & HEDDLE_WIRE_HIDES_WRITERS)
        return "a read-write lock that prefers writers";
    if (explore->orphans)
        return "a robust mutex";
    if (m->races && m->locks &&
        explore->weaker) /* the order of locks decides, which is in no class */
        return "races where locks and weaker memory orders meet";
    return NULL;
}

bool hd_native_reads_enter(hd_native_program *m, uint32_t thread, const heddle_wire_next *next,
                           bool succeeds, hd_machine_operation *operation,
                           hd_native_accesses *accesses) {
    const heddle_wire_operation *about = &next->operation;
    entry e = {
        .m = m, .about = about, .accesses = accesses, .thread = thread, .succeeds = succeeds};
    operation->ends = about->kind == HEDDLE_WIRE_EXIT;
    operation->varies = operation->awaits = true; /* it is asked for again whenever that matters */
    if (m->exits & HEDDLE_WIRE_EXITS && !operation->idle) /* nothing comes after it */
        add(&e, HD_NATIVE_PROCESS, 0, operation->ends ? HD_MACHINE_WRITE : HD_MACHINE_READ);
    add_operation(&e, next);
    add_time(&e);
    const char *odd = odd_flag(&e);
    if (!odd)
        odd = odd_program(m);
    if (!e.unread)
        e.unread = odd;
    if (e.unread)
        m->unread = e.unread;
    return e.unread || e.missing;
}

/* ---- The machine ---- */

bool hd_native_reads_try(hd_native_program *m, uint64_t lock) {
    bool added;
    hd_map_at(&m->tried, lock, &added);
    return added;
}

/* Locks that are tried, of another machine; true if some are new. */
static bool add_tried(hd_native_program *m, const hd_native_program *other) {
    bool news = false;
    size_t at = 0;
    uint64_t lock;
    uint32_t value;
    while (hd_map_each(&other->tried, &at, &lock, &value))
        news |= hd_native_reads_try(m, lock);
    return news;
}

void hd_native_reads_copy(hd_native_program *to, const hd_native_program *from) {
    to->base.reads = from->base.reads;
    to->races = from->races;
    to->outcomes = from->outcomes;
    if (!from->base.reads)
        return;
    to->unread = from->unread;
    to->locks = from->locks;
    to->clock = from->clock;
    add_tried(to, from);
    hd_native_reads_alone_learn(to, from);
    hd_native_locations_join(&to->locations, &from->locations);
}

void hd_native_reads_learn(hd_native_program *m, const hd_native_program *copy) {
    if (!m->base.reads || !copy->base.reads)
        return;
    bool news = add_tried(m, copy) | (copy->clock && !m->clock);
    news |= hd_native_locations_join(&m->locations, &copy->locations);
    m->locks |= copy->locks;
    m->clock |= copy->clock;
    if (!m->unread)
        m->unread = copy->unread;
    bool unread = m->unread != NULL;
    hd_native_reads_alone_learn(m, copy);
    if (!m->unread)
        m->unread = odd_program(m);
    m->changed |= news || (!unread && m->unread);
}

bool hd_native_reads_all(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    return machine->reads && !m->unread;
}

bool hd_native_reads_lock(const hd_machine *machine, uint32_t location) {
    const hd_native_program *m = hd_native_program_const(machine);
    hd_native_location it = hd_native_locations_at(&m->locations, location);
    return it.sort == HD_NATIVE_OBJECT && hd_map_find(&m->tried, it.address);
}

/* The accesses of the last step, an atomic section, and the values that they read and wrote. */
static uint64_t print_section(const hd_native_program *m) {
    uint32_t number = (uint32_t)m->path.length - 1;
    uint32_t first = number ? m->log->steps.data[number - 1].nexts : 0;
    uint64_t hash = 0;
    for (uint32_t i = first; i < m->log->steps.data[number].nexts; i++) {
        const heddle_wire_next *inner = &m->log->nexts.data[i];
        uint64_t words[] = {inner->operation.kind, inner->operation.size, inner->operation.address,
                            inner->with, inner->also[0]};
        if (inner->inner)
            hash = XXH3_64bits_withSeed(words, sizeof words, hash);
    }
    return hash;
}

/* What it did and found there.  If outcomes are wanted, an exit or a failure while others run is
 * not supported: what they have printed by then is chance. */
uint64_t hd_native_reads_print(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire_step *step = hd_native_program_step(m);
    uint32_t thread = 0;
    if (!step || hd_native_program_broken(m))
        return 0;
    heddle_wire_operation about = hd_native_program_last(m, &thread);
    if (m->outcomes && (about.kind == HEDDLE_WIRE_EXIT || m->failed)) {
        m->unread = "an end of the process while threads run";
        m->changed = true;
    }
    bool accesses = about.kind >= HEDDLE_READ + 1 && about.kind <= HEDDLE_ATOMIC_RMW + 1;
    bool section = about.kind == HEDDLE_WIRE_ATOMIC && !m->failed;
    uint64_t words[] = {about.kind,
                        about.orders,
                        about.flags,
                        about.size,
                        about.address,
                        about.code,
                        step->choice,
                        accesses ? step->before : 0,
                        accesses && !m->failed ? step->value
                        : section              ? print_section(m)
                                               : 0};
    return XXH3_64bits(words, sizeof words);
}

void hd_native_machine_by_reads(hd_machine *machine, bool on, bool races, bool outcomes) {
    hd_native_program *m = hd_native_program_of(machine);
    heddle_wire_explore *explore = m->server.explore;
    machine->reads = on;
    m->races = races;
    m->outcomes = outcomes;
    if (on)
        explore->ends |= HEDDLE_WIRE_ENDS_APART;
    else
        explore->ends &= ~(uint32_t)(HEDDLE_WIRE_ENDS_APART | HEDDLE_WIRE_ENDS_ALONE);
    m->ends = explore->ends;
    explore->renewed++;
    m->changed = true;
}

const char *hd_native_machine_unread(const hd_machine *machine) {
    return hd_native_program_const(machine)->unread;
}
