// Loops that wait, in the forms that programs write them in.  Each thread that waits is let go
// in every schedule, unless a case says otherwise; so the search is complete and finds nothing.
//@ all complete
//@ case -DFLAG_VOLATILE
//@ case -DFLAG_PLAIN -O0 | plain
//@ case -DFLAG_ATOMIC
//@ case -DFLAG_RELAXED
//@ case -DFLAG_VOLATILE -DYIELD
//@ case -DFLAG_VOLATILE -DUSLEEP
//@ case -DFLAG_VOLATILE -DNANOSLEEP
//@ case -DFLAG_ATOMIC -DYIELD
//@ case -DFLAG_ATOMIC -DUSLEEP
//@ case -DFLAG_ATOMIC -DPAUSE
//@ case -DFLAG_ATOMIC -DCALLEE
//@ case -DTWO_WORDS
//@ case -DTRYLOCK
//@ case -DTRYLOCK -DYIELD
//@ case -DTRYRDLOCK
//@ case -DTRYWRLOCK
//@ case -DSPIN_TRYLOCK
//@ case -DTRYWAIT
//@ case -DTRYWAIT -DUSLEEP
//@ case -DCAS_WEAK
//@ case -DCAS_STRONG
//@ case -DEXCHANGE
//@ case -DTICKET
//@ case -DLIST
//@ case -DON_STACK | opt=--accept=unseen-access:stacks
//@ case -DHEAP
//@ case -DMAIN_WAITS -DFLAG_VOLATILE
//@ case -DMAIN_WAITS -DFLAG_ATOMIC -DYIELD
//@ case -DMUTUAL
//@ case -DMUTUAL -DYIELD
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

volatile int volatile_flag;
int plain_flag;
atomic_int flag, other, data, owner, next_ticket, serving;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t semaphore;
int inside;

static void between(void) {
#if defined YIELD
    sched_yield();
#elif defined USLEEP
    usleep(100);
#elif defined NANOSLEEP
    nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
#elif defined PAUSE && defined __x86_64__
    __asm__ volatile("pause");
#elif defined PAUSE
    __asm__ volatile("yield");
#endif
}

#if defined CALLEE
__attribute__((noinline)) static int is_set(atomic_int *word) {
    return atomic_load(word);
}
#else
#define is_set(word) atomic_load(word)
#endif

static void await_flag(void) {
#if defined FLAG_VOLATILE
    while (!volatile_flag)
        between();
#elif defined FLAG_PLAIN
    while (!plain_flag)
        between();
#elif defined FLAG_RELAXED
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        between();
#else
    while (!is_set(&flag))
        between();
#endif
}

static void set_flag(void) {
#if defined FLAG_VOLATILE
    volatile_flag = 1;
#elif defined FLAG_PLAIN
    plain_flag = 1;
#elif defined FLAG_RELAXED
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
    atomic_store(&flag, 1);
#endif
}

static void enter(int id) {
    (void)id;
#if defined TRYLOCK
    while (pthread_mutex_trylock(&mutex))
        between();
#elif defined TRYRDLOCK
    if (id)
        while (pthread_rwlock_tryrdlock(&rwlock))
            between();
    else
        pthread_rwlock_wrlock(&rwlock);
#elif defined TRYWRLOCK
    while (pthread_rwlock_trywrlock(&rwlock))
        between();
#elif defined SPIN_TRYLOCK
    while (pthread_spin_trylock(&spin))
        between();
#elif defined TRYWAIT
    while (sem_trywait(&semaphore))
        between();
#elif defined CAS_WEAK
    int free = 0;
    while (!atomic_compare_exchange_weak(&owner, &free, 1))
        free = 0;
#elif defined CAS_STRONG
    int free = 0;
    while (!atomic_compare_exchange_strong(&owner, &free, id + 1))
        free = 0;
#elif defined EXCHANGE
    while (atomic_exchange(&owner, 1))
        ;
#elif defined TICKET
    int own = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != own)
        ;
#endif
}

static void leave(void) {
#if defined TRYLOCK
    pthread_mutex_unlock(&mutex);
#elif defined TRYRDLOCK || defined TRYWRLOCK
    pthread_rwlock_unlock(&rwlock);
#elif defined SPIN_TRYLOCK
    pthread_spin_unlock(&spin);
#elif defined TRYWAIT
    sem_post(&semaphore);
#elif defined TICKET
    atomic_fetch_add(&serving, 1);
#else
    atomic_store(&owner, 0);
#endif
}

#if defined LIST || defined HEAP
typedef struct node {
    struct node *_Atomic next;
    atomic_int ready;
} node;
static node nodes[2];
static node *head;
#endif

static void *work(void *argument) {
    int id = (int)(long)argument;
#if defined TWO_WORDS
    if (id)
        while (!atomic_load(&flag) && !atomic_load(&other))
            ;
    else {
        atomic_store(&data, 1);
        atomic_store(&other, 1);
    }
#elif defined LIST
    if (id) { /* until the list has a second node that is ready */
        node *last;
        do
            for (last = &nodes[0]; atomic_load(&last->next); last = atomic_load(&last->next))
                ;
        while (last == &nodes[0]);
        assert(atomic_load(&last->ready));
    } else {
        atomic_store(&nodes[1].ready, 1);
        atomic_store(&nodes[0].next, &nodes[1]);
    }
#elif defined HEAP
    if (id)
        while (!atomic_load(&head->ready))
            ;
    else
        atomic_store(&head->ready, 1);
#elif defined ON_STACK
    atomic_store((atomic_int *)argument, 1);
#elif defined MAIN_WAITS
    (void)id;
    set_flag();
#elif defined MUTUAL
    atomic_store(id ? &flag : &other, 1);
    while (!atomic_load(id ? &other : &flag))
        between();
#elif defined FLAG_VOLATILE || defined FLAG_PLAIN || defined FLAG_ATOMIC || defined FLAG_RELAXED
    if (id)
        await_flag();
    else
        set_flag();
#else
    enter(id);
#if defined TRYRDLOCK
    if (!id)
        inside++;
    assert(inside >= 0);
#else
    assert(!inside);
    inside = 1;
    inside = 0;
#endif
    leave();
#endif
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_spin_init(&spin, 0);
#if defined HEAP
    head = calloc(1, sizeof *head);
#endif
#if defined ON_STACK
    atomic_int here = 0;
    pthread_create(&a, NULL, work, &here);
    while (!atomic_load(&here))
        ;
    pthread_join(a, NULL);
    return 0;
#endif
    pthread_create(&a, NULL, work, (void *)0L);
#if defined MAIN_WAITS
    (void)b;
    await_flag();
#else
    pthread_create(&b, NULL, work, (void *)1L);
    pthread_join(b, NULL);
#endif
    pthread_join(a, NULL);
    return 0;
}
