/*
 * The claim that a run ends with a cycle that a fair schedule repeats for ever.
 */
#include "replay.h"

/* A state, and the step that was taken there. */
typedef struct state {
    uint64_t hash;
    uint64_t enabled; /* threads */
    uint32_t thread;
    bool known;
    bool only; /* the step could go one way only, and did not use what is no part of the state */
} state;

typedef struct looker {
    HD_VEC(state) states;
    hd_vec_char bytes; /* scratch */
    size_t at;         /* the state whose bytes are kept, */
    hd_vec_char kept;  /* these */
} looker;

void hd_replay_prepare(hd_machine *machine, enum hd_replay_claim claim) {
    if (machine->type->tell_states)
        machine->type->tell_states(machine, claim == HD_REPLAY_LIVELOCK);
}

static uint64_t hash_state(looker *l, hd_machine *machine, bool *known) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    hd_vec_clear(&l->bytes);
    *known = machine->type->state(machine, &l->bytes);
    for (size_t i = 0; i < l->bytes.length; i++)
        hash = (hash ^ (unsigned char)l->bytes.data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int look(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    looker *l = context;
    hd_machine_operation operation = {0};
    state now = {.thread = step->thread};
    (void)number;
    now.hash = hash_state(l, machine, &now.known);
    for (uint32_t t = 0; t < machine->threads; t++)
        if (machine->type->next(machine, t, &operation) && operation.enabled) {
            now.enabled |= UINT64_C(1) << t;
            now.only |= t == step->thread && operation.choices == 1 && !operation.outside;
        }
    hd_vec_push(&l->states, now);
    return 0;
}

/* The steps before the shortest fair cycle, by hashes; SIZE_MAX: no such cycle. */
static size_t find_cycle(const looker *l, uint64_t last) {
    uint64_t enabled = 0, taken = 0;
    for (size_t i = l->states.length; i-- > 0 && l->states.data[i].only;) {
        enabled |= l->states.data[i].enabled;
        taken |= UINT64_C(1) << l->states.data[i].thread;
        if (l->states.data[i].known && l->states.data[i].hash == last && !(enabled & ~taken))
            return i;
    }
    return SIZE_MAX;
}

static int keep_state(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    looker *l = context;
    (void)step;
    if (number == l->at + 1)
        machine->type->state(machine, &l->kept);
    return 0;
}

/* The same hash may be that of another state. */
static bool is_same(looker *l, hd_machine *machine, const hd_steps *schedule, size_t before,
                    hd_error *error) {
    hd_replay_outcome again;
    l->at = before;
    hd_vec_clear(&l->kept);
    hd_vec_clear(&l->bytes);
    return hd_replay_run(machine, schedule, &(hd_replay_watch){.before = keep_state, .context = l},
                         &again, error) &&
           machine->type->state(machine, &l->bytes) && l->bytes.length == l->kept.length &&
           memcmp(l->bytes.data, l->kept.data, l->kept.length) == 0;
}

bool hd_replay_run_livelock(hd_machine *machine, const hd_steps *schedule,
                            hd_replay_outcome *outcome, hd_error *error) {
    enum { MOST = 64 };
    looker l = {.at = 0};
    bool known;
    if (!machine->type->state || machine->threads > MOST)
        return hd_error_set(error, "states are not known of this %s", machine->type->name);
    bool good = hd_replay_run(machine, schedule, &(hd_replay_watch){.before = look, .context = &l},
                              outcome, error);
    if (good && !outcome->failed) {
        size_t before = find_cycle(&l, hash_state(&l, machine, &known));
        outcome->cycle = known && before != SIZE_MAX;
        outcome->before = outcome->cycle ? before : 0;
        if (outcome->cycle && !is_same(&l, machine, schedule, before, error))
            outcome->cycle = false;
    }
    hd_vec_release(&l.states);
    hd_vec_release(&l.bytes);
    hd_vec_release(&l.kept);
    return good;
}
