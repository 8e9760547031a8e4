/*
 * What was learnt about a program, its threads and its shared words: from a copy of the machine,
 * and as text for a witness.
 */
#include <stdlib.h>

#include "native_program.h"
#include "native_reads.h"
#include "native_replay.h"
#include "native_sections.h"

/* Pages without any are not touched: in a file that is mapped each would be made. */
static void copy_shared(heddle_wire_explore *to, const heddle_wire_explore *from) {
    for (size_t i = 0; i < HEDDLE_WIRE_SHARED / HEDDLE_WIRE_PART; i++)
        if (from->shared_part[i] || to->shared_part[i])
            memcpy(to->shared + i * HEDDLE_WIRE_PART, from->shared + i * HEDDLE_WIRE_PART,
                   HEDDLE_WIRE_PART * sizeof *to->shared);
    memcpy(to->shared_part, from->shared_part, sizeof to->shared_part);
}

/* The table is large, and mostly empty: what is not touched takes no memory. */
static void copy_reaches(heddle_wire_reaches *to, const heddle_wire_reaches *from) {
    uint32_t count = from->count < HEDDLE_WIRE_REACHES ? from->count : HEDDLE_WIRE_REACHES;
    if (count || to->count)
        memcpy(to->place, from->place, sizeof to->place);
    memcpy(to->reach, from->reach, count * sizeof *to->reach);
    to->count = count;
    to->used = from->used;
    to->news = 0; /* it has seen none yet */
    to->cuts = from->cuts;
    to->starts = from->starts;
}

void hd_native_program_equip(heddle_wire_explore *to, const hd_native_program *m) {
    const heddle_wire_explore *from = m->server.explore;
    copy_shared(to, from);
    memcpy(to->name, from->name, sizeof to->name);
    to->loops = from->loops;
    to->polls = from->polls;
    to->backs = from->backs;
    to->awaits = from->awaits;
    memcpy(to->loop, from->loop, sizeof to->loop);
    to->stays = from->stays;
    to->stays_wanted = from->stays_wanted;
    to->stays_used = from->stays_used;
    memcpy(to->stay, from->stay, sizeof to->stay);
    copy_reaches(&to->reaches, &from->reaches);
    to->lent = from->lent;
    to->lent_looked = from->lent_looked;
    memcpy(to->lent_word, from->lent_word, sizeof to->lent_word);
    to->copies = m->copies;
    to->targets = m->targets;
    memcpy(to->copy, from->copy, sizeof to->copy);
    hd_native_sections_copy(to, from);
    to->ends = m->ends;
    to->exits = m->exits;
    to->statics = from->statics;
    to->threads = m->base.threads;
    to->renewed++;
}

/* --- from a copy ---------------------------------------------------------------------------- */

/* Were the threads that this one is like others in the copy's runs; and can it be told apart? */
static void learn_likeness(heddle_wire_name *to, const heddle_wire_name *from) {
    to->varies |= from->varies;
    to->shows |= from->shows;
    for (uint32_t i = 0; i < HEDDLE_WIRE_ALIKE; i++)
        if (to->like[i] != from->like[i] && from->like[i])
            to->varies |= 1U << i;
    if (to->start != from->start && from->start)
        to->varies |= 1U << HEDDLE_WIRE_ALIKE_BUT_ARGUMENT;
}

/* Threads that the copy has seen, by name: it may have numbered them differently. */
static void learn_threads(hd_native_program *m, const heddle_wire_explore *from) {
    heddle_wire_explore *to = m->server.explore;
    uint32_t number[HEDDLE_WIRE_EXPLORED] = {0};
    for (uint32_t i = 1; i < from->threads; i++) {
        uint32_t creator = number[from->name[i].creator], birth = from->name[i].birth, at = 1;
        while (at < to->threads && (to->name[at].creator != creator || to->name[at].birth != birth))
            at++;
        if (at == to->threads && at < HEDDLE_WIRE_EXPLORED) {
            to->name[at] = from->name[i];
            to->name[at].creator = creator;
            to->threads++;
            m->changed = true;
        } else if (at < to->threads)
            learn_likeness(&to->name[at], &from->name[i]);
        number[i] = at;
    }
}

static void learn_loops(hd_native_program *m, const heddle_wire_explore *from) {
    heddle_wire_explore *to = m->server.explore;
    for (uint32_t i = 0; i < from->loops; i++) {
        uint32_t at = 0;
        while (at < to->loops && to->loop[at].code != from->loop[i].code)
            at++;
        if (at == HEDDLE_WIRE_LOOPS)
            continue;
        if (at == to->loops)
            to->loop[to->loops++] = (heddle_wire_loop){.code = from->loop[i].code};
        if (!(from->loop[i].found & ~to->loop[at].found))
            continue;
        to->loop[at].found |= from->loop[i].found;
        to->loop_news++;
        m->changed = true;
    }
}

static void learn_stays(hd_native_program *m, const heddle_wire_explore *from) {
    heddle_wire_explore *to = m->server.explore;
    for (uint32_t i = 0; i < from->stays && i < HEDDLE_WIRE_STAYS; i++) {
        uint32_t at = 0;
        while (at < to->stays && at < HEDDLE_WIRE_STAYS &&
               memcmp(&to->stay[at], &from->stay[i], sizeof *to->stay) != 0)
            at++;
        if (at == to->stays && at < HEDDLE_WIRE_STAYS)
            to->stay[to->stays++] = from->stay[i];
    }
    for (uint32_t i = 0; i < from->reaches.count && i < HEDDLE_WIRE_REACHES; i++)
        heddle_wire_reach_add(&to->reaches, from->reaches.reach[i]);
    to->reaches.cuts |= from->reaches.cuts; /* whether there were any */
    to->reaches.news += from->reaches.news;
}

static void learn_lent(heddle_wire_explore *to, const heddle_wire_explore *from) {
    for (uint32_t i = 0; i < HEDDLE_WIRE_LENT && to->lent < HEDDLE_WIRE_LENT / 2; i++) {
        uint64_t word = from->lent_word[i] & ~HEDDLE_WIRE_LEFT_OUT;
        uint64_t *at = word ? &to->lent_word[heddle_wire_lent_place(to, word - 1)] : NULL;
        if (!word || *at)
            continue;
        *at = word;
        to->lent++;
    }
}

bool hd_native_program_lends(hd_native_program *m) {
    heddle_wire_explore *explore = m->server.explore;
    uint32_t lent = explore->lent;
    if (lent == explore->lent_looked)
        return false;
    for (uint32_t i = 0; i < HEDDLE_WIRE_LENT; i++)
        if (explore->lent_word[i])
            explore->lent_word[i] |= HEDDLE_WIRE_LEFT_OUT;
    explore->lent_looked = lent;
    return true;
}

/* Functions are numbered in the same way, except those that were looked up by name. */
static void learn_caught(hd_native_program *m, const hd_native_program *copy) {
    heddle_wire *to = m->server.run.wire;
    const heddle_wire *from = copy->server.run.wire;
    for (uint32_t i = 0; i < from->callees && i < HEDDLE_WIRE_CALLEES; i++)
        if (from->callee[i].known == HEDDLE_WIRE_CAUGHT &&
            to->callee[i].known != HEDDLE_WIRE_CAUGHT &&
            to->callee[i].address == from->callee[i].address) {
            to->callee[i].known = HEDDLE_WIRE_CAUGHT;
            m->server.explore->caught++;
            m->changed = true;
        }
}

static void learn_copies(hd_native_program *m, const heddle_wire_explore *from) {
    heddle_wire_explore *to = m->server.explore;
    for (uint32_t i = 0; i < from->copies; i++) {
        uint32_t at = 0;
        while (at < to->copies && to->copy[at] != from->copy[i])
            at++;
        if (at < to->copies || at == HEDDLE_WIRE_COPIES)
            continue;
        to->copy[to->copies++] = from->copy[i];
        m->changed = true;
    }
}

static void learn_awaits(hd_native_program *m, const heddle_wire_explore *from) {
    heddle_wire_awaits *to = &m->server.explore->awaits;
    for (uint32_t i = 0; i < from->awaits.count && i < HEDDLE_WIRE_AWAITED; i++)
        heddle_wire_awaits_join(to, &from->awaits.word[i]);
    to->asked |= from->awaits.asked;
    to->lost |= from->awaits.lost;
    m->changed |= hd_native_program_awaits_more(m);
}

void hd_native_program_learn(hd_machine *machine, const hd_machine *other) {
    hd_native_program *m = hd_native_program_of(machine);
    const hd_native_program *copy = hd_native_program_const(other);
    const heddle_wire_explore *from = copy->server.explore;
    for (size_t i = 0; i < copy->fresh.length; i++)
        hd_vec_push(&m->fresh, copy->fresh.data[i]);
    for (size_t i = 0; i < copy->locations.wanted.length; i++)
        hd_vec_push(&m->locations.wanted, copy->locations.wanted.data[i]);
    learn_threads(m, from);
    learn_loops(m, from);
    learn_stays(m, from);
    learn_copies(m, from);
    learn_awaits(m, from);
    learn_lent(m->server.explore, from);
    m->changed |= hd_native_sections_learn(m->server.explore, from);
    m->changed |= hd_native_bodies_join(&m->locations.bodies, &copy->locations.bodies, false);
    m->locations.mixed |= copy->locations.mixed;
    m->locations.met |= copy->locations.parties.length > 0;
    m->server.run.wire->asked |= copy->server.run.wire->asked;
    if (m->server.run.wire->asked_most < copy->server.run.wire->asked_most)
        m->server.run.wire->asked_most = copy->server.run.wire->asked_most;
    m->server.explore->hidden |= from->hidden;
    m->server.explore->relies |= from->relies;
    m->server.run.wire->annotations |= copy->server.run.wire->annotations;
    m->server.run.wire->openmp |= copy->server.run.wire->openmp;
    if (from->call)
        m->server.explore->call = from->call;
    if (from->targets & ~m->server.explore->targets) {
        m->server.explore->targets |= from->targets;
        m->changed = true;
    }
    for (uint32_t i = 0; i < HEDDLE_WIRE_WEAKER; i++)
        if (from->weaker_code[i])
            heddle_wire_weaker(m->server.explore, from->weaker_code[i]);
    m->server.explore->ends |= from->ends;
    m->server.explore->statics |= from->statics;
    m->server.explore->exits |= from->exits;
    m->server.explore->unattributed |= from->unattributed;
    m->server.explore->unseen |= from->unseen;
    learn_caught(m, copy);
    hd_native_reads_learn(m, copy);
    m->changed |= copy->changed;
    m->stays_more |= copy->stays_more;
    if (copy->refused > m->refused)
        m->refused = copy->refused;
    if (copy->broken.text[0] && !copy->base.late && !m->broken.text[0])
        m->broken = copy->broken;
    if (!m->predictor.wrong)
        m->predictor.wrong = copy->predictor.wrong;
    hd_native_audit_learn(&m->audit, &copy->audit);
    if (copy->options.by_fork)
        m->options.by_fork = m->server.by_fork = true;
    m->options.predicts &= copy->options.predicts;
    if (!copy->options.awaits)
        hd_native_machine_every_round(machine);
    if (from->input[0])
        memcpy(m->server.explore->input, from->input, sizeof from->input);
    if (from->locking[0])
        memcpy(m->server.explore->locking, from->locking, sizeof from->locking);
    if (from->left[0])
        memcpy(m->server.explore->left, from->left, sizeof from->left);
    else if (from->undone)
        snprintf(m->server.explore->left, sizeof from->left,
                 "changes of files, which several workers made at the same time");
    if (copy->server.why[0])
        memcpy(m->server.why, copy->server.why, sizeof m->server.why);
}

/* --- as text -------------------------------------------------------------------------------- */

/* The stack of main depends on the environment, so places there are relative to its top. */
static uint64_t stack_top(const hd_native_program *m) {
    const heddle_wire_thread *main = &m->server.run.wire->thread[0];
    return main->stack + main->stack_size;
}

static void add_build(const hd_native_program *m, hd_launch_words *words) {
    char build[HD_LAUNCH_BUILD];
    hd_vec_char text = {0};
    if (!hd_launch_build(m->options.argv[0], build))
        return;
    hd_text_append(&text, "build=%s", build);
    hd_vec_push(words, text.data);
}

static bool is_polled(const heddle_wire_loop *loop) {
    return loop->now & HEDDLE_WIRE_LOOP_LOCKS && loop->now & HEDDLE_WIRE_LOOP_PROVED &&
           !(loop->now & HEDDLE_WIRE_LOOP_RESTLESS);
}

/* What is dead where a read of the program's code is that is repeated. */
static void look_at_loop(hd_native_program *m, heddle_wire_loop *loop) {
    hd_symbols_dead dead;
    if (loop->looked || !m->options.awaits)
        return;
    loop->looked = true;
    hd_native_program_need_symbols(m);
    if (!hd_symbols_dead_at(m->symbols, loop->code, &dead))
        return;
    loop->dead_registers = dead.registers;
    memcpy(loop->dead_words, dead.words, sizeof loop->dead_words);
}

void hd_native_program_use_loops(hd_native_program *m) {
    static_assert(HD_SYMBOLS_DEAD_WORDS == (int)HEDDLE_WIRE_DEAD_WORDS, "the same words");
    heddle_wire_explore *explore = m->server.explore;
    explore->polls = 0;
    explore->backs = m->options.awaits;
    explore->awaits.loops = m->options.awaits && !explore->awaits.lost;
    m->awaits_news = explore->awaits.news;
    explore->stays_used =
        m->options.awaits && explore->stays <= HEDDLE_WIRE_STAYS ? explore->stays : 0;
    explore->reaches.used = m->options.awaits ? explore->reaches.count : 0;
    m->reach_news = explore->reaches.news;
    for (uint32_t i = 0; i < explore->loops; i++) {
        explore->loop[i].now = explore->loop[i].found;
        look_at_loop(m, &explore->loop[i]);
        explore->polls |= is_polled(&explore->loop[i]);
    }
}

static const char *word_of_loop(uint32_t now) {
    return now & HEDDLE_WIRE_LOOP_RESTLESS                                 ? "restless"
           : now & HEDDLE_WIRE_LOOP_BACKS                                  ? "backs"
           : now & HEDDLE_WIRE_LOOP_PROVED && now & HEDDLE_WIRE_LOOP_LOCKS ? "polls"
           : now & HEDDLE_WIRE_LOOP_PROVED                                 ? "loop"
           : now & HEDDLE_WIRE_LOOP_WRITES                                 ? "write"
                                                                           : "read";
}

/* Functions that have state after all: their calls are steps. */
static void add_caught(const heddle_wire *wire, hd_launch_words *words) {
    for (uint32_t i = 0; i < wire->callees && i < HEDDLE_WIRE_CALLEES; i++)
        if (wire->callee[i].known == HEDDLE_WIRE_CAUGHT) {
            hd_vec_char text = {0};
            hd_text_append(&text, "caught=%u", i);
            hd_vec_push(words, text.data);
        }
}

/* How waits of C++'s atomics are explored (rt_atomic_wait.c). */
static void add_awaits(const heddle_wire_awaits *awaits, hd_launch_words *words) {
    hd_vec_char text = {0};
    if (!awaits->asked)
        return;
    hd_text_append(&text, "waits=%s", awaits->loops ? "loops" : "asleep");
    hd_vec_push(words, text.data);
}

bool hd_native_program_awaits_more(const hd_native_program *m) {
    const heddle_wire_awaits *awaits = &m->server.explore->awaits;
    return awaits->news != m->awaits_news || (awaits->lost && awaits->loops);
}

void hd_native_machine_words(const hd_machine *machine, hd_launch_words *words) {
    const hd_native_program *m = hd_native_program_const(machine);
    const heddle_wire_explore *explore = m->server.explore;
    uint64_t top = stack_top(m), low = m->server.run.wire->thread[0].stack;
    add_build(m, words);
    hd_launch_options_words(m->server.run.wire, words);
    if (m->ends) {
        hd_vec_char text = {0};
        hd_text_append(&text, "ends=%u", m->ends);
        hd_vec_push(words, text.data);
    }
    if (m->exits & HEDDLE_WIRE_CANCELS) {
        hd_vec_char text = {0};
        hd_text_append(&text, "cancels=1");
        hd_vec_push(words, text.data);
    }
    if (m->exits & HEDDLE_WIRE_REGISTERS) {
        hd_vec_char text = {0};
        hd_text_append(&text, "registers=1");
        hd_vec_push(words, text.data);
    }
    uint32_t objects = explore->exits & (HEDDLE_WIRE_MAKES_OBJECTS | HEDDLE_WIRE_ODD_OBJECTS);
    if (objects) { /* operations on objects access their bytes */
        hd_vec_char text = {0};
        hd_text_append(&text, "objects=%u", objects);
        hd_vec_push(words, text.data);
    }
    for (uint32_t i = 0; i < explore->loops; i++) {
        hd_vec_char text = {0};
        uint64_t code = explore->loop[i].code - m->server.run.wire->code;
        hd_text_append(&text, "%s=%llu", word_of_loop(explore->loop[i].now),
                       (unsigned long long)code);
        hd_vec_push(words, text.data);
    }
    add_awaits(&explore->awaits, words);
    if (explore->targets) {
        hd_vec_char text = {0};
        hd_text_append(&text, "targets=%llu", (unsigned long long)explore->targets);
        hd_vec_push(words, text.data);
    }
    for (uint32_t i = 0; i < explore->copies; i++) {
        hd_vec_char text = {0};
        uint64_t code = explore->copy[i] - m->server.run.wire->code;
        hd_text_append(&text, "copy=%llu", (unsigned long long)code);
        hd_vec_push(words, text.data);
    }
    add_caught(m->server.run.wire, words);
    hd_native_sections_words(explore, m->server.run.wire->code, words);
    for (uint32_t i = 1; i < machine->threads; i++) {
        hd_vec_char text = {0};
        hd_text_append(&text, "thread=%u.%u", explore->name[i].creator, explore->name[i].birth);
        hd_vec_push(words, text.data);
    }
    for (uint32_t i = 0; i < HEDDLE_WIRE_SHARED; i++) {
        if (!explore->shared[i])
            continue;
        hd_vec_char text = {0};
        uint64_t word = explore->shared[i] - 1, address = (word & ~HEDDLE_WIRE_STATE) * 8;
        const char *what = word & HEDDLE_WIRE_STATE ? "state" : "shared";
        if (address >= low && address < top)
            hd_text_append(&text, "%s=main-%llu", what, (unsigned long long)(top - address));
        else
            hd_text_append(&text, "%s=%llu", what, (unsigned long long)address);
        hd_vec_push(words, text.data);
    }
}

static bool add_loop(hd_native_program *m, const char *text, uint32_t more) {
    heddle_wire_explore *explore = m->server.explore;
    uint64_t code;
    if (!hd_text_u64(text, strlen(text), &code))
        return false;
    uint32_t known = more | (more & HEDDLE_WIRE_LOOP_WRITES ? 0 : HEDDLE_WIRE_LOOP_SEEN);
    for (uint32_t i = 0; i < explore->loops; i++)
        if (explore->loop[i].code == m->server.run.wire->code + code) { /* more is known of it */
            explore->loop[i].found |= known;
            explore->loop[i].now |= known;
            explore->polls |= is_polled(&explore->loop[i]);
            return true;
        }
    if (explore->loops >= HEDDLE_WIRE_LOOPS)
        return false;
    explore->loop[explore->loops++] =
        (heddle_wire_loop){.code = m->server.run.wire->code + code, .now = known, .found = known};
    explore->polls |= is_polled(&explore->loop[explore->loops - 1]);
    return true;
}

static bool add_copy(hd_native_program *m, const char *text) {
    heddle_wire_explore *explore = m->server.explore;
    uint64_t code;
    if (!hd_text_u64(text, strlen(text), &code) || explore->copies >= HEDDLE_WIRE_COPIES)
        return false;
    explore->copy[explore->copies++] = m->server.run.wire->code + code;
    m->copies = explore->copies;
    return true;
}

static bool add_thread(hd_native_program *m, const char *text) {
    heddle_wire_explore *explore = m->server.explore;
    const char *dot = strchr(text, '.');
    uint64_t creator, birth;
    if (!dot || !hd_text_u64(text, (size_t)(dot - text), &creator) ||
        !hd_text_u64(dot + 1, strlen(dot + 1), &birth) || creator >= explore->threads ||
        birth > UINT32_MAX || explore->threads >= HEDDLE_WIRE_EXPLORED)
        return false;
    explore->name[explore->threads].creator = (uint32_t)creator;
    explore->name[explore->threads].birth = (uint32_t)birth;
    m->base.threads = ++explore->threads;
    hd_native_program_forget(m);
    return true;
}

bool hd_native_machine_add_word(hd_machine *machine, const char *word) {
    static const char restless[] = "restless=", loop[] = "loop=", read[] = "read=",
                      write[] = "write=";
    static const char polls[] = "polls=", backs[] = "backs=";
    static const char targets[] = "targets=";
    static const char thread[] = "thread=", shared[] = "shared=", state[] = "state=";
    static const char stack[] = "main-", copy[] = "copy=";
    hd_native_program *m = hd_native_program_of(machine);
    uint64_t address;
    if (strncmp(word, "build=", strlen("build=")) == 0 ||
        hd_launch_options_word(m->server.run.wire, word)) /* as on its command line */
        return true;
    if (hd_native_sections_word(m->server.explore, m->server.run.wire->code, word)) {
        m->section_news = m->server.explore->section_news;
        return true;
    }
    if (hd_native_server_caught(m->server.run.wire, word)) {
        m->caught = ++m->server.explore->caught;
        return true;
    }
    if (hd_launch_options_ends(word, &m->ends)) {
        m->server.explore->ends = m->ends;
        return true;
    }
    if (hd_launch_options_exits(word, &m->server.explore->exits)) {
        m->exits = m->locations.exits = m->server.explore->exits;
        return true;
    }
    if (hd_launch_options_waits(word, &m->server.explore->awaits))
        return true;
    if (strncmp(word, restless, strlen(restless)) == 0)
        return add_loop(m, word + strlen(restless), HEDDLE_WIRE_LOOP_RESTLESS);
    if (strncmp(word, loop, strlen(loop)) == 0)
        return add_loop(m, word + strlen(loop), HEDDLE_WIRE_LOOP_PROVED);
    if (strncmp(word, polls, strlen(polls)) == 0)
        return add_loop(m, word + strlen(polls), HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_LOCKS);
    if (strncmp(word, backs, strlen(backs)) == 0)
        return add_loop(m, word + strlen(backs), HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_BACKS);
    if (strncmp(word, read, strlen(read)) == 0)
        return add_loop(m, word + strlen(read), 0);
    if (strncmp(word, write, strlen(write)) == 0)
        return add_loop(m, word + strlen(write), HEDDLE_WIRE_LOOP_WRITES);
    if (strncmp(word, targets, strlen(targets)) == 0) {
        if (!hd_text_u64(word + strlen(targets), strlen(word + strlen(targets)), &address))
            return false;
        m->targets = m->locations.targets = m->server.explore->targets = address;
        return true;
    }
    if (strncmp(word, copy, strlen(copy)) == 0)
        return add_copy(m, word + strlen(copy));
    if (strncmp(word, thread, strlen(thread)) == 0)
        return add_thread(m, word + strlen(thread));
    bool of_state = strncmp(word, state, strlen(state)) == 0;
    if (!of_state && strncmp(word, shared, strlen(shared)) != 0)
        return false;
    word += of_state ? strlen(state) : strlen(shared);
    bool of_main = strncmp(word, stack, strlen(stack)) == 0;
    if (of_main)
        word += strlen(stack);
    if (!hd_text_u64(word, strlen(word), &address))
        return false;
    return hd_native_server_share(&m->server, (of_main ? stack_top(m) - address : address) / 8 |
                                                  (of_state ? HEDDLE_WIRE_STATE : 0));
}
