// A program drawn from a seed: ./program SEED [WORD].  Two or three threads, each with a few
// operations, on everything that has to be put back between two runs: globals, the heap, stacks
// in use, thread-local variables, buffers of the C library, locks, output.  With a word behind
// the seed the loops that wait by reading wait on a condition instead; all else is the same.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELLS = 2, THREADS = 3, LENGTH = 4 };

enum operation {
    LOAD,
    STORE,
    ADD,
    COMPARE,
    LOCKED,
    TRY,
    HEAP,
    DEEP,
    LOCAL,
    SEMAPHORE,
    PRINT,
    TEXT,
    NESTED,
    SPIN,
    OPERATIONS
};

typedef struct script {
    int length;
    struct {
        enum operation operation;
        int cell;
        unsigned value;
    } step[LENGTH];
    unsigned seen; /* all that the thread saw */
} script;

static atomic_uint cell[CELLS];
static unsigned plain[CELLS];
static unsigned *_Atomic block;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t units;
static __thread unsigned local;
static bool blocks;

static void see(script *own, unsigned value) {
    own->seen = own->seen * 5 + value + 1;
}

// A change of a cell; whoever waits for one on the condition is told.
static void tell(void) {
    if (!blocks)
        return;
    pthread_mutex_lock(&gate);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&gate);
}

static void await(atomic_uint *from) {
    if (!blocks) {
        while (!atomic_load(from))
            sched_yield();
        return;
    }
    pthread_mutex_lock(&gate);
    while (!atomic_load(from))
        pthread_cond_wait(&changed, &gate);
    pthread_mutex_unlock(&gate);
}

static unsigned deep(script *own, int depth, atomic_uint *from) {
    volatile unsigned kept[16];
    for (unsigned i = 0; i < 16; i++)
        kept[i] = own->seen + i * (unsigned)depth;
    unsigned below = depth ? deep(own, depth - 1, from) : atomic_load(from);
    for (unsigned i = 0; i < 16; i++)
        if (kept[i] != own->seen + i * (unsigned)depth)
            abort(); // the stack was not put back
    return below;
}

static void use_heap(script *own, unsigned value) {
    unsigned *made = malloc(100 * sizeof *made);
    if (!made)
        abort();
    for (unsigned i = 0; i < 100; i++)
        made[i] = value + i;
    unsigned *old = atomic_exchange(&block, made);
    see(own, old ? old[99] : 0);
}

static void *nested(void *argument) {
    atomic_fetch_add((atomic_uint *)argument, 2);
    tell();
    return NULL;
}

static void print(script *own, unsigned value) {
    pthread_mutex_lock(&lock);
    if (value & 1)
        printf("%u", value);
    else if (write(STDOUT_FILENO, "+", 1) != 1)
        abort();
    see(own, plain[0]);
    pthread_mutex_unlock(&lock);
}

static void take(script *own, int number) {
    atomic_uint *at = &cell[own->step[number].cell];
    unsigned value = own->step[number].value, expected = value & 1;
    char text[40];
    pthread_t other;
    switch (own->step[number].operation) {
    case LOAD:
        see(own, atomic_load(at));
        break;
    case STORE:
        atomic_store(at, value);
        tell();
        break;
    case ADD:
        see(own, atomic_fetch_add(at, value));
        tell();
        break;
    case COMPARE:
        see(own, atomic_compare_exchange_strong(at, &expected, value + 1) ? 7 : expected);
        tell();
        break;
    case LOCKED:
        pthread_mutex_lock(&lock);
        plain[own->step[number].cell] = plain[own->step[number].cell] * 2 + value;
        pthread_mutex_unlock(&lock);
        break;
    case TRY:
        if (pthread_mutex_trylock(&lock) == 0) {
            see(own, plain[0]);
            pthread_mutex_unlock(&lock);
        } else
            see(own, 99);
        break;
    case HEAP:
        use_heap(own, value);
        break;
    case DEEP:
        see(own, deep(own, 3, at));
        break;
    case LOCAL:
        local += value;
        see(own, atomic_load(at) + local);
        break;
    case SEMAPHORE:
        if (value & 1)
            sem_post(&units);
        else
            see(own, sem_trywait(&units) == 0 ? 1 : 2);
        break;
    case PRINT:
        print(own, value);
        break;
    case TEXT:
        see(own, (unsigned)snprintf(text, sizeof text, "%u %f", atomic_load(at), 0.5) + value);
        break;
    case NESTED:
        if (pthread_create(&other, NULL, nested, at) != 0)
            abort();
        see(own, atomic_load(at));
        pthread_join(other, NULL);
        break;
    default:
        await(at);
        see(own, atomic_load(at));
        break;
    }
}

static void *work(void *argument) {
    script *own = argument;
    for (int i = 0; i < own->length; i++)
        take(own, i);
    return NULL;
}

static uint64_t state;

static unsigned draw(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

// Few operations in all: brute force is to come to an end.
static void draw_scripts(script *scripts, int threads) {
    for (int i = 0; i < threads; i++) {
        scripts[i].length = 1 + (int)draw(threads == 2 ? LENGTH - 1 : 2);
        for (int k = 0; k < scripts[i].length; k++) {
            scripts[i].step[k].operation = (enum operation)draw(OPERATIONS);
            scripts[i].step[k].cell = (int)draw(CELLS);
            scripts[i].step[k].value = draw(3);
        }
    }
}

int main(int argc, char **argv) {
    state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
    blocks = argc > 2;
    static script scripts[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < 4; i++)
        draw(2);
    int threads = 2 + (int)draw(THREADS - 1);
    draw_scripts(scripts, threads);
    sem_init(&units, 0, 0);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, &scripts[i]);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    unsigned sum = atomic_load(&cell[0]) * 3 + atomic_load(&cell[1]) + plain[0] * 7 + plain[1];
    for (int i = 0; i < threads; i++)
        sum = sum * 31 + scripts[i].seen;
    printf(" %u\n", sum);
    return sum % 11 == 3; // some fail
}
