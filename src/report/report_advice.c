#include "report_advice.h"

#include <stdlib.h>

/* A longer schedule shows no pattern that a person would recognise. */
enum { LONGEST = 4000 };

typedef struct look {
    const hd_trace *trace;
    uint32_t length;
    hd_report_advice *advice;
} look;

static const heddle_event *at(const look *l, uint32_t event) {
    return hd_trace_event(l->trace, event);
}

static bool reads(const heddle_event *event) {
    return hd_trace_traits(event) & HEDDLE_T_READS;
}

static bool writes(const heddle_event *event) {
    return hd_trace_traits(event) & HEDDLE_T_WRITES && event->kind != HEDDLE_FREE;
}

static bool acquires(const heddle_event *event) {
    return hd_trace_traits(event) & HEDDLE_T_ACQUIRES;
}

static bool notifies(const heddle_event *event) {
    return event->kind == HEDDLE_NOTIFY || event->kind == HEDDLE_NOTIFYALL;
}

/* --- text ------------------------------------------------------------------------------------ */

static const char *thread_of(const look *l, uint32_t event) {
    return hd_text_name(hd_trace_thread_name(&l->trace->tables, at(l, event)->thread));
}

static void say(const look *l, const char *text) {
    hd_text_append_text(&l->advice->text, text);
}

static void say_thread(const look *l, uint32_t event) {
    say(l, thread_of(l, event));
}

static void say_object(const look *l, uint32_t event) {
    say(l, hd_text_name(hd_trace_object_name(&l->trace->tables, at(l, event))));
}

/* " at file.c:12", the file without its folders. */
static void say_place(const look *l, uint32_t event) {
    const char *place = hd_trace_location(&l->trace->tables, at(l, event));
    const char *slash = place ? strrchr(place, '/') : NULL;
    if (!place || !*place)
        return;
    say(l, " at ");
    say(l, hd_text_name(slash ? slash + 1 : place));
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void mark(const look *l, const uint32_t *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&l->advice->events, events[i]);
    qsort(l->advice->events.data, l->advice->events.length, sizeof *events, compare_numbers);
}

/* --- finding events -------------------------------------------------------------------------- */

/* The last event of a thread before `end` that is of the kind; 0: none. */
static uint32_t last_of(const look *l, uint32_t end, uint32_t thread, enum heddle_kind kind) {
    while (--end)
        if (at(l, end)->thread == thread && at(l, end)->kind == kind)
            return end;
    return 0;
}

/* Where the thread took a lock last before `end`; 0: it holds none that it took here. */
static uint32_t last_acquire(const look *l, uint32_t end, uint32_t thread) {
    while (--end)
        if (at(l, end)->thread == thread && acquires(at(l, end)))
            return end;
    return 0;
}

static uint32_t first_acquire(const look *l, uint32_t from, uint32_t thread) {
    for (uint32_t i = from; i <= l->length; i++)
        if (at(l, i)->thread == thread && acquires(at(l, i)))
            return i;
    return 0;
}

/* The last notification of the condition of `wait` in between; 0: none. */
static uint32_t last_notification(const look *l, uint32_t from, uint32_t end, uint32_t wait) {
    while (--end > from)
        if (notifies(at(l, end)) && at(l, end)->object == at(l, wait)->object)
            return end;
    return 0;
}

/* The last write of the variable of `read` by another thread in between; 0: none. */
static uint32_t last_change(const look *l, uint32_t from, uint32_t end, uint32_t read) {
    while (--end > from)
        if (writes(at(l, end)) && at(l, end)->object == at(l, read)->object &&
            at(l, end)->thread != at(l, read)->thread)
            return end;
    return 0;
}

/* Does its thread read the variable after `from`, at the same place or (`anywhere`) at any? */
static bool reads_again(const look *l, uint32_t from, uint32_t read, bool anywhere) {
    for (uint32_t i = from + 1; i <= l->length; i++)
        if (at(l, i)->thread == at(l, read)->thread && reads(at(l, i)) &&
            at(l, i)->object == at(l, read)->object &&
            (anywhere || at(l, i)->location == at(l, read)->location))
            return true;
    return false;
}

/* --- a test that is not repeated after the wait ---------------------------------------------- */

static bool says_if(const look *l) {
    uint32_t thread = at(l, l->length)->thread;
    uint32_t wake = last_of(l, l->length + 1, thread, HEDDLE_WAKE);
    uint32_t wait = wake ? last_of(l, wake, thread, HEDDLE_WAIT) : 0;
    uint32_t locked = wait ? last_acquire(l, wait, thread) : 0;
    uint32_t again = wait ? first_acquire(l, wake, thread) : 0;
    uint32_t notified = wait ? last_notification(l, wait, wake, wait) : 0;
    if (!locked || !again || !notified)
        return false;
    for (uint32_t read = wait - 1; read > locked; read--) {
        uint32_t change;
        if (at(l, read)->thread != thread || !reads(at(l, read)) ||
            !(change = last_change(l, notified, again, read)) ||
            reads_again(l, again, read, false) || !reads_again(l, again, read, true))
            continue;
        say_thread(l, read);
        say(l, " waits");
        say_place(l, wait);
        say(l, " and is woken, but ");
        say_thread(l, change);
        say(l, " changes ");
        say_object(l, change);
        say_place(l, change);
        say(l, " before it has the lock again.  Test the condition again after each wait: while, "
               "not if.");
        mark(l, (const uint32_t[]){read, wait, notified, change, again}, 5);
        return true;
    }
    return false;
}

/* --- a notification that does not reach who waits -------------------------------------------- */

/* Does the thread look at a variable between the two? */
static bool tests(const look *l, uint32_t from, uint32_t end, uint32_t thread) {
    while (--end > from)
        if (at(l, end)->thread == thread && reads(at(l, end)))
            return true;
    return false;
}

/* Another thread that waited for the same condition took it. */
static bool says_taken(const look *l, uint32_t wait) {
    for (uint32_t i = wait + 1; i <= l->length; i++) {
        if (at(l, i)->kind != HEDDLE_NOTIFY || at(l, i)->object != at(l, wait)->object)
            continue;
        uint32_t wake = i + 1;
        while (wake <= l->length &&
               (at(l, wake)->kind != HEDDLE_WAKE || at(l, wake)->object != at(l, wait)->object))
            wake++;
        if (wake > l->length || at(l, wake)->thread == at(l, wait)->thread)
            continue;
        say_thread(l, i);
        say(l, " signals ");
        say_object(l, i);
        say_place(l, i);
        say(l, ", which wakes one thread: ");
        say_thread(l, wake);
        say(l, ", not ");
        say_thread(l, wait);
        say(l, ".  If they wait for different things, wake all of them (broadcast), or use a "
               "condition for each.");
        mark(l, (const uint32_t[]){wait, i, wake}, 3);
        return true;
    }
    return false;
}

static bool says_lost(const look *l, uint32_t wait) {
    uint32_t thread = at(l, wait)->thread, locked = last_acquire(l, wait, thread);
    uint32_t notified = last_notification(l, 0, wait, wait);
    if (!notified || last_notification(l, wait, l->length + 1, wait))
        return false;
    bool between = locked && notified > locked;
    if (!between && tests(l, locked, wait, thread))
        return false;
    say_thread(l, notified);
    say(l, " signals ");
    say_object(l, notified);
    say_place(l, notified);
    say(l, between ? " without the lock, after " : " before ");
    say_thread(l, wait);
    say(l, between ? " has taken it and before it waits" : " waits for it");
    say_place(l, wait);
    say(l, between ? ": the signal is lost.  Change what is waited for with the lock held, and "
                     "signal after that."
                   : ": a signal that no thread waits for is lost.  Keep what happened in a "
                     "variable, and test it in a loop, with the lock held, before each wait.");
    mark(l, (const uint32_t[]){notified, wait}, 2);
    return true;
}

static bool says_none(const look *l, uint32_t wait) {
    if (last_notification(l, 0, l->length + 1, wait))
        return false;
    say_thread(l, wait);
    say(l, " waits for ");
    say_object(l, wait);
    say_place(l, wait);
    say(l, ", and no thread signals it.  Look who is to do so, and why that was not done.");
    mark(l, &wait, 1);
    return true;
}

/* Threads that began to wait for a condition and were not woken, the last one first. */
static void look_at_waits(const look *l) {
    for (uint32_t i = l->length; i; i--) {
        if (at(l, i)->kind != HEDDLE_WAIT)
            continue;
        uint32_t later = i + 1;
        while (later <= l->length && at(l, later)->thread != at(l, i)->thread)
            later++;
        if (later <= l->length)
            continue;
        if (says_taken(l, i) || says_lost(l, i) || says_none(l, i))
            return;
    }
}

/* --- updates and tests that are not atomic --------------------------------------------------- */

/* Do both have the same value, as far as it is known? */
static bool same_value(const look *l, uint32_t a, uint32_t b) {
    return at(l, a)->flags & HEDDLE_HAS_VALUE && at(l, b)->flags & HEDDLE_HAS_VALUE &&
           at(l, a)->value == at(l, b)->value;
}

/* Was the thread woken after the event, which it may have waited for? */
static bool wakes_after(const look *l, uint32_t event, uint32_t thread) {
    return last_of(l, l->length + 1, thread, HEDDLE_WAKE) > event;
}

/* What the failing thread read last; 0: nothing. */
static uint32_t last_read(const look *l) {
    uint32_t event = l->length;
    while (event && (at(l, event)->thread != at(l, l->length)->thread || !reads(at(l, event))))
        event--;
    return event;
}

/* A write after a read of the same thread and variable, with a write of another in between that the
 * thread does not see.  With `read`, of its variable only. */
static bool says_lost_update(const look *l, uint32_t read) {
    for (uint32_t third = l->length; third; third--) {
        const heddle_event *last = at(l, third);
        if (!writes(last) || reads(last) || (read && last->object != at(l, read)->object))
            continue;
        uint32_t first = third;
        while (--first)
            if (at(l, first)->thread == last->thread && at(l, first)->object == last->object &&
                (reads(at(l, first)) || writes(at(l, first))))
                break;
        if (!first || !reads(at(l, first)) || writes(at(l, first)))
            continue;
        uint32_t second = last_change(l, first, third, first);
        if (!second || same_value(l, first, second))
            continue;
        say_thread(l, second);
        say(l, " writes ");
        say_object(l, second);
        say_place(l, second);
        say(l, " between the read");
        say_place(l, first);
        say(l, " and the write");
        say_place(l, third);
        say(l, " of ");
        say_thread(l, first);
        say(l,
            ", which overwrites it.  If that write rests on the read, an update is lost: hold one "
            "lock from the read to the write, or use one atomic operation.");
        mark(l, (const uint32_t[]){first, second, third}, 3);
        return true;
    }
    return false;
}

/* The last write of the variable of `read` by others between the two: it must be there, and bring
 * back the value that was read, after one that did not. */
static bool comes_back(const look *l, uint32_t read, uint32_t end, uint32_t *away, uint32_t *back) {
    *away = *back = 0;
    for (uint32_t i = read + 1; i < end; i++) {
        if (!writes(at(l, i)) || at(l, i)->object != at(l, read)->object)
            continue;
        if (at(l, i)->thread == at(l, read)->thread || !(at(l, i)->flags & HEDDLE_HAS_VALUE))
            return false;
        if (at(l, i)->value != at(l, read)->value) {
            *away = *away ? *away : i;
            *back = 0;
        } else if (*away) {
            *back = i;
        }
    }
    return *back != 0;
}

/* An exchange that finds the value which its thread has read before, though others have changed the
 * variable and changed it back. */
static bool says_aba(const look *l) {
    for (uint32_t update = l->length; update; update--) {
        if (at(l, update)->kind != HEDDLE_ATOMIC_RMW)
            continue;
        uint32_t read = update, away, back;
        while (--read)
            if (at(l, read)->thread == at(l, update)->thread &&
                at(l, read)->object == at(l, update)->object)
                break;
        if (!read || !reads(at(l, read)) || !(at(l, read)->flags & HEDDLE_HAS_VALUE) ||
            !comes_back(l, read, update, &away, &back))
            continue;
        say_thread(l, away);
        say(l, " changes ");
        say_object(l, away);
        say_place(l, away);
        say(l, ", and back");
        say_place(l, back);
        say(l, ", between the read");
        say_place(l, read);
        say(l, " and the exchange");
        say_place(l, update);
        say(l, " of ");
        say_thread(l, update);
        say(l, ", which cannot tell (ABA).  Exchange a count of the changes with it, or let no "
               "thread use the old value again while one may have read it.");
        mark(l, (const uint32_t[]){read, away, back, update}, 4);
        return true;
    }
    return false;
}

/* The failing thread goes on with a value that another has changed; only if that is one variable.
 */
static bool says_old(const look *l) {
    uint32_t thread = at(l, l->length)->thread, found = 0, changed = 0;
    for (uint32_t i = l->length; i; i--) {
        if (at(l, i)->thread != thread || !reads(at(l, i)) || reads_again(l, i, i, true))
            continue;
        uint32_t change = last_change(l, i, l->length + 1, i);
        if (!change || same_value(l, i, change) || wakes_after(l, change, thread))
            continue;
        if (found)
            return false;
        found = i;
        changed = change;
    }
    if (!found)
        return false;
    say_thread(l, found);
    say(l, " reads ");
    say_object(l, found);
    say_place(l, found);
    say(l, ", ");
    say_thread(l, changed);
    say(l, " changes it");
    say_place(l, changed);
    say(l, ", and ");
    say_thread(l, found);
    say(l, " does not read it again.  If it goes on by the old value, hold one lock from the test "
           "to what rests on it, or test again.");
    mark(l, (const uint32_t[]){found, changed}, 2);
    return true;
}

void hd_report_advise(const hd_trace *trace, bool stuck, hd_report_advice *to) {
    look l = {trace, hd_trace_length(trace), to};
    *to = (hd_report_advice){0};
    if (!l.length || l.length > LONGEST)
        return;
    if (stuck)
        look_at_waits(&l);
    else if (!says_if(&l) && !says_aba(&l) && !says_lost_update(&l, last_read(&l)) &&
             !says_lost_update(&l, 0))
        says_old(&l);
}

void hd_report_advice_release(hd_report_advice *advice) {
    hd_vec_release(&advice->text);
    hd_vec_release(&advice->events);
}
