// A program drawn from a seed: ./program SEED.  Threads make threads, to depth three; they are
// joined by whoever made them, by a sibling, by a grandparent, by a call that does not wait, or
// by nobody; some threads leave by pthread_exit, main among them.  In between each does a few
// operations.  What it saw is printed, so that each order that matters is an outcome.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS = 2, MOST = 6, LENGTH = 12, DEPTH = 3 };

enum kind {
    // Operations on what threads share.
    LOAD,
    ADD,
    COMPARE,
    PLAIN_READ,
    PLAIN_WRITE,
    LOCKED,
    TRY,
    UNIT,
    ONCE,
    KEY,
    OPERATIONS,
    // And on threads.
    CREATE = OPERATIONS,
    JOIN,
    TRY_JOIN,
    TIMED_JOIN,
    DETACH,
    DETACH_SELF,
    MEET,
    LEAVE,
    QUIT
};

typedef struct step {
    enum kind kind;
    unsigned which, value; // a cell; or a thread
} step;

typedef struct script {
    unsigned parent, depth, number, steps, seen;
    bool detached; // from the start
    step step[LENGTH];
} script;

static script scripts[MOST];
static unsigned threads;
static pthread_t handle[MOST];
static atomic_uint cell[CELLS];
static unsigned plain[CELLS], guarded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t units;

static void see(script *own, unsigned value) {
    own->seen = own->seen * 7 + value + 1;
}

static void initialise(void) {
    guarded += atomic_load(&cell[0]) + 1;
}

// The destructor of what a thread keeps for itself is a step of the thread that ends.
static void destroy(void *argument) {
    see(argument, atomic_fetch_add(&cell[1], 1));
}

static void *work(void *argument);

static void create(unsigned child) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (scripts[child].detached)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t made;
    if (pthread_create(&made, &attributes, work, &scripts[child]) != 0)
        abort();
    handle[child] = made;
    pthread_attr_destroy(&attributes);
}

// A try that fails leaves the thread to whoever asks next: nobody.
static void join(script *own, const step *it) {
    void *result = NULL;
    struct timespec until;
    int error;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (it->kind == TRY_JOIN)
        error = pthread_tryjoin_np(handle[it->which], &result);
    else if (it->kind == TIMED_JOIN)
        error = pthread_timedjoin_np(handle[it->which], &result, &until);
    else
        error = pthread_join(handle[it->which], &result);
    see(own, error ? 50 : (unsigned)(uintptr_t)result);
}

static void try(script *own) {
    if (pthread_mutex_trylock(&lock) == 0) {
        see(own, guarded);
        pthread_mutex_unlock(&lock);
    } else
        see(own, 99);
}

static void take_operation(script *own, const step *it) {
    unsigned expected = it->value & 1;
    switch (it->kind) {
    case LOAD:
        see(own, atomic_load(&cell[it->which]));
        break;
    case ADD:
        see(own, atomic_fetch_add(&cell[it->which], it->value + 1));
        break;
    case COMPARE:
        see(own, atomic_compare_exchange_strong(&cell[it->which], &expected, 2) ? 7 : expected);
        break;
    case PLAIN_READ:
        see(own, plain[it->which]);
        break;
    case PLAIN_WRITE:
        plain[it->which] = it->value + 1;
        break;
    case LOCKED:
        pthread_mutex_lock(&lock);
        guarded = guarded * 2 + it->value;
        pthread_mutex_unlock(&lock);
        break;
    case TRY:
        try(own);
        break;
    case UNIT:
        if (it->value & 1)
            sem_post(&units);
        else
            see(own, sem_trywait(&units) == 0);
        break;
    case ONCE:
        pthread_once(&once, initialise);
        break;
    default:
        pthread_setspecific(key, own);
        break;
    }
}

static void take(script *own, const step *it) {
    switch (it->kind) {
    case CREATE:
        create(it->which);
        break;
    case JOIN:
    case TRY_JOIN:
    case TIMED_JOIN:
        join(own, it);
        break;
    case DETACH:
        pthread_detach(handle[it->which]);
        break;
    case DETACH_SELF:
        pthread_detach(pthread_self());
        break;
    case MEET:
        pthread_barrier_wait(&barrier);
        break;
    case LEAVE:
        pthread_exit((void *)(uintptr_t)(own->seen % 5));
    case QUIT:
        exit((int)(own->seen % 3));
    default:
        take_operation(own, it);
        break;
    }
}

static void *work(void *argument) {
    script *own = argument;
    for (unsigned i = 0; i < own->steps; i++)
        take(own, &own->step[i]);
    return (void *)(uintptr_t)(own->seen % 5);
}

// ---- Drawing ----

static uint64_t state;

static unsigned draw(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

static void add(unsigned thread, enum kind kind, unsigned which, unsigned value) {
    script *it = &scripts[thread];
    if (it->steps < LENGTH)
        it->step[it->steps++] = (step){kind, which, value};
}

// What kinds of operations there are, drawn once: programs of few kinds have more that meet.
static enum kind kinds[3];

static void add_operation(unsigned thread) {
    add(thread, kinds[draw(3)], draw(CELLS), draw(3));
}

static void add_join(unsigned thread, unsigned other) {
    unsigned way = draw(8);
    add(thread, way == 0 ? TRY_JOIN : way == 1 ? TIMED_JOIN : JOIN, other, 0);
}

static bool has(unsigned thread, enum kind kind, unsigned which) {
    for (unsigned i = 0; i < scripts[thread].steps; i++)
        if (scripts[thread].step[i].kind == kind && scripts[thread].step[i].which == which)
            return true;
    return false;
}

// Who joins a thread that its parent does not: a sibling made later, or its grandparent once the
// parent has been joined; else it is detached, by somebody or from the start, or left alone.
static void add_foreign_join(unsigned thread) {
    unsigned parent = scripts[thread].parent, later = thread + 1;
    while (later < threads && scripts[later].parent != parent)
        later++;
    unsigned way = draw(6);
    if (way <= 1 && later < threads)
        add_join(later, thread);
    else if (way <= 3 && parent && has(scripts[parent].parent, JOIN, parent))
        add(scripts[parent].parent, JOIN, thread, 0);
    else if (way == 4)
        scripts[thread].detached = true;
    else if (way == 5 && draw(2))
        add(thread, DETACH_SELF, 0, 0);
    else if (way == 5)
        add(parent, DETACH, thread, 0);
}

static void draw_tree(void) {
    threads = 3 + draw(MOST - 3);
    for (unsigned i = 1; i < threads; i++) {
        unsigned parent = draw(i);
        while (scripts[parent].depth == DEPTH)
            parent = scripts[parent].parent;
        if (draw(2) && scripts[i - 1].depth < DEPTH)
            parent = i - 1;
        scripts[i].parent = parent;
        scripts[i].depth = scripts[parent].depth + 1;
        scripts[i].number = i;
    }
}

static void draw_joins(unsigned thread) {
    bool upwards = draw(2);
    for (unsigned i = 1; i < threads; i++) {
        unsigned child = upwards ? i : threads - i;
        if (scripts[child].parent == thread && draw(4))
            add_join(thread, child);
    }
}

// The steps of a thread: its children are there before it joins any.
static void draw_script(unsigned thread, unsigned *operations) {
    for (unsigned child = thread + 1; child < threads; child++) {
        if (scripts[child].parent != thread)
            continue;
        add(thread, CREATE, child, 0);
        if (*operations && draw(3) == 0) {
            add_operation(thread);
            --*operations;
        }
    }
    if (*operations && thread && draw(4)) {
        add_operation(thread);
        --*operations;
    }
    draw_joins(thread);
    if (*operations && draw(2)) {
        add_operation(thread);
        --*operations;
    }
}

static bool is_joined(unsigned thread, bool surely) {
    for (unsigned i = 0; i < threads; i++)
        if (has(i, JOIN, thread) ||
            (!surely && (has(i, TRY_JOIN, thread) || has(i, TIMED_JOIN, thread))))
            return true;
    return false;
}

static void draw_program(uint64_t seed) {
    state = seed * 2 + 1;
    for (int i = 0; i < 4; i++)
        draw(2);
    for (int i = 0; i < 3; i++)
        kinds[i] = (enum kind)draw(OPERATIONS);
    draw_tree();
    unsigned operations = 2 + draw(3);
    for (unsigned i = threads; i-- > 0;)
        draw_script(i, &operations);
    for (unsigned i = 1; i < threads; i++)
        if (!is_joined(i, false))
            add_foreign_join(i);
    unsigned special = draw(12), one = 1 + draw(threads - 1), other = 1 + draw(threads - 1);
    if (special == 0)
        add(0, LEAVE, 0, 0);
    else if (special == 1)
        add(one, LEAVE, 0, 0);
    else if (special == 2)
        add(one, QUIT, 0, 0);
    else if (special == 3 && one != other) {
        add(one, MEET, 0, 0);
        add(other, MEET, 0, 0);
    }
}

// What is printed by main, or, if it leaves by pthread_exit, by whoever is the last.  What others
// saw is read only if all of them have ended then.
static bool all_ended;

static void print(void) {
    unsigned sum = atomic_load(&cell[0]) * 3 + atomic_load(&cell[1]);
    for (unsigned i = 0; i < threads; i++)
        if (!i || all_ended)
            sum = sum * 31 + scripts[i].seen;
    if (all_ended)
        sum = sum * 31 + guarded;
    printf("%u\n", sum);
}

static void show(void) {
    static const char *const names[] = {"load",        "add",        "compare", "plain read",
                                        "plain write", "locked",     "try",     "unit",
                                        "once",        "key",        "create",  "join",
                                        "try to join", "join until", "detach",  "detach itself",
                                        "meet",        "leave",      "quit"};
    for (unsigned i = 0; i < threads; i++) {
        printf("%u%s:", i, scripts[i].detached ? " (detached)" : "");
        for (unsigned k = 0; k < scripts[i].steps; k++)
            printf(" %s(%u,%u)", names[scripts[i].step[k].kind], scripts[i].step[k].which,
                   scripts[i].step[k].value);
        printf("\n");
    }
}

#ifdef BEFORE
static void *end_at_once(void *unused) {
    return unused;
}

/* Threads that have ended: those that come later have higher numbers, and nothing else changes. */
static void make_others(void) {
    for (int i = 0; i < BEFORE; i++) {
        pthread_t other;
        pthread_create(&other, NULL, end_at_once, NULL);
        pthread_join(other, NULL);
    }
}
#endif

int main(int argc, char **argv) {
    draw_program(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    if (argc > 2) {
        show();
        return 0;
    }
#ifdef BEFORE
    make_others();
#endif
    sem_init(&units, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_key_create(&key, destroy);
    all_ended = true;
    for (unsigned i = 1; i < threads; i++)
        all_ended &= is_joined(i, true);
    if (has(0, LEAVE, 0)) {
        all_ended = true;
        atexit(print);
    }
    work(&scripts[0]);
    print();
    return 0;
}
