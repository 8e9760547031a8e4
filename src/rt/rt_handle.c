#include "rt_handle.h"

#include "rt_explore.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_string.h"
#include "rt_sync.h"

/* What stands for them: never written, so all of it is 0; but for a word for have_callers. */
static uint64_t *words;

enum { CALLERS = HEDDLE_WIRE_THREAD_STATES - 1 };

void hd_rt_handle_start(void) {
    words = hd_rt_table((HEDDLE_WIRE_THREAD_STATES + HEDDLE_WIRE_THREADS) * sizeof *words,
                        HEDDLE_WIRE_UNKEPT_OBJECTS);
    hd_rt.wire->thread_words = (uintptr_t)words;
}

bool hd_rt_handle_is_on(void) {
    if (hd_rt.ended)
        return false;
    return hd_rt.mode == HD_RT_FREE ? hd_rt_self != NULL : hd_rt_controlled();
}

/* What the call does depends on who came first, so no run is computed from this one. */
void hd_rt_handle_access(bool write, const void *word, uintptr_t code) {
    if (hd_rt.exploring && hd_rt_explore_shares(word, sizeof(uint64_t)))
        hd_rt_explore_unseen();
    if (!write) {
        hd_rt_string_reads(word, sizeof(uint64_t), code);
        return;
    }
    hd_rt_string_will_write((void *)(uintptr_t)word, sizeof(uint64_t), code);
    hd_rt_string_wrote((void *)(uintptr_t)word, sizeof(uint64_t), code);
}

static bool is_on(void) {
    return words && hd_rt_handle_is_on();
}

enum {
#define BUFFER(name, words) BUFFER_##name,
#include "heddle/buffer.def"
#undef BUFFER
    NO_RESULT = 1 << BUFFER_strtok | 1 << BUFFER_environment | 1 << BUFFER_drand48 |
                1 << BUFFER_hsearch | 1 << BUFFER_getopt
};

/* Several threads get the same memory as a result.  When they use it is not known. */
static bool have_callers(uint32_t thread) {
    uint64_t *callers = &words[CALLERS];
    uint64_t now = __atomic_or_fetch(callers, UINT64_C(1) << thread % 64, __ATOMIC_RELAXED);
    return (now & (now - 1)) != 0;
}

bool hd_rt_handle_shares(uint32_t which) {
    return which & ~(uint32_t)NO_RESULT && is_on() && have_callers(hd_rt_own->pack.thread);
}

/* Runs can be computed: what the call finds is the state that its own step is about. */
void hd_rt_handle_buffers(uint32_t which, bool looks, uintptr_t code) {
    if (hd_rt.exploring && is_on() && which & ~(uint32_t)NO_RESULT &&
        have_callers(hd_rt.current->id))
        hd_rt_explore->statics |= 2;
    for (; which && is_on(); which &= which - 1) {
        uint64_t *word = &words[HEDDLE_WIRE_THREADS + __builtin_ctz(which)];
        if (looks) {
            hd_rt_string_reads(word, sizeof *word, code);
            continue;
        }
        hd_rt_string_will_write(word, sizeof *word, code);
        hd_rt_string_wrote(word, sizeof *word, code);
    }
}

/* The newest one: the C library gives the handle of a thread that was joined to another. */
static hd_rt_thread *thread_ever(pthread_t handle) {
    for (uint32_t id = hd_rt.wire->threads; id-- > 0;)
        if (hd_rt_thread_at(id) && pthread_equal(hd_rt_thread_at(id)->handle, handle))
            return hd_rt_thread_at(id);
    return NULL;
}

/* Whether a thread was detached: a state of its own. */
static const uint64_t *state_of(const hd_rt_thread *thread) {
    return &words[HEDDLE_WIRE_THREAD_STATES + thread->id];
}

hd_rt_thread *hd_rt_handle_use(pthread_t handle, const char *name, uintptr_t code) {
    hd_rt_thread *thread = thread_ever(handle);
    if (!thread || thread == hd_rt.current)
        return thread;
    if (is_on()) {
        hd_rt_handle_access(false, &words[thread->id], code);
        hd_rt_foreign_use(name, state_of(thread), HD_RT_LOOKS, code);
    }
    if (thread->detached && hd_rt.exploring && !hd_rt.ended) {
        hd_rt_explore->ends |= HEDDLE_WIRE_ENDS_ASKED;
        hd_rt_point_with(HEDDLE_JOIN + 1, HEDDLE_WIRE_TRY, (void *)(uintptr_t)thread->id, 0, code,
                         HD_RT_FOREVER);
    }
    bool ended = thread->detached && thread->wire->state == HEDDLE_WIRE_ENDED;
    if (thread->reaped || ended)
        hd_rt_misuse_thread(HEDDLE_WIRE_ENDED_THREAD,
                            thread->detached ? "use of a thread that was detached and has ended"
                                             : "use of a thread that was joined",
                            code);
    return thread;
}

void hd_rt_handle_arrive(pthread_t handle, uintptr_t code) {
    hd_rt_thread *thread = hd_rt.exploring && is_on() ? thread_ever(handle) : NULL;
    if (thread && thread != hd_rt.current)
        hd_rt_handle_access(false, &words[thread->id], code);
}

/* A step on the state of the thread, if there is one. */
static void step_on(pthread_t handle, const char *name, enum hd_rt_use how, uintptr_t code) {
    hd_rt_thread *thread = hd_rt.exploring && is_on() ? thread_ever(handle) : NULL;
    if (thread)
        hd_rt_foreign_instead(name, state_of(thread), how, code);
}

void hd_rt_handle_wait(pthread_t handle, uintptr_t code) {
    step_on(handle, "pthread_join", HD_RT_LOOKS, code);
}

void hd_rt_handle_look(pthread_t handle, uintptr_t code) {
    uint32_t id = hd_rt_free_number(handle);
    if (id < HEDDLE_WIRE_THREADS && id != hd_rt_own->pack.thread && is_on())
        hd_rt_handle_access(false, &words[id], code);
}

void hd_rt_handle_detach(pthread_t handle, uintptr_t code) {
    step_on(handle, "pthread_detach", HD_RT_CHANGES, code);
}

void hd_rt_handle_join(uint32_t id, uintptr_t code) {
    if (is_on())
        hd_rt_handle_access(true, &words[id], code);
}

void hd_rt_handle_name(const hd_rt_thread *thread, const char *name, enum hd_rt_use how,
                       uintptr_t code) {
    if (words)
        hd_rt_foreign_use(name, &words[thread->id], how, code);
}
