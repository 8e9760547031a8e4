#include "explore_section.h"

#include "explore_search.h"

#include <string.h>

/* A section in the making: the first `lengths[t]` entries of each thread's list. */
struct parts {
    hd_explore_path *path;
    const hd_machine_ahead *lists[HD_EXPLORE_SET_THREADS];
    const uint32_t *learnt[HD_EXPLORE_SET_THREADS]; /* of what is learnt: nodes, */
    const hd_explore_set *joins[HD_EXPLORE_SET_THREADS];
    uint32_t lengths[HD_EXPLORE_SET_THREADS];
    bool ends[HD_EXPLORE_SET_THREADS];    /* the thread ends after its whole part */
    uint64_t own[HD_EXPLORE_SET_THREADS]; /* its operations, numbered thread by thread */
};

/* Steps that the thread may still take. */
static uint64_t steps_left(const hd_explore_path *path, uint32_t thread) {
    uint32_t last = path->last_event[thread];
    uint64_t taken = last ? path->events.data[last - 1].sequence : 0;
    return path->most ? path->most - taken : UINT64_MAX;
}

/* What a thread will do for certain, as far as its own operations tell. */
static void take_part(struct parts *parts, uint32_t thread) {
    hd_machine *machine = parts->path->machine;
    hd_explore_list list = {0};
    uint32_t length = 0;
    uint64_t left = steps_left(parts->path, thread);
    if (machine->type->ahead)
        list.count = machine->type->ahead(machine, thread, &list.entries);
    else
        list = hd_explore_learnt_ahead(parts->path, thread);
    while (length < list.count && length < left) {
        const hd_machine_ahead *entry = &list.entries[length];
        if (!entry->operation.enabled || entry->may_fail || entry->operation.choices != 1)
            break;
        length++;
        if (entry->branching)
            break;
    }
    parts->lists[thread] = list.entries;
    parts->learnt[thread] = list.nodes;
    parts->joins[thread] = list.joins;
    parts->lengths[thread] = length;
    parts->ends[thread] = length > 0 && length == list.count && list.entries[length - 1].last;
}

static uint64_t low_bits(uint32_t count) {
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static void cut_part(struct parts *parts, uint32_t thread, uint32_t length) {
    assert(length < parts->lengths[thread]);
    uint64_t first = parts->own[thread] & (0 - parts->own[thread]);
    parts->own[thread] &= first * low_bits(length); /* none if it is not numbered yet */
    parts->lengths[thread] = length;
    parts->ends[thread] = false;
}

/* So many that they can be numbered in a word. */
static void fit_in_word(struct parts *parts) {
    uint32_t total = 0;
    for (uint32_t t = 0; t < parts->path->threads; t++)
        total += parts->lengths[t];
    for (; total > HD_EXPLORE_SECTION_MOST; total--) {
        uint32_t longest = 0;
        for (uint32_t t = 1; t < parts->path->threads; t++)
            if (parts->lengths[t] >= parts->lengths[longest])
                longest = t;
        cut_part(parts, longest, parts->lengths[longest] - 1);
    }
}

/* ---- Which operations meet where ---- */

/* Operations that have no location in common need not be compared.  Those that have are found by
 * it, as source sets find the events before an operation; each one found counts as a check. */
static void note_access(struct parts *parts, hd_machine_access access, uint64_t bit) {
    hd_explore_path *path = parts->path;
    assert(access.location < path->locations);
    hd_explore_meeting *meeting = &path->meetings[access.location];
    if (!(meeting->reads | meeting->writes))
        hd_vec_push(&path->met, access.location);
    *(access.mode & HD_MACHINE_WRITES ? &meeting->writes : &meeting->reads) |= bit;
}

static void index_parts(struct parts *parts) {
    uint32_t number = 0;
    for (uint32_t t = 0; t < parts->path->threads; t++) {
        parts->own[t] = low_bits(parts->lengths[t]) << (number < 64 ? number : 63);
        if (!parts->lengths[t])
            parts->own[t] = 0;
        for (uint32_t i = 0; i < parts->lengths[t]; i++, number++) {
            const hd_machine_operation *operation = &parts->lists[t][i].operation;
            for (uint32_t k = 0; k < operation->count; k++)
                note_access(parts, operation->accesses[k], UINT64_C(1) << number);
        }
    }
    assert(number <= HD_EXPLORE_SECTION_MOST);
}

static void forget_index(struct parts *parts) {
    hd_explore_path *path = parts->path;
    while (path->met.length > 0)
        path->meetings[hd_vec_pop(&path->met)] = (hd_explore_meeting){0};
}

/* ---- Conditions (A) and (B) between threads ---- */

/* Does some other thread's part write the location? */
static bool written_by_others(struct parts *parts, uint32_t thread, uint32_t location) {
    uint64_t writers = parts->path->meetings[location].writes;
    for (uint32_t t = 0; writers && t < parts->path->threads; t++)
        if (t != thread && writers & parts->own[t]) {
            parts->path->result->dependency_checks++;
            return true;
        }
    return false;
}

/* Could the operation be another, or not be enabled, in some order?  What is learnt of it does not
 * tell which values decide it. */
static bool is_unsure(struct parts *parts, uint32_t thread, const hd_machine_ahead *entry) {
    const hd_machine_operation *operation = &entry->operation;
    for (uint32_t i = 0; i < entry->address_count; i++)
        if (written_by_others(parts, thread, entry->addresses[i]))
            return true;
    for (uint32_t i = 0; i < operation->count; i++)
        if ((operation->awaits || (operation->varies && parts->path->learnt) ||
             operation->accesses[i].mode & HD_MACHINE_ACQUIRE) &&
            written_by_others(parts, thread, operation->accesses[i].location))
            return true;
    return false;
}

/* ---- Threads that cannot go on yet ---- */

/* Where in the parts a node is; false if it is in none. */
static bool find_part(const struct parts *parts, uint32_t node, uint32_t *thread, uint32_t *at) {
    for (*thread = 0; *thread < parts->path->threads; ++*thread)
        for (*at = 0; *at < parts->lengths[*thread]; ++*at)
            if (parts->learnt[*thread][*at] == node)
                return true;
    return false;
}

static bool has_ended(const struct parts *parts, uint32_t thread) {
    return hd_explore_learnt_ended(parts->path, thread);
}

/* Does a thread do nothing any more once those that are joined have ended? */
static bool is_over_before(const struct parts *parts, uint32_t thread, hd_explore_set joins) {
    const hd_explore_path *path = parts->path;
    return has_ended(parts, thread) || (hd_explore_set_has(joins, thread) && parts->ends[thread]) ||
           (hd_explore_next(path, thread)->idle &&
            hd_explore_learnt_birth(path, thread) == HD_EXPLORE_NONE);
}

/* May it be that nothing in the section lets it go on?  Then a thread that it joins does not end
 * there, or its own thread is not created there.  Or does it end the program while others run? */
static bool is_stuck(const struct parts *parts, uint32_t thread, uint32_t at) {
    hd_explore_path *path = parts->path;
    uint32_t by, place;
    bool waits = at == 0 && !hd_explore_set_has(path->enabled, thread);
    HD_EXPLORE_EACH(rest, parts->joins[thread][at]) {
        uint32_t other = hd_explore_set_first(rest);
        if (other >= path->threads || (!has_ended(parts, other) && !parts->ends[other]))
            return true;
        waits &= has_ended(parts, other);
    }
    for (uint32_t t = 0; parts->lists[thread][at].operation.ends && t < path->threads; t++)
        if (t != thread && !is_over_before(parts, t, parts->joins[thread][at]))
            return true;
    if (waits && hd_explore_next(path, thread)->idle)
        waits = !find_part(parts, hd_explore_learnt_birth(path, thread), &by, &place);
    return waits;
}

/* Last threads first, until nothing is unsure: of two that want one lock, the
 * second loses it. */
static void cut_unsure(struct parts *parts) {
    bool changed;
    do {
        changed = false;
        for (uint32_t t = parts->path->threads; t-- > 0;)
            for (uint32_t i = 0; i < parts->lengths[t]; i++)
                if ((parts->path->learnt && is_stuck(parts, t, i)) ||
                    is_unsure(parts, t, &parts->lists[t][i])) {
                    cut_part(parts, t, i);
                    changed = true;
                }
    } while (changed);
}

/* ---- The section ---- */

/* Does the thread do nothing after the section? */
static bool is_done(const struct parts *parts, uint32_t thread) {
    const hd_explore_path *path = parts->path;
    if (parts->ends[thread])
        return true;
    if (!path->learnt)
        return !hd_explore_set_has(path->running, thread);
    return has_ended(parts, thread) || (hd_explore_next(path, thread)->idle &&
                                        hd_explore_learnt_birth(path, thread) == HD_EXPLORE_NONE);
}

static void number_operations(hd_explore_section *section, const struct parts *parts) {
    section->count = 0;
    section->first = 0;
    section->needy = section->ends = 0;
    section->whole = true;
    section->assumed = parts->path->learnt != NULL;
    for (uint32_t t = 0; t < parts->path->threads; t++) {
        uint32_t length = parts->lengths[t], start = section->count;
        section->whole = section->whole && is_done(parts, t);
        if (!length)
            continue;
        assert(start + length <= HD_EXPLORE_SECTION_MOST);
        uint64_t own = low_bits(length) << start;
        section->first |= UINT64_C(1) << start;
        for (uint32_t i = 0; i < length; i++) {
            section->threads[start + i] = t;
            section->own[start + i] = own;
            section->ahead[start + i] = &parts->lists[t][i];
            section->needs[start + i] = 0;
            if (section->assumed && parts->lists[t][i].operation.ends)
                section->ends |= UINT64_C(1) << (start + i);
            if (section->assumed)
                section->learnt[start + i] = parts->learnt[t][i];
        }
        section->count += length;
    }
}

/* The operation at a place of a thread's part. */
static uint64_t operation_at(const hd_explore_section *section, uint32_t thread, uint32_t at) {
    uint32_t k = 0;
    while (section->threads[k] != thread)
        k++;
    return UINT64_C(1) << (k + at);
}

/* What has to come before an operation, besides those of its thread. */
static void find_needs(hd_explore_section *section, const struct parts *parts) {
    hd_explore_path *path = parts->path;
    uint32_t at = 0, by, place;
    for (uint32_t k = 0; k < section->count; k++) {
        uint32_t thread = section->threads[k];
        at = k && section->threads[k - 1] == thread ? at + 1 : 0;
        HD_EXPLORE_EACH(rest, parts->joins[thread][at]) {
            uint32_t other = hd_explore_set_first(rest);
            if (!has_ended(parts, other))
                section->needs[k] |= operation_at(section, other, parts->lengths[other] - 1);
        }
        if (!at && hd_explore_next(path, thread)->idle &&
            find_part(parts, hd_explore_learnt_birth(path, thread), &by, &place))
            section->needs[k] |= operation_at(section, by, place);
        if (section->needs[k])
            section->needy |= UINT64_C(1) << k;
    }
}

static void find_dependent(hd_explore_section *section, struct parts *parts) {
    hd_explore_result *result = parts->path->result;
    for (uint32_t a = 0; a < section->count; a++) {
        const hd_machine_operation *operation = &section->ahead[a]->operation;
        uint64_t met = 0;
        result->race_checks++;
        for (uint32_t i = 0; i < operation->count; i++) {
            hd_machine_access access = operation->accesses[i];
            const hd_explore_meeting *meeting = &parts->path->meetings[access.location];
            met |= meeting->writes;
            if (access.mode & HD_MACHINE_WRITES)
                met |= meeting->reads;
        }
        section->dependent[a] = met & ~section->own[a];
        /* A pair is one check. */
        result->dependency_checks +=
            (unsigned)__builtin_popcountll(section->dependent[a] & ~low_bits(a));
    }
}

/* ---- Short sections ---- */

/* Operations up to before each thread's second dependent one. */
static uint64_t beginnings(const hd_explore_section *section) {
    uint64_t kept = 0;
    uint32_t dependent_ones = 0;
    for (uint32_t k = 0; k < section->count; k++) {
        if (k == 0 || section->threads[k - 1] != section->threads[k])
            dependent_ones = 0;
        dependent_ones += section->dependent[k] != 0;
        if (dependent_ones < 2)
            kept |= UINT64_C(1) << k;
    }
    return kept;
}

/* Without those that need others which are not kept. */
static uint64_t without_needy(const hd_explore_section *section, uint64_t kept) {
    for (uint32_t k = 0; k < section->count; k++)
        if (kept >> k & 1 && section->needs[k] & ~kept)
            return without_needy(section, kept & ~(section->own[k] & ~low_bits(k)));
    return kept;
}

/* A set of operations in the numbers that the kept ones get. */
static uint64_t renumber(uint64_t set, uint64_t kept) {
    uint64_t numbers = 0;
    for (uint64_t rest = set & kept; rest; rest &= rest - 1)
        numbers |= UINT64_C(1) << __builtin_popcountll(kept & ((rest & (0 - rest)) - 1));
    return numbers;
}

static void keep_only(hd_explore_section *section, uint64_t kept) {
    uint32_t count = 0;
    for (uint64_t rest = kept; rest; rest &= rest - 1, count++) {
        uint32_t k = (uint32_t)__builtin_ctzll(rest);
        section->threads[count] = section->threads[k];
        section->ahead[count] = section->ahead[k];
        section->learnt[count] = section->learnt[k];
        section->own[count] = renumber(section->own[k], kept);
        section->dependent[count] = renumber(section->dependent[k], kept);
        section->needs[count] = renumber(section->needs[k], kept);
    }
    section->needy = renumber(section->needy, kept);
    section->ends = renumber(section->ends, kept);
    section->first = renumber(section->first, kept);
    section->whole = section->whole && count == section->count;
    section->count = count;
}

/* Are the operations of a thread those that each of them calls its own, is dependency mutual, and
 * between threads alone, and has each thread one first operation? */
HD_ASSERT_ONLY static bool is_sound(const hd_explore_section *section) {
    for (uint32_t a = 0; a < section->count; a++) {
        for (uint32_t b = 0; b < section->count; b++) {
            bool same = section->threads[a] == section->threads[b];
            bool dependent = section->dependent[a] >> b & 1;
            if (same != (section->own[a] >> b & 1) || (same && dependent) ||
                dependent != (section->dependent[b] >> a & 1))
                return false;
        }
        bool first = a == 0 || section->threads[a - 1] != section->threads[a];
        if (first != (section->first >> a & 1))
            return false;
    }
    return true;
}

bool hd_explore_section_make(hd_explore_section *section, hd_explore_path *path, bool briefly) {
    if (!path->machine->type->ahead && !path->learnt)
        return false;
    struct parts parts = {.path = path};
    for (uint32_t t = 0; t < path->threads; t++)
        if (hd_explore_set_has(path->enabled, t) ||
            (path->learnt && hd_explore_next(path, t)->runs && !hd_explore_next(path, t)->cut))
            take_part(&parts, t);
    fit_in_word(&parts);
    index_parts(&parts);
    cut_unsure(&parts);
    number_operations(section, &parts);
    if (path->learnt)
        find_needs(section, &parts);
    forget_index(&parts);
    index_parts(&parts); /* what was cut off changed the numbers */
    find_dependent(section, &parts);
    forget_index(&parts);
    if (briefly)
        keep_only(section, without_needy(section, beginnings(section)));
    HD_COSTLY_ASSERT(is_sound(section));
    return section->count > 0;
}

void hd_explore_section_begun(hd_explore_search *search, const hd_explore_section *section) {
    const hd_explore_options *options = search->options;
    uint32_t positions[HD_EXPLORE_SECTION_MOST];
    search->result->sections++;
    if (!section->assumed || !options->sectioned)
        return;
    for (uint32_t i = 0; i < section->count; i++)
        positions[i] = section->ahead[i]->operation.position;
    options->sectioned(options->context, search->path.machine, section->threads, positions,
                       section->count);
}
