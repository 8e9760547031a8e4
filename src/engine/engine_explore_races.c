/*
 * Data races that the question explore finds.  Each is replayed before it counts.
 *
 * Two accesses at the same two places in the program are one finding, of whatever variables.  Of
 * several the least is told, by its order in memory: which of them is met first depends on the
 * number of workers, and on which of them is faster.  So a lesser one that is met later is put
 * aside with its schedules, and tried when the search is over; where who asked is told of findings
 * as they come, the first one stays.
 *
 * A race that is suppressed stands for no other variable.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"

/* What the thread's next access is, for people. */
static void describe_access(hd_machine *machine, uint32_t thread, hd_vec_char *text,
                            hd_vec_char *variable) {
    hd_vec_char words = {0};
    machine->type->describe(machine, thread, text);
    hd_native_next_words(machine, thread, &words, variable);
    hd_vec_release(&words);
}

bool hd_engine_explore_keep_race(hd_finding_list *list, hd_finding *finding) {
    hd_finding *known = hd_finding_list_find(list, finding->fingerprint);
    bool lesser = known && finding->order < known->order;
    if (!lesser) {
        hd_finding_list_add(list, finding);
        return !known;
    }
    finding->count += known->count;
    hd_finding_release(known);
    *known = *finding;
    *finding = (hd_finding){.sort = finding->sort, .rule = finding->rule};
    return true;
}

static void tell_race(hd_engine_exploration *e, hd_finding *finding) {
    uint64_t print = finding->fingerprint;
    if (hd_engine_explore_keep_race(&e->races, finding) && e->at_once)
        hd_engine_explore_tell(e, hd_finding_list_find(&e->races, print));
}

/* A pair that memory orders decide is told at the end, if no state was found that has both next. */
static void add_race(hd_engine_exploration *e, const hd_engine_collision *found,
                     const hd_vec_char *first, const hd_vec_char *second, hd_vec_char *variable) {
    hd_finding finding;
    char *text = NULL;
    if (hd_engine_explore_drops_race(e, found->positions, variable->data, found->print))
        return;
    hd_finding_init(&finding, HD_FINDING_RACE, "race");
    if (asprintf(&text, "data race: %.*s, and %.*s%s", (int)first->length, first->data,
                 (int)second->length, second->data,
                 found->unordered ? "; the memory orders between them do not order them" : "") >= 0)
        finding.message = text;
    finding.unordered = found->unordered;
    finding.by = found->by;
    finding.order = found->order;
    finding.variable = variable->data;
    *variable = (hd_vec_char){0};
    finding.fingerprint = found->print;
    finding.location = hd_engine_place(hd_engine_explore_checker(e), e->path, found->positions[0]);
    finding.schedule = e->schedule;
    e->schedule = (hd_steps){0};
    hd_log_write(HD_LOG_NOTE, "%s: %s", finding.location, finding.message);
    if (found->unordered)
        hd_engine_explore_keep_race(&e->unordered, &finding);
    else
        tell_race(e, &finding);
    hd_finding_release(&finding);
}

/* An operation on a lock names no variable. */
static hd_vec_char *name_of_two(hd_vec_char *name, hd_vec_char *other) {
    return name->length ? name : other;
}

/* The schedule leads to the state where both are next; they follow as its last two steps.  False
 * if they do not race there. */
static bool push_race(hd_engine_exploration *e, const hd_engine_collision *found) {
    hd_vec_char first = {0}, second = {0}, variable = {0}, same = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (!hd_replay_run(hd_engine_explore_checker(e), &e->schedule, NULL, &outcome, &error))
        return false;
    describe_access(hd_engine_explore_checker(e), found->threads[0], &first, &variable);
    describe_access(hd_engine_explore_checker(e), found->threads[1], &second, &same);
    /* The variable is where the two begin to overlap: a free begins with its block. */
    bool later = hd_native_next_address(hd_engine_explore_checker(e), found->threads[0]) <
                 hd_native_next_address(hd_engine_explore_checker(e), found->threads[1]);
    hd_vec_push(&e->schedule, (hd_step){found->threads[0], 0});
    hd_vec_push(&e->schedule, (hd_step){found->threads[1], 0});
    bool shown =
        hd_replay_check(hd_engine_explore_checker(e), HD_REPLAY_RACE, &e->schedule, &error);
    if (shown)
        add_race(e, found, &first, &second,
                 later ? name_of_two(&same, &variable) : name_of_two(&variable, &same));
    hd_vec_release(&variable);
    hd_vec_release(&same);
    hd_vec_release(&first);
    hd_vec_release(&second);
    return shown;
}

/* The access of a thread after so many steps of the schedule: words, variable, address. */
static uint64_t describe_after(hd_engine_exploration *e, size_t steps, uint32_t thread,
                               hd_vec_char *text, hd_vec_char *variable) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_steps part = e->schedule;
    part.length = steps;
    if (!hd_replay_run(hd_engine_explore_checker(e), &part, NULL, &outcome, &error))
        return 0;
    describe_access(hd_engine_explore_checker(e), thread, text, variable);
    return hd_native_next_address(hd_engine_explore_checker(e), thread);
}

/* The schedule has the first access somewhere, and the second as its last step. */
static bool push_unordered(hd_engine_exploration *e, const hd_engine_collision *found) {
    hd_vec_char first = {0}, second = {0}, variable = {0}, same = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    bool shown =
        hd_replay_run_unordered(hd_engine_explore_checker(e), &e->schedule, &outcome, &error) &&
        outcome.unordered && outcome.first == found->positions[0] &&
        outcome.second == found->positions[1];
    if (!shown)
        return false;
    uint64_t one = describe_after(e, outcome.earlier - 1, found->threads[0], &first, &variable);
    uint64_t other = describe_after(e, outcome.steps - 1, found->threads[1], &second, &same);
    add_race(e, found, &first, &second, one < other ? &same : &variable);
    hd_vec_release(&variable);
    hd_vec_release(&same);
    hd_vec_release(&first);
    hd_vec_release(&second);
    return true;
}

/* With all that can come before it, or without what has nothing to do with it. */
static bool try_race(hd_engine_exploration *e, const hd_engine_collision *found, bool whole) {
    const hd_steps *steps = whole ? &found->whole : &found->part;
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < steps->length; i++)
        hd_vec_push(&e->schedule, (hd_step){steps->data[i].thread, steps->data[i].choice});
    bool shown = found->unordered ? push_unordered(e, found) : push_race(e, found);
    if (hd_native_machine_broken(e->checker)) /* by a schedule that cannot be followed */
        hd_engine_explore_make_checker(e);
    return shown;
}

/* ---- What is tried, and how often ---- */

/* Of a pair of places: how often it is tried in vain; and what stands for a pair that races. */
enum { MOST_TRIES = 8, SHOWN };

static uint64_t pair_of(const hd_explore_collision *found) {
    uint64_t a = found->positions[0], b = found->positions[1];
    return a < b ? a << 32 | b : b << 32 | a;
}

/* A pair of places, and a variable. */
static uint64_t key_of(const hd_explore_collision *found, uint32_t location) {
    return hd_map_key_with(pair_of(found), (uint64_t)location * 2 + found->unordered);
}

uint32_t hd_engine_explore_unproved(const hd_engine_exploration *e) {
    size_t at = 0;
    uint64_t pair;
    uint32_t tries, count = 0;
    while (hd_map_each(&e->pairs, &at, &pair, &tries))
        count += tries && tries != SHOWN;
    return count;
}

/* Of a pair the most tries of one variable in vain, until one is shown. */
static void note_tries(hd_engine_exploration *e, const hd_explore_collision *found,
                       uint32_t tries) {
    bool added;
    uint32_t *of_pair =
        hd_map_at(found->unordered ? &e->unordered_pairs : &e->pairs, pair_of(found), &added);
    if (added || *of_pair < tries)
        *of_pair = tries;
}

static hd_engine_collision take(const hd_explore_collision *found, uint64_t order, uint64_t print) {
    hd_engine_collision taken = {.threads = {found->threads[0], found->threads[1]},
                                 .positions = {found->positions[0], found->positions[1]},
                                 .unordered = found->unordered,
                                 .order = order,
                                 .print = print};
    hd_explore_collision_schedule(found, false, &taken.part);
    hd_explore_collision_schedule(found, true, &taken.whole);
    return taken;
}

static void release(hd_engine_collision *found) {
    hd_vec_release(&found->part);
    hd_vec_release(&found->whole);
}

/* ---- Lesser variables ---- */

static hd_engine_collision *find_lesser(const hd_engine_exploration *e, uint64_t print,
                                        bool unordered) {
    for (size_t i = 0; i < e->lesser.length; i++)
        if (e->lesser.data[i].print == print && e->lesser.data[i].unordered == unordered)
            return &e->lesser.data[i];
    return NULL;
}

void hd_engine_explore_put_aside(hd_engine_exploration *e, hd_engine_collision *found) {
    hd_engine_collision *known = find_lesser(e, found->print, found->unordered);
    if (!known) {
        hd_vec_push(&e->lesser, *found);
    } else if (found->order < known->order) {
        release(known);
        *known = *found;
    } else
        release(found);
    *found = (hd_engine_collision){0};
}

void hd_engine_explore_try_lesser(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->lesser.length; i++) {
        hd_engine_collision *found = &e->lesser.data[i];
        const hd_finding *known =
            hd_finding_list_find(found->unordered ? &e->unordered : &e->races, found->print);
        if (known && known->order > found->order && hd_clock_look() != HD_CLOCK_LATE &&
            !try_race(e, found, false))
            try_race(e, found, true);
    }
    hd_engine_explore_forget_lesser(e);
}

void hd_engine_explore_forget_lesser(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->lesser.length; i++)
        release(&e->lesser.data[i]);
    hd_vec_clear(&e->lesser);
}

/* ---- The search meets one ---- */

/* Tried now, as nothing is known of the two places; or all that is known is suppressed, perhaps. */
static void try_now(hd_engine_exploration *e, const hd_explore_collision *found, uint64_t order,
                    uint64_t print, uint32_t *tries) {
    hd_engine_collision taken = take(found, order, print);
    taken.by = hd_engine_portfolio_name(e, found->machine);
    bool shown = try_race(e, &taken, false) || try_race(e, &taken, true);
    release(&taken);
    if (!shown && hd_clock_look() == HD_CLOCK_LATE)
        return; /* the run was ended */
    *tries = shown ? SHOWN : *tries + 1;
    note_tries(e, found, *tries);
}

/* Two accesses that nothing orders race, unless something that is not seen orders them: then no
 * schedule makes both next, whatever is tried. */
static void collide(hd_engine_exploration *e, const hd_explore_collision *found) {
    if (e->broken.text[0] || e->enough || hd_native_machine_changed(found->machine) ||
        hd_native_machine_broken(found->machine))
        return; /* what was searched is not what there is */
    if (hd_clock_look() == HD_CLOCK_LATE)
        return; /* the search ends at its next step */
    uint32_t location = hd_explore_collision_location(found);
    uint32_t *tries = hd_map_at(&e->variables, key_of(found, location), NULL);
    if (*tries >= MOST_TRIES)
        return;
    uint64_t order = hd_machine_location_order(found->machine, location);
    uint64_t print = hd_engine_explore_print_of("race", found->positions, 2);
    const hd_finding *known =
        hd_finding_list_find(found->unordered ? &e->unordered : &e->races, print);
    if (known && (known->order <= order || (e->at_once && !found->unordered)))
        *tries = SHOWN;
    else if (known && !e->filter.on) {
        const hd_engine_collision *aside = find_lesser(e, print, found->unordered);
        *tries = SHOWN;
        if (aside && aside->order <= order)
            return;
        hd_engine_collision taken = take(found, order, print);
        taken.by = hd_engine_portfolio_name(e, found->machine);
        hd_engine_explore_put_aside(e, &taken);
    } else
        try_now(e, found, order, print, tries);
}

void hd_engine_explore_collide(void *context, const hd_explore_collision *found) {
    hd_engine_exploration *e = context;
    hd_engine_portfolio_lock(e);
    collide(e, found);
    hd_engine_portfolio_unlock(e);
}
