/*
 * Which plain accesses are steps of an explored program?  Those to words that more than one
 * thread touches, at least one of them writing.  These are not known at first: a shadow of
 * the memory has for each word who touched it, and words that turn out to be shared are
 * reported, for the next runs.
 *
 * What a thread does while it is the only one there is does not count: all it did before it
 * created another, and all that is left when the others have been joined, is ordered.
 *
 * Where runs follow each other in one process the shadow stays: what one run showed counts
 * for the next.
 *
 * The tool predicts runs from what threads did in others (predict_runs.h), so it must know what a
 * thread's behaviour depends on besides its steps.  Listed is what the thread that is left reads of
 * what others touched, as that is no step.
 */
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_freed.h"
#include "rt_heap.h"
#include "rt_signal.h"

/* In `shade.thread`: a thread, or from HANDLERS on a pair of a thread and the signal whose handler
 * it is in, which interrupts it between any two accesses, so that these are steps too if both touch
 * the same memory.  Such a pair has the number of its place in a table, by hash. */
enum { HANDLERS = HEDDLE_WIRE_EXPLORED, SIGNALS = 65, PAIRS = 1 << 16, WHO = (1 << 17) - 1 };
_Static_assert(HANDLERS + PAIRS <= WHO, "threads and pairs fit");

static uint32_t pairs[PAIRS]; /* thread * SIGNALS + signal, 0: none */
static uint32_t pair_count;

/* Who has touched a word: word + 1, and then the first thread, whether that one wrote, whether
 * others read it, whether it was reported.  If there are objects in it, the first thread that used
 * one, whether others did, and of which bytes of the word that is known.  Likewise the bytes that
 * were read and written. */
typedef struct shade {
    uint64_t word;
    uint64_t thread : 17, user : 17;
    uint64_t wrote : 1, others : 1, reported : 1, users : 1, touched : 1, placed : 1;
    uint64_t object : 8, reads : 8, writes : 8;
} shade;

static shade *shades;
static uint64_t shade_room, shade_count;

bool hd_rt_explore_is_shared(uint64_t word) {
    return heddle_wire_shares(hd_rt_explore, word);
}

static shade *find_shade(uint64_t word) {
    uint64_t place = word * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (shade_room - 1);
    while (shades[place].word && shades[place].word != word + 1)
        place = (place + 1) & (shade_room - 1);
    return &shades[place];
}

static void grow_shades(void) {
    shade *old = shades;
    uint64_t old_room = shade_room;
    shade_room = shade_room ? 4 * shade_room : 1 << 10;
    shades = hd_rt_reset_pages(shade_room * sizeof *shades);
    for (uint64_t i = 0; i < old_room; i++)
        if (old[i].word)
            *find_shade(old[i].word - 1) = old[i];
}

/* Where there is no place the next touch reports it. */
static void report(shade *it) {
    it->reported =
        hd_rt_explore_is_shared(it->word - 1) || hd_rt_explore->fresh < HEDDLE_WIRE_FRESH;
    if (!hd_rt_explore_is_shared(it->word - 1) && it->reported)
        hd_rt_explore->fresh_word[hd_rt_explore->fresh++] = it->word - 1;
}

/* The handler that the current thread runs. */
static uint32_t handler_now(void) {
    uint32_t pair = hd_rt.current->id * SIGNALS + hd_rt.current->context;
    uint32_t place = pair * UINT32_C(0x9e3779b1) >> 16;
    while (pairs[place] && pairs[place] != pair)
        place = (place + 1) % PAIRS;
    if (!pairs[place] && pair_count == PAIRS / 2) { /* as if the thread itself did it */
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_HANDLERS;
        return hd_rt.current->id;
    }
    pair_count += !pairs[place];
    pairs[place] = pair;
    return HANDLERS + place;
}

/* The current thread, or the handler that it runs. */
static uint32_t self_now(void) {
    return HD_RT_LIKELY(!hd_rt.current->context) ? hd_rt.current->id : handler_now();
}

static uint32_t thread_of(uint32_t who) {
    return who < HANDLERS ? who : pairs[who - HANDLERS] / SIGNALS;
}

/* A thread writes to the stack of another, where that does not look while it has this one beside
 * it: so that changes the state of the other only when it is alone. */
static void lend(uint64_t word) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint64_t *at = &explore->lent_word[heddle_wire_lent_place(explore, word)];
    if (*at || explore->lent >= HEDDLE_WIRE_LENT / 2)
        return;
    *at = word + 1;
    explore->lent++;
}

/* On the stack of another thread.  clang announces no element of an array, and no member of a
 * structure, that is on the stack of the function which uses it. */
static void note_stack(shade *it, bool write) {
    uint64_t word = it->word - 1;
    bool lends = write && !it->placed && (hd_rt_explore->locals_wanted || hd_rt_explore->loops);
    if (hd_rt_explore->hidden & HEDDLE_WIRE_HIDES_STACKS && !lends)
        return;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const hd_rt_thread *thread = hd_rt.live[i];
        if (thread != hd_rt.current && word * 8 >= thread->wire->stack &&
            word * 8 < thread->wire->stack + thread->wire->stack_size) {
            hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_STACKS;
            if (lends)
                lend(word);
        }
    }
    it->placed |= lends;
}

/* Memory of an object that one thread uses is accessed by another.  Which bytes that are of each is
 * known, so nothing is wrong with what lies next to it. */
static void meet_object(shade *it) {
    if (!(it->object & (it->reads | it->writes)) ||
        (it->thread == it->user && !it->others && !it->users))
        return;
    hd_rt_explore->exits |= HEDDLE_WIRE_MAKES_OBJECTS;
    if (it->object & it->reads)
        hd_rt_explore->exits |= HEDDLE_WIRE_ODD_OBJECTS;
    if (!it->reported)
        report(it);
}

static shade *shade_of(uint64_t word) {
    if (2 * shade_count >= shade_room)
        grow_shades();
    shade *it = find_shade(word);
    if (it->word)
        return it;
    *it = (shade){.word = word + 1};
    shade_count++;
    return it;
}

/* ---- Words that are freed ---- */

/* Of a word in a block that was freed there is a second shade: by which thread. */
#define FREED (UINT64_C(1) << 62)

static void note_freed(uint64_t word) {
    uint64_t count = shade_count;
    shade *it = shade_of(word | FREED);
    uint32_t self = self_now();
    bool first = shade_count != count;
    if (first)
        it->thread = self & WHO;
    /* Threads that were alone may have used it in earlier runs. */
    hd_rt_explore->looks.late |= first || (it->thread != self && !it->others);
    it->others |= it->thread != self;
}

static const shade *find_freed(uint64_t word) {
    if (word & HEDDLE_WIRE_STATE || !shade_room || !hd_rt_heap_ours((const void *)(word * 8)))
        return NULL;
    const shade *it = find_shade(word | FREED);
    return it->word ? it : NULL;
}

/* The first time. */
static void begin_shade(shade *it, bool write) {
    uint64_t word = it->word - 1;
    it->touched = true;
    it->thread = self_now() & WHO;
    it->wrote = write;
    if (!(word & HEDDLE_WIRE_STATE) && hd_rt_got_private(word * 8)) {
        it->others = it->wrote = true; /* functions of its module write it */
        hd_rt_explore->statics |= 1;
        report(it);
    }
    const shade *freed = find_freed(word);
    if (freed && !it->reported && (freed->others || freed->thread != it->thread)) {
        it->others = it->wrote = true;
        report(it);
    }
}

/* A word is written for the first time, though it was met before: by the same thread, or by one
 * that was alone.  That one may do something else from now on. */
static bool is_late(const shade *it, uint32_t self) {
    return !it->wrote && !it->reported && (!it->touched || it->thread == self);
}

/* `bytes` of it; none if it is not accessed, but freed, or used as an object without a body. */
static void touch(uint64_t word, unsigned bytes, bool write) {
    uint64_t count = shade_count;
    shade *it = shade_of(word);
    uint32_t self = self_now();
    if (write && shade_count == count && is_late(it, self))
        hd_rt_explore->looks.late = 1;
    if (write)
        it->writes |= (uint8_t)bytes;
    else
        it->reads |= (uint8_t)bytes;
    if (!it->touched)
        begin_shade(it, write);
    it->others |= it->thread != self;
    if (it->object)
        meet_object(it);
    if (it->reported)
        return;
    it->wrote |= write;
    note_stack(it, write);
    bool used = !bytes && it->object && (it->users || it->user != self);
    if ((it->others || used) && it->wrote)
        report(it);
}

/* Of an access to bytes from `low` up to `high`, those that are in that word. */
static unsigned bytes_of(uint64_t word, uintptr_t low, uintptr_t high) {
    unsigned from = low > word * 8 ? (unsigned)(low - word * 8) : 0;
    unsigned rest = high < word * 8 + 8 ? (unsigned)(word * 8 + 8 - high) : 0;
    return 0xffU << from & 0xffU >> rest;
}

bool hd_rt_explore_object(uintptr_t address, size_t size) {
    bool shared = false;
    uint32_t self = self_now();
    if (hd_rt_explored.births == hd_rt_explored.joins || hd_rt.ended || !size)
        return false;
    uint64_t last = (address + size - 1) / 8;
    for (uint64_t word = address / 8; word <= last; word++) {
        shade *it = shade_of(word);
        unsigned bytes = bytes_of(word, address, address + size);
        if (!it->object)
            it->user = self & WHO;
        it->users |= it->user != self;
        it->object |= (uint8_t)bytes;
        if (it->touched)
            meet_object(it);
        shared |= hd_rt_explore->exits & HEDDLE_WIRE_MAKES_OBJECTS && hd_rt_explore_is_shared(word);
    }
    return shared;
}

bool hd_rt_explore_on_stack(const volatile void *address) {
    const hd_rt_thread *self = hd_rt.current;
    return (uintptr_t)address >= self->wire->stack && (uintptr_t)address < self->stack_top;
}

/* --- what is not a step --------------------------------------------------------------------- */

static void list(uint64_t word, uint32_t thread) {
    heddle_wire_looks *looks = &hd_rt_explore->looks;
    heddle_wire_look look = {word, hd_rt_explore->steps, thread};
    for (uint32_t i = looks->count; i-- > 0 && looks->look[i].step == look.step;)
        if (looks->look[i].word == word)
            return;
    if (looks->count < HEDDLE_WIRE_LOOKS_KEPT)
        looks->look[looks->count++] = look;
    else if (!looks->more)
        looks->more = look.step;
}

/* No other thread is known to have met the word: one that writes it later will find that it was
 * (is_late). */
static void look_early(uint64_t word) {
    enum { MOST = 1 << 20 };
    if (shade_count < MOST)
        shade_of(word);
    else if (!hd_rt_explore->looks.more)
        hd_rt_explore->looks.more = hd_rt_explore->steps;
}

/* A thread that is alone reads what others may have freed; true if that is so. */
static bool note_look_freed(uint64_t word) {
    const shade *it = find_freed(word);
    if (!it || (!it->others && thread_of(it->thread) == hd_rt.current->id))
        return false;
    if (!it->others)
        list(word, thread_of(it->thread));
    else if (!hd_rt_explore->looks.more)
        hd_rt_explore->looks.more = hd_rt_explore->steps;
    return true;
}

/* The thread that is left reads. */
static void note_look(uint64_t word) {
    if (hd_rt_explore_is_shared(word)) {
        list(word, HEDDLE_WIRE_EXPLORED);
        return;
    }
    const shade *it = shade_room ? find_shade(word) : NULL;
    if (it && it->word && it->reported)
        list(word, HEDDLE_WIRE_EXPLORED);
    else if (it && it->wrote && it->word && thread_of(it->thread) != hd_rt.current->id)
        list(word, thread_of(it->thread));
    else if (!note_look_freed(word) && (!it || !it->word))
        look_early(word);
}

void hd_rt_explore_look(const volatile void *address, size_t size) {
    if (!hd_rt_explored.births || !size)
        return;
    uint64_t last = ((uintptr_t)address + size - 1) / 8;
    for (uint64_t word = (uintptr_t)address / 8; word <= last; word++)
        note_look(word);
}

/* The thread that is left writes: threads that it makes later find that. */
static void note_overwritten(uint64_t word) {
    hd_rt_run *run = &hd_rt_explored;
    for (uint32_t i = 0; i < run->overwritten && i < HD_RT_OVERWRITTEN; i++)
        if (run->overwrote[i] == word)
            return;
    if (run->overwritten < HD_RT_OVERWRITTEN)
        run->overwrote[run->overwritten] = word;
    if (run->overwritten <= HD_RT_OVERWRITTEN)
        run->overwritten++;
}

void hd_rt_explore_overwritten(void) {
    for (uint32_t i = 0; i < hd_rt_explored.overwritten && i < HD_RT_OVERWRITTEN; i++)
        list(hd_rt_explored.overwrote[i], HEDDLE_WIRE_EXPLORED);
    if (hd_rt_explored.overwritten > HD_RT_OVERWRITTEN && !hd_rt_explore->looks.more)
        hd_rt_explore->looks.more = hd_rt_explore->steps;
    hd_rt_explored.overwritten = 0;
}

void hd_rt_explore_unseen(void) {
    if (hd_rt.exploring && hd_rt_explored.births)
        hd_rt_explore->unseen = 1;
}

bool hd_rt_explore_shares(const volatile void *address, size_t size) {
    if (hd_rt_explored.births == hd_rt_explored.joins || !size || hd_rt.ended)
        return false;
    uint64_t word = (uintptr_t)address / 8, last = ((uintptr_t)address + size - 1) / 8;
    while (word <= last && !hd_rt_explore_is_shared(word))
        word++;
    return word <= last;
}

/* All words of it. */
static void touch_range(const volatile void *address, size_t size, bool write) {
    uintptr_t low = (uintptr_t)address, high = low + size;
    for (uint64_t word = low / 8; word <= (high - 1) / 8; word++)
        touch(word, bytes_of(word, low, high), write);
}

void hd_rt_explore_stored(const void *address, size_t size) {
    hd_rt_written_add((uintptr_t)address, size);
    if (hd_rt_explored.births == hd_rt_explored.joins || !size)
        return;
    hd_rt_spin_forget(hd_rt.current); /* what the call did is not known */
    if (hd_rt_explore_shares(address, size))
        hd_rt_explore->unseen = 1;
    touch_range(address, size, true);
}

/* --- accesses ------------------------------------------------------------------------------- */

/* No memory is there, and the program has a handler for that: the access only calls it.  The word
 * must not become a shared one, at whose value the runtime would look. */
static bool calls_handler(uintptr_t end) {
    enum { NOWHERE = 4096 };
    return end <= NOWHERE && hd_rt_signal_handles_faults;
}

/* By the only thread there is: it is part of its state all the same. */
static void store_alone(bool announced, const volatile void *address, size_t size) {
    if (announced)
        hd_rt_spin_stores((uintptr_t)address, size);
    else if (!hd_rt_explore_on_stack(address))
        hd_rt_spin_forget(hd_rt.current);
}

/* A thread is alone: is the access a step?  The tool may want those of shared words. */
static bool touch_alone(bool write, const volatile void *address, size_t size) {
    bool steps = hd_rt_explore->ends & HEDDLE_WIRE_ENDS_ALONE && !hd_rt.ended, shared = false;
    if (!hd_rt_explored.births || !size)
        return false;
    uint64_t last = ((uintptr_t)address + size - 1) / 8;
    for (uint64_t word = (uintptr_t)address / 8; word <= last; word++) {
        bool is_shared = hd_rt_explore_is_shared(word);
        if (is_shared && steps) {
            shared = true;
            continue;
        }
        if (!write)
            note_look(word);
        else
            note_look_freed(word); /* it fails if it was freed */
        if (write && is_shared && hd_rt_explore->ends & HEDDLE_WIRE_ENDS_APART)
            note_overwritten(word);
    }
    return shared;
}

/* True if one of the words is shared.  Then a store that the compiler announces is a step, which
 * shows whether it changes something; else it is not done before the next one. */
static bool touch_all(bool write, bool announced, const volatile void *address, size_t size) {
    bool shared = false;
    if (hd_rt_explored.births == hd_rt_explored.joins) {
        bool step = touch_alone(write, address, size);
        if (write && !step && HD_RT_UNLIKELY(hd_rt_explore->locals_wanted))
            store_alone(announced, address, size);
        return step;
    }
    uintptr_t low = (uintptr_t)address, high = low + size;
    if (calls_handler(high)) {
        hd_rt_spin_forget(hd_rt.current);
        return false;
    }
    if (write && !announced && !hd_rt_explore_on_stack(address))
        hd_rt_spin_forget(hd_rt.current);
    for (uint64_t word = low / 8; word <= (high - 1) / 8; word++) {
        shared |= hd_rt_explore_is_shared(word);
        touch(word, bytes_of(word, low, high), write);
    }
    if (announced && !shared && !hd_rt_explore_on_stack(address))
        hd_rt_spin_stores(low, size);
    return shared;
}

bool hd_rt_explore_touch(bool write, const volatile void *address, size_t size) {
    return size && touch_all(write, false, address, size);
}

bool hd_rt_explore_store(const volatile void *address, size_t size) {
    return size && touch_all(true, true, address, size);
}

bool hd_rt_explore_statics(void) {
    return hd_rt_explore->statics & 1;
}

bool hd_rt_explore_state(uint64_t object, bool write) {
    uint64_t word = object / 8 | HEDDLE_WIRE_STATE;
    if (hd_rt.ended || hd_rt_explored.births == hd_rt_explored.joins) {
        note_look(word);
        return false;
    }
    if (write)
        hd_rt_spin_forget(hd_rt.current);
    if (hd_rt_explore_is_shared(word))
        return true;
    touch(word, 0, write);
    return false;
}

/* A thread may wait in a loop for a word that is not known to be shared yet.  So after very many
 * accesses without a point others may go on, who will write it; if they do not, the thread yields
 * less and less often.  If words have turned out to be shared in this run, all will be run again
 * with these as steps: it need not come to an end, which it may not have. */
static void run_on(uintptr_t code) {
    enum { FIRST = 1 << 16, ENOUGH = 1 << 20, LAST = 1 << 24 };
    hd_rt_thread *self = hd_rt.current;
    if (self->patience < FIRST)
        self->patience = FIRST;
    if (++self->accesses < self->patience || hd_rt_explored.births == hd_rt_explored.joins)
        return;
    if (self->patience >= ENOUGH && hd_rt_explore->fresh)
        hd_rt_explore_cut();
    uint32_t patience = self->patience < LAST ? 2 * self->patience : LAST;
    hd_rt_runs_on(code);
    self->patience = patience;
}

void hd_rt_explore_access(unsigned kind, const volatile void *address, size_t size,
                          uintptr_t code) {
    if (!size)
        return;
    enum hd_rt_within within = hd_rt_foreign_access(address, size, code);
    if (HD_RT_UNLIKELY(within == HD_RT_PRIVATE))
        return;
    bool step = touch_all(kind == HEDDLE_WRITE + 1, false, address, size);
    if (HD_RT_UNLIKELY(step && within == HD_RT_AMIDST)) {
        hd_rt_explore_unseen();
        hd_rt_explore->exits |= HEDDLE_WIRE_EXITS;
        hd_rt_point(HEDDLE_WIRE_ATOMIC, NULL, 0, code);
    } else if (step && within != HD_RT_COVERED)
        hd_rt_point(kind, address, (uint32_t)size, code);
    else {
        run_on(code);
        hd_rt_freed_check(kind, address, size, code);
    }
    if (HD_RT_UNLIKELY(hd_rt_explore->exits & HEDDLE_WIRE_MAKES_OBJECTS) &&
        kind == HEDDLE_WRITE + 1)
        hd_rt_object_written((uintptr_t)address, size, false);
}

/* A word of a block that is freed.  Who touches it later in this run is found by that (rt_freed.h),
 * so only what others touched before counts; but who meets it in another run must know. */
static bool free_word(uint64_t word) {
    if (!hd_rt.wire->reuse) /* there who has the block next would meet it, too */
        note_freed(word);
    if (hd_rt_explore_is_shared(word))
        return true;
    const shade *it = shade_room ? find_shade(word) : NULL;
    if (it && it->word && it->touched)
        touch(word, 0, true);
    return false;
}

/* That a block is freed is a state of its own, in the place of its head: it decides what it means
 * to free it again.  If several threads do, these are steps, which write to its first word. */
static bool free_state(const void *block) {
    uint64_t state = ((uintptr_t)block - sizeof(uint64_t)) / 8 | HEDDLE_WIRE_STATE;
    bool shared = hd_rt_explore_state((uintptr_t)block - sizeof(uint64_t), true);
    if (!shared && hd_rt_explored.births && hd_rt_explore_is_shared(state))
        list((uintptr_t)block / 8, HEDDLE_WIRE_EXPLORED);
    return shared;
}

bool hd_rt_explore_frees(const void *block, size_t size, uint64_t *low, uint64_t *high) {
    enum { MOST = 1 << 18 }; /* words of a block that are noted */
    bool shared = free_state(block);
    if (hd_rt_explored.births == hd_rt_explored.joins)
        return false;
    hd_rt_spin_forget(hd_rt.current);
    if (shared)
        *low = *high = (uintptr_t)block / 8;
    if (size / 8 > MOST)
        hd_rt_explore_unseen();
    uint64_t last = ((uintptr_t)block + size - 1) / 8;
    for (uint64_t word = (uintptr_t)block / 8; word <= last; word++) {
        if (size / 8 > MOST && !hd_rt_explore_is_shared(word) &&
            !(shade_room && find_shade(word)->word))
            continue;
        if (!free_word(word))
            continue;
        if (!shared)
            *low = word;
        *high = word;
        shared = true;
    }
    return shared;
}

void hd_rt_explore_share(uintptr_t address, size_t size) {
    if (hd_rt_explored.births == hd_rt_explored.joins)
        return;
    uint64_t last = (address + (size ? size - 1 : 0)) / 8;
    for (uint64_t word = address / 8; word <= last; word++) {
        touch(word, 0, true);
        shade *it = find_shade(word);
        if (!it->reported)
            report(it);
    }
}

void hd_rt_explore_note(unsigned kind, const volatile void *address, size_t size) {
    if (hd_rt.ended && kind != HEDDLE_ATOMIC_WRITE + 1)
        hd_rt_explore_look(address, size); /* on the way out it is no step */
    if (hd_rt_explored.births != hd_rt_explored.joins)
        touch_range(address, size, kind != HEDDLE_ATOMIC_READ + 1);
}

void hd_rt_explore_used(uintptr_t address) {
    if (hd_rt_explored.births != hd_rt_explored.joins)
        touch(address / 8, 0, false);
}
