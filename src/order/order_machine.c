/*
 * The clock machine (Chang, Alg. 4 and 5, with its errata: locks publish at
 * the release, and a message keeps its sender's clock).
 *
 * A thread's clock counts its own events; a synchronising event first takes in
 * what it must come after, then leaves its clock where others will look: with
 * the lock, the message, the round.  A thread that waits or is at a barrier
 * does nothing else, so its wait's clock is the thread's.
 */
#include "order_machine.h"

#include "order_condition.h"
#include "order_vector.h"

struct thread {
    hd_vec_u32 clock; /* of its last event; from its fork on */
    uint32_t inside;  /* the wait (event) or barrier round it is in */
    /* Where memory orders count: its clock at the last fence that publishes, and what it read
     * without observing it, for the next fence that does. */
    hd_vec_u32 fenced, found;
};

struct lock {
    hd_vec_u32 written; /* last release of a writing hold */
    hd_vec_u32 read;    /* releases of reading holds since, joined */
};

/* Messages sent and not yet received: from `head` on. */
struct channel {
    HD_VEC(hd_vec_u32) sends;
    size_t head;
    hd_vec_u32 all; /* of a semaphore, where takes are after all posts: these, joined */
};

/* All arrivals of a round, joined, until the last of them has left. */
struct round {
    hd_vec_u32 clock;
    uint32_t inside;
};

struct barrier {
    uint32_t round; /* where arrivals go, + 1; 0: the next one opens a round */
};

struct hd_order_machine {
    enum hd_order_model model;
    const hd_order_must *must; /* NULL: guess */
    bool told;                 /* which threads take notifications */
    hd_vec_u32 takers;         /* of the next one */
    uint32_t number;           /* of the event at hand */
    HD_VEC(struct thread) threads;
    bool by_orders;
    enum hd_order_posts posts; /* that a take is after */
    bool weaker;               /* there was an order that is not the strongest */
    HD_VEC(hd_vec_u32)
    variables; /* clock of the atomic write last, empty if it was plain; where
                  memory orders count, of the release sequence that it is in */
    HD_VEC(struct lock) locks;
    HD_VEC(hd_order_condition) conditions;
    HD_VEC(struct barrier) barriers;
    HD_VEC(struct round) rounds;
    hd_vec_u32 free_rounds;
    HD_VEC(struct channel) channels, semaphores;
};

/* Makes room for index i. */
#define COVER(vector, i)                                                                           \
    do {                                                                                           \
        if ((i) >= (vector)->length)                                                               \
            hd_vec_resize(vector, (size_t)(i) + 1);                                                \
    } while (0)

hd_order_machine *hd_order_machine_create(enum hd_order_model model) {
    hd_order_machine *machine = HD_NEW(hd_order_machine);
    machine->model = model;
    return machine;
}

static void release_channel(struct channel *channel) {
    for (size_t i = 0; i < channel->sends.length; i++)
        hd_vec_release(&channel->sends.data[i]);
    hd_vec_release(&channel->sends);
    hd_vec_release(&channel->all);
}

static void release_lock(struct lock *lock) {
    hd_vec_release(&lock->written);
    hd_vec_release(&lock->read);
}

void hd_order_machine_free(hd_order_machine *machine) {
    if (!machine)
        return;
    for (size_t i = 0; i < machine->threads.length; i++) {
        hd_vec_release(&machine->threads.data[i].clock);
        hd_vec_release(&machine->threads.data[i].fenced);
        hd_vec_release(&machine->threads.data[i].found);
    }
    for (size_t i = 0; i < machine->variables.length; i++)
        hd_vec_release(&machine->variables.data[i]);
    for (size_t i = 0; i < machine->locks.length; i++)
        release_lock(&machine->locks.data[i]);
    for (size_t i = 0; i < machine->conditions.length; i++)
        hd_order_condition_release(&machine->conditions.data[i]);
    for (size_t i = 0; i < machine->rounds.length; i++)
        hd_vec_release(&machine->rounds.data[i].clock);
    for (size_t i = 0; i < machine->channels.length; i++)
        release_channel(&machine->channels.data[i]);
    for (size_t i = 0; i < machine->semaphores.length; i++)
        release_channel(&machine->semaphores.data[i]);
    hd_vec_release(&machine->threads);
    hd_vec_release(&machine->takers);
    hd_vec_release(&machine->variables);
    hd_vec_release(&machine->locks);
    hd_vec_release(&machine->conditions);
    hd_vec_release(&machine->barriers);
    hd_vec_release(&machine->rounds);
    hd_vec_release(&machine->free_rounds);
    hd_vec_release(&machine->channels);
    hd_vec_release(&machine->semaphores);
    free(machine);
}

void hd_order_machine_use_edges(hd_order_machine *machine, const hd_order_must *must) {
    assert(machine->number == 0);
    machine->must = must;
}

void hd_order_machine_count_orders(hd_order_machine *machine) {
    assert(machine->number == 0 && machine->model == HD_ORDER_POSET);
    machine->by_orders = true;
}

void hd_order_machine_take_after(hd_order_machine *machine, enum hd_order_posts posts) {
    assert(machine->number == 0 && machine->by_orders);
    machine->posts = posts;
}

/* ---- Threads ---- */

/* A thread's own component is there from its birth, so that counting an event
 * needs no test. */
static void add_thread(hd_order_machine *machine, uint32_t id) {
    for (size_t i = machine->threads.length; i <= id; i++) {
        struct thread thread = {0};
        hd_vec_resize(&thread.clock, i + 1);
        hd_vec_push(&machine->threads, thread);
    }
}

static hd_vec_u32 *clock_of(hd_order_machine *machine, uint32_t thread) {
    if (thread >= machine->threads.length)
        add_thread(machine, thread);
    return &machine->threads.data[thread].clock;
}

static void on_fork(hd_order_machine *machine, const heddle_event *event) {
    hd_vec_u32 *child = clock_of(machine, event->object);
    assert(!child->data[event->object]); /* it did nothing before its fork */
    hd_order_vector_join(child, clock_of(machine, event->thread));
}

/* A child without events is no reason to wait for its fork. */
static void on_join(hd_order_machine *machine, const heddle_event *event) {
    const hd_vec_u32 *child = clock_of(machine, event->object);
    if (child->data[event->object])
        hd_order_vector_join(clock_of(machine, event->thread), child);
}

/* ---- Locks and atomic variables: the poset only ---- */

static void on_lock(hd_order_machine *machine, const heddle_event *event) {
    if (machine->model != HD_ORDER_POSET || event->flags & HEDDLE_REENTRANT)
        return;
    COVER(&machine->locks, event->object);
    struct lock *lock = &machine->locks.data[event->object];
    hd_vec_u32 *clock = clock_of(machine, event->thread);
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
        hd_order_vector_join(clock, &lock->written);
        hd_order_vector_join(clock, &lock->read);
        hd_vec_clear(&lock->read);
        break;
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        hd_order_vector_join(clock, &lock->written);
        break;
    case HEDDLE_RELEASE:
        assert(!lock->read.length); /* no reader while it was held for writing */
        hd_order_vector_copy(&lock->written, clock);
        break;
    default:
        assert(event->kind == HEDDLE_READ_RELEASE);
        hd_order_vector_join(&lock->read, clock);
        break;
    }
}

/* As C11 and C++20 say.  A write that publishes begins a release sequence, which only updates go on
 * with; any other write publishes what the last fence before it did.  A read that observes is after
 * what the sequence it reads from has published; after any other read the next fence that observes
 * is. */
static void on_ordered(struct thread *thread, hd_vec_u32 *published, const heddle_event *event) {
    enum heddle_order order = heddle_event_order(event);
    if (hd_trace_reads(event))
        hd_order_vector_join(hd_trace_observes(order) ? &thread->clock : &thread->found, published);
    if (!hd_trace_writes(event))
        return;
    const hd_vec_u32 *own = hd_trace_publishes(order) ? &thread->clock : &thread->fenced;
    if (hd_trace_reads(event))
        hd_order_vector_join(published, own);
    else
        hd_order_vector_copy(published, own);
}

static void note_order(hd_order_machine *machine, const heddle_event *event) {
    machine->weaker |= heddle_event_order(event) != HEDDLE_ORDER_SEQ_CST;
}

static void on_fence(hd_order_machine *machine, const heddle_event *event) {
    struct thread *thread = &machine->threads.data[event->thread];
    if (!machine->by_orders)
        return;
    note_order(machine, event);
    if (hd_trace_observes(heddle_event_order(event)))
        hd_order_vector_join(&thread->clock, &thread->found);
    if (hd_trace_publishes(heddle_event_order(event)))
        hd_order_vector_copy(&thread->fenced, &thread->clock);
}

static void on_atomic(hd_order_machine *machine, const heddle_event *event) {
    if (machine->model != HD_ORDER_POSET)
        return;
    COVER(&machine->variables, event->object);
    hd_vec_u32 *written = &machine->variables.data[event->object];
    hd_vec_u32 *clock = clock_of(machine, event->thread);
    if (machine->by_orders) {
        note_order(machine, event);
        on_ordered(&machine->threads.data[event->thread], written, event);
        return;
    }
    if (hd_trace_reads(event))
        hd_order_vector_join(clock, written);
    if (hd_trace_writes(event))
        hd_order_vector_copy(written, clock);
}

/* What reads the variable now reads from a plain write. */
static inline void on_plain_write(hd_order_machine *machine, const heddle_event *event) {
    if (event->object < machine->variables.length)
        hd_vec_clear(&machine->variables.data[event->object]);
}

void hd_order_machine_split(hd_order_machine *machine, uint32_t whole, uint32_t part) {
    if (whole >= machine->variables.length || !machine->variables.data[whole].length)
        return;
    COVER(&machine->variables, part);
    hd_order_vector_copy(&machine->variables.data[part], &machine->variables.data[whole]);
}

void hd_order_machine_renew(hd_order_machine *machine, enum heddle_class class, uint32_t number) {
    if (class == HEDDLE_CLASS_VARIABLE && number < machine->variables.length)
        hd_vec_release(&machine->variables.data[number]);
    if (class == HEDDLE_CLASS_LOCK && number < machine->locks.length) {
        release_lock(&machine->locks.data[number]);
        machine->locks.data[number] = (struct lock){0};
    }
}

/* ---- Conditions ---- */

static hd_order_condition *condition_of(hd_order_machine *machine, const heddle_event *event) {
    COVER(&machine->conditions, event->object);
    return &machine->conditions.data[event->object];
}

static void on_wait(hd_order_machine *machine, const heddle_event *event) {
    machine->threads.data[event->thread].inside = machine->number;
    hd_order_condition_wait(condition_of(machine, event), machine->number, event->thread);
}

static void guess_waiters(hd_order_machine *machine, const heddle_event *event) {
    hd_order_condition *condition = condition_of(machine, event);
    hd_vec_u32 *clock = clock_of(machine, event->thread);
    uint32_t waiter;
    do {
        waiter = hd_order_condition_guess(condition, machine->number);
        if (waiter != HD_ORDER_NONE)
            hd_order_vector_join(clock, clock_of(machine, waiter));
    } while (waiter != HD_ORDER_NONE && event->kind == HEDDLE_NOTIFYALL);
}

/* The edges into a notification come from waits, whose threads still wait; and
 * from a fork, if it is its thread's first event, which is in its clock. */
static void waiters_by_edges(hd_order_machine *machine, const heddle_event *event) {
    const hd_trace *trace = machine->must->index->trace;
    hd_order_list before = hd_order_lists_of(&machine->must->into, machine->number);
    for (uint32_t i = 0; i < before.count; i++) {
        const heddle_event *source = hd_trace_event(trace, before.events[i]);
        if (source->kind == HEDDLE_WAIT)
            hd_order_vector_join(clock_of(machine, event->thread),
                                 clock_of(machine, source->thread));
    }
}

void hd_order_machine_tell(hd_order_machine *machine, const hd_vec_u32 *threads) {
    machine->told = true;
    hd_order_vector_copy(&machine->takers, threads);
}

static void on_notify(hd_order_machine *machine, const heddle_event *event) {
    if (machine->must)
        waiters_by_edges(machine, event);
    else if (!machine->told)
        guess_waiters(machine, event);
    for (size_t i = 0; i < machine->takers.length; i++) /* which still wait */
        hd_order_vector_join(clock_of(machine, event->thread),
                             clock_of(machine, machine->takers.data[i]));
    hd_order_condition_notify(condition_of(machine, event), machine->number,
                              event->kind == HEDDLE_NOTIFYALL, clock_of(machine, event->thread));
}

static void on_wake(hd_order_machine *machine, const heddle_event *event) {
    struct thread *thread = &machine->threads.data[event->thread];
    hd_order_condition_wake(condition_of(machine, event), thread->inside, &thread->clock);
}

/* ---- Barriers ---- */

static uint32_t open_round(hd_order_machine *machine) {
    if (machine->free_rounds.length) {
        uint32_t round = hd_vec_pop(&machine->free_rounds);
        assert(!machine->rounds.data[round].inside && !machine->rounds.data[round].clock.length);
        return round;
    }
    hd_vec_push(&machine->rounds, (struct round){0});
    return (uint32_t)machine->rounds.length - 1;
}

static void on_arrival(hd_order_machine *machine, const heddle_event *event) {
    COVER(&machine->barriers, event->object);
    struct barrier *barrier = &machine->barriers.data[event->object];
    if (!barrier->round)
        barrier->round = open_round(machine) + 1;
    struct thread *thread = &machine->threads.data[event->thread];
    struct round *round = &machine->rounds.data[barrier->round - 1];
    hd_order_vector_join(&round->clock, &thread->clock);
    round->inside++;
    assert(round->inside <= machine->threads.length); /* a thread is in it once */
    thread->inside = barrier->round - 1;
}

/* The first to leave closes the round; arrivals from then on are of the next. */
static void on_departure(hd_order_machine *machine, const heddle_event *event) {
    struct thread *thread = &machine->threads.data[event->thread];
    struct barrier *barrier = &machine->barriers.data[event->object];
    struct round *round = &machine->rounds.data[thread->inside];
    assert(round->inside);
    if (barrier->round == thread->inside + 1)
        barrier->round = 0;
    hd_order_vector_join(&thread->clock, &round->clock);
    if (--round->inside == 0) {
        hd_vec_clear(&round->clock);
        hd_vec_push(&machine->free_rounds, thread->inside);
    }
}

/* ---- Channels; semaphores likewise, but in the poset only ---- */

static bool is_of_semaphore(const heddle_event *event) {
    return event->kind == HEDDLE_POST || event->kind == HEDDLE_TAKE;
}

static struct channel *channel_of(hd_order_machine *machine, const heddle_event *event) {
    if (is_of_semaphore(event)) {
        COVER(&machine->semaphores, event->object);
        return &machine->semaphores.data[event->object];
    }
    COVER(&machine->channels, event->object);
    return &machine->channels.data[event->object];
}

static void on_send(hd_order_machine *machine, const heddle_event *event) {
    hd_vec_u32 message = {0};
    if (is_of_semaphore(event) && machine->model != HD_ORDER_POSET)
        return;
    struct channel *channel = channel_of(machine, event);
    if (is_of_semaphore(event) && machine->posts != HD_ORDER_OLDEST_POST)
        hd_order_vector_join(&channel->all, clock_of(machine, event->thread));
    hd_order_vector_copy(&message, clock_of(machine, event->thread));
    hd_vec_push(&channel->sends, message);
}

/* Received messages are moved out when they are half of the list. */
static void shorten(struct channel *channel) {
    assert(channel->head <= channel->sends.length);
    if (channel->head * 2 < channel->sends.length)
        return;
    channel->sends.length -= channel->head;
    memmove(channel->sends.data, channel->sends.data + channel->head,
            channel->sends.length * sizeof *channel->sends.data);
    channel->head = 0;
}

static bool after_all_posts(const hd_order_machine *machine) {
    return machine->posts == HD_ORDER_ALL_POSTS ||
           (machine->posts == HD_ORDER_ALL_POSTS_IF_WEAKER && machine->weaker);
}

static void on_recv(hd_order_machine *machine, const heddle_event *event) {
    struct channel *channel = channel_of(machine, event);
    if (is_of_semaphore(event) && after_all_posts(machine))
        hd_order_vector_join(clock_of(machine, event->thread), &channel->all);
    if (channel->head == channel->sends.length)
        return; /* an initial unit */
    assert(channel->head < channel->sends.length);
    hd_vec_u32 *message = &channel->sends.data[channel->head];
    hd_order_vector_join(clock_of(machine, event->thread), message);
    channel->head++;
    hd_vec_release(message);
    shorten(channel);
}

/* ---- All ---- */

static void synchronise(hd_order_machine *machine, const heddle_event *event) {
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_ATOMIC_READ:
    case HEDDLE_ATOMIC_WRITE:
    case HEDDLE_ATOMIC_RMW:
        on_atomic(machine, event);
        break;
    case HEDDLE_ACQUIRE:
    case HEDDLE_RELEASE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_READ_RELEASE:
    case HEDDLE_TRY_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        on_lock(machine, event);
        break;
    case HEDDLE_FORK:
        on_fork(machine, event);
        break;
    case HEDDLE_JOIN:
        on_join(machine, event);
        break;
    case HEDDLE_WAIT:
        on_wait(machine, event);
        break;
    case HEDDLE_WAKE:
        on_wake(machine, event);
        break;
    case HEDDLE_NOTIFY:
    case HEDDLE_NOTIFYALL:
        on_notify(machine, event);
        break;
    case HEDDLE_BARRIER_IN:
        on_arrival(machine, event);
        break;
    case HEDDLE_BARRIER_OUT:
        on_departure(machine, event);
        break;
    case HEDDLE_SEND:
    case HEDDLE_POST:
        on_send(machine, event);
        break;
    case HEDDLE_RECV:
    case HEDDLE_TAKE:
        on_recv(machine, event);
        break;
    case HEDDLE_FENCE:
        on_fence(machine, event);
        break;
    default:
        break; /* no order between threads */
    }
}

/* A clock has of each thread no more events than the thread had so far. */
HD_ASSERT_ONLY static bool knows_the_past_only(const hd_order_machine *machine,
                                               const hd_vec_u32 *clock) {
    for (size_t t = 0; t < clock->length; t++)
        if (clock->data[t] && (t >= machine->threads.length ||
                               clock->data[t] > machine->threads.data[t].clock.data[t]))
            return false;
    return true;
}

hd_order_time hd_order_machine_step(hd_order_machine *machine, const heddle_event *event) {
    unsigned traits = hd_trace_traits(event);
    machine->number++;
    uint32_t own = ++clock_of(machine, event->thread)->data[event->thread];
    if (!(traits & HEDDLE_T_ACCESS) || traits & HEDDLE_T_ATOMIC)
        synchronise(machine, event);
    else if (traits & HEDDLE_T_WRITES)
        on_plain_write(machine, event);
    const hd_vec_u32 *clock = &machine->threads.data[event->thread].clock;
    assert(clock->data[event->thread] == own); /* no clock knows more of a thread than its own */
    HD_COSTLY_ASSERT(knows_the_past_only(machine, clock));
    (void)own;
    return (hd_order_time){clock->data, (uint32_t)clock->length};
}

uint32_t hd_order_machine_wrong(const hd_order_machine *machine) {
    uint32_t wrong = 0;
    for (size_t i = 0; i < machine->conditions.length && !machine->must && !machine->told; i++)
        wrong += machine->conditions.data[i].wrong + machine->conditions.data[i].open;
    return wrong;
}

hd_order_time hd_order_machine_time(const hd_order_machine *machine, uint32_t thread) {
    if (thread >= machine->threads.length || !machine->threads.data[thread].clock.data[thread])
        return (hd_order_time){NULL, 0};
    const hd_vec_u32 *clock = &machine->threads.data[thread].clock;
    return (hd_order_time){clock->data, (uint32_t)clock->length};
}

hd_order_time hd_order_machine_start(const hd_order_machine *machine, uint32_t thread) {
    if (thread >= machine->threads.length)
        return (hd_order_time){NULL, 0};
    const hd_vec_u32 *clock = &machine->threads.data[thread].clock;
    return (hd_order_time){clock->data, (uint32_t)clock->length};
}
