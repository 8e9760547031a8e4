/* Memory and threads that end before their users do. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int result;

static void *compute(void *unused) {
    result = 42;
    return unused;
}

/* The result is used before the thread has ended. */
static void missing_join(void) {
    heddle_thread(compute, NULL);
    if (fixed)
        heddle_join();
    HEDDLE_EQUAL(result, 42);
}
PAIR(missing_join, "with=assertion")

/* All threads get the address of the same variable. */
static atomic_int seen[2];

static void *see(void *number) {
    atomic_fetch_add(&seen[*(int *)number], 1);
    return NULL;
}

static void loop_variable(void) {
    static int numbers[2], number;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        number = numbers[i] = i;
        pthread_create(&threads[i], NULL, see, fixed ? &numbers[i] : &number);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    HEDDLE_EQUAL(seen[0], 1);
}
PAIR(loop_variable, "with=assertion")

/* The thread's argument is on a stack that is gone. */
static int total;

static void *use_argument(void *argument) {
    total += *(int *)argument;
    return NULL;
}

__attribute__((noinline)) static pthread_t begin(int value) {
    static int kept;
    int local = value;
    pthread_t thread;
    kept = value;
    pthread_create(&thread, NULL, use_argument, fixed ? &kept : &local);
    return thread;
}

static void argument_on_stack(void) {
    pthread_t thread = begin(3);
    pthread_join(thread, NULL);
    HEDDLE_EQUAL(total, 3);
}
PAIR(argument_on_stack, "")

/* A function returns a buffer that it uses for everybody. */
static char common[8];

static const char *name(int number, char *own) {
    char *to = fixed ? own : common;
    to[0] = (char)('a' + number);
    to[1] = '\0';
    return to;
}

static void *name_a(void *unused) {
    char own[8];
    HEDDLE_CHECK(name(0, own)[0] == 'a');
    return unused;
}

static void *name_b(void *unused) {
    char own[8];
    HEDDLE_CHECK(name(1, own)[0] == 'b');
    return unused;
}

static void common_buffer(void) {
    two(name_a, name_b);
}
PAIR(common_buffer, "")

/* Initialised once, by hand. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, begins;

static void begin_all(void) {
    begins++;
}

static void *need(void *unused) {
    if (fixed)
        pthread_once(&once, begin_all);
    else if (!begun) {
        begun = 1;
        begin_all();
    }
    return unused;
}

static void once_by_hand(void) {
    two(need, need);
    HEDDLE_EQUAL(begins, 1);
}
PAIR(once_by_hand, "with=assertion")

/* One uses a node that another one frees. */
typedef struct node {
    int value;
    struct node *next;
} node;

static node *list;

static node *made(int value, node *next) {
    node *it = malloc(sizeof *it);
    it->value = value;
    it->next = next;
    return it;
}

static void *look_up(void *unused) {
    pthread_mutex_lock(&lock);
    node *it = list;
    if (!fixed)
        pthread_mutex_unlock(&lock);
    if (it)
        HEDDLE_EQUAL(it->value, 5);
    if (fixed)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void *remove_first(void *unused) {
    pthread_mutex_lock(&lock);
    node *it = list;
    if (it)
        list = it->next;
    pthread_mutex_unlock(&lock);
    free(it);
    return unused;
}

static void use_after_free(void) {
    list = made(5, NULL);
    two(look_up, remove_first);
}
PAIR(use_after_free, "with=use-after-free")

/* Both ends of a connection close it. */
static node *open_node;

static void *close_it(void *unused) {
    pthread_mutex_lock(&lock);
    node *it = open_node;
    if (fixed)
        open_node = NULL;
    pthread_mutex_unlock(&lock);
    free(it);
    return unused;
}

static void double_free(void) {
    open_node = made(1, NULL);
    two(close_it, close_it);
}
PAIR(double_free, "with=double-free")

/* A lock in the object that it guards. */
typedef struct owned {
    pthread_mutex_t lock;
    int users;
} owned;

static void release(owned *it) {
    pthread_mutex_lock(&it->lock);
    int left = --it->users;
    pthread_mutex_unlock(&it->lock);
    if (left == 0 || (!fixed && it->users == 0))
        free(it);
}

static owned *owner;

static void *release_it(void *unused) {
    release(owner);
    return unused;
}

static void lock_in_object(void) {
    owner = malloc(sizeof *owner);
    pthread_mutex_init(&owner->lock, NULL);
    owner->users = 2;
    two(release_it, release_it);
}
PAIR(lock_in_object, "")

/* The list is walked while a node is taken out. */
static int sum;

static void *walk(void *unused) {
    if (fixed)
        pthread_mutex_lock(&lock);
    for (node *it = list; it; it = it->next)
        sum += it->value;
    if (fixed)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void *remove_second(void *unused) {
    pthread_mutex_lock(&lock);
    node *it = list->next;
    list->next = NULL;
    free(it);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void walk_without_lock(void) {
    list = made(1, made(2, NULL));
    two(walk, remove_second);
    HEDDLE_CHECK(sum == 1 || sum == 3);
}
PAIR(walk_without_lock, "with=use-after-free")

/* The array moves when it grows. */
static int *items;
static size_t room = 1;

static void *grow(void *unused) {
    pthread_mutex_lock(&lock);
    room *= 2;
    int *larger = malloc(room * sizeof *larger);
    larger[0] = items[0];
    free(items);
    items = larger;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *read_item(void *unused) {
    pthread_mutex_lock(&lock);
    const int *it = &items[0];
    if (!fixed)
        pthread_mutex_unlock(&lock);
    HEDDLE_EQUAL(*it, 9);
    if (fixed)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void moved_array(void) {
    items = malloc(sizeof *items);
    items[0] = 9;
    two(grow, read_item);
    HEDDLE_EQUAL(room, 2);
}
PAIR(moved_array, "with=use-after-free")

/* Joined by two. */
static pthread_t worker;

static void *join_it(void *unused) {
    pthread_join(worker, NULL);
    return unused;
}

static void joined_twice(void) {
    pthread_create(&worker, NULL, compute, NULL);
    heddle_thread(join_it, NULL);
    if (!fixed)
        heddle_thread(join_it, NULL);
    heddle_join();
}
PAIR(joined_twice, "")

/* A worker that is told to stop leaves a job behind. */
static int jobs, done_jobs, stopped;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!jobs && !stopped)
            pthread_cond_wait(&news, &lock);
        if (fixed ? !jobs : stopped)
            break;
        jobs--;
        done_jobs++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void lost_job(void) {
    heddle_thread(work, NULL);
    pthread_mutex_lock(&lock);
    jobs++;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    stopped = 1;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&lock);
    heddle_join();
    HEDDLE_EQUAL(done_jobs, 1);
}
PAIR(lost_job, "with=assertion")
