/*
 * Random message passing, as the distributed computations of Chang's
 * dissertation (Predicate Detection for Parallel Computations, tables 3.1 and
 * 4.2: d-300, w-8 and their like), which it calls randomly generated and
 * describes no further.
 *
 * The threads go in rounds, each once a round, in an order drawn for the round.
 * If a message has waited for a thread since at least `lag` events, it takes
 * the one sent first.  Else with the given probability the event is communication: it takes
 * the message sent first if there is one and a coin says so, else it sends one
 * to a drawn other thread.  Else it writes its own variable.  A small lag and a
 * high probability make a narrow lattice of global states, whose size then
 * grows in proportion to the length of the computation; the reverse makes it
 * explode.
 */
#include "generate_emit.h"

struct message {
    uint64_t sent; /* events before it */
    uint32_t channel;
};

/* Messages to one thread, in the order sent. */
struct inbox {
    HD_VEC(struct message) messages;
    size_t taken;
};

struct network {
    hd_trace *trace;
    hd_random random;
    uint64_t lag;
    uint32_t probability;
    uint32_t threads;
    struct inbox *inboxes;
    uint32_t *order; /* of the threads in this round */
    uint64_t round;
    hd_map channels; /* of a pair sender, receiver; named when first used */
};

static uint32_t channel_of(struct network *network, uint32_t from, uint32_t to) {
    bool added;
    uint32_t *channel =
        hd_map_at(&network->channels, (uint64_t)from * network->threads + to, &added);
    if (added)
        *channel = hd_trace_name(network->trace, HEDDLE_CLASS_CHANNEL, "c%u.%u", from + 1, to + 1);
    return *channel;
}

static bool has_message(const struct inbox *inbox) {
    return inbox->taken < inbox->messages.length;
}

static bool must_take(const struct network *network, const struct inbox *inbox) {
    return has_message(inbox) &&
           network->trace->events.length - inbox->messages.data[inbox->taken].sent >= network->lag;
}

static void take_message(struct network *network, uint32_t thread) {
    struct inbox *inbox = &network->inboxes[thread];
    hd_generate_emit(network->trace, thread, HEDDLE_RECV,
                     inbox->messages.data[inbox->taken++].channel);
}

static uint32_t draw_other(struct network *network, uint32_t thread) {
    uint32_t other = (uint32_t)hd_random_below(&network->random, network->threads - 1);
    return other + (other >= thread);
}

static uint64_t last_addressed(const struct inbox *inbox) {
    return inbox->messages.length > 0 ? hd_vec_last(&inbox->messages)->sent + 1 : 0;
}

/* Sends to one of two drawn threads, the one that was sent to longer ago, so that none waits
 * long. */
static void send_message(struct network *network, uint32_t thread) {
    uint32_t to = draw_other(network, thread), other = draw_other(network, thread);
    if (last_addressed(&network->inboxes[other]) < last_addressed(&network->inboxes[to]))
        to = other;
    uint32_t channel = channel_of(network, thread, to);
    hd_vec_push(&network->inboxes[to].messages,
                (struct message){network->trace->events.length, channel});
    hd_generate_emit(network->trace, thread, HEDDLE_SEND, channel);
}

static void take_step(struct network *network, uint32_t thread) {
    const struct inbox *inbox = &network->inboxes[thread];
    if (must_take(network, inbox))
        take_message(network, thread);
    else if (!hd_random_chance(&network->random, network->probability))
        hd_generate_emit_value(network->trace, thread, HEDDLE_WRITE, thread,
                               (int64_t)network->round);
    else if (has_message(inbox) && hd_random_below(&network->random, 2) == 0)
        take_message(network, thread);
    else
        send_message(network, thread);
}

static void shuffle(struct network *network) {
    for (uint32_t i = network->threads - 1; i > 0; i--) {
        uint32_t other = (uint32_t)hd_random_below(&network->random, i + 1);
        uint32_t thread = network->order[i];
        network->order[i] = network->order[other];
        network->order[other] = thread;
    }
}

static void run_network(struct network *network, uint64_t events) {
    for (uint32_t thread = 0; thread < network->threads; thread++)
        network->order[thread] = thread;
    for (uint64_t done = 0; done < events && !hd_clock_over(); network->round++) {
        shuffle(network);
        for (uint32_t i = 0; i < network->threads && done < events; i++, done++)
            take_step(network, network->order[i]);
    }
}

static void release_network(struct network *network) {
    for (uint32_t thread = 0; thread < network->threads; thread++)
        hd_vec_release(&network->inboxes[thread].messages);
    free(network->inboxes);
    free(network->order);
    hd_map_release(&network->channels);
}

bool hd_generate_poset(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t threads = request->numbers[0], events = request->numbers[1];
    if (!hd_generate_emit_fits(1, events, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, threads);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, threads);
    struct network network = {
        .trace = trace,
        .lag = request->numbers[2],
        .probability = (uint32_t)request->numbers[3],
        .threads = (uint32_t)threads,
        .inboxes = HD_NEW_ARRAY(struct inbox, threads),
        .order = HD_NEW_ARRAY(uint32_t, threads),
    };
    hd_random_seed(&network.random, request->seed);
    run_network(&network, events);
    release_network(&network);
    return true;
}
