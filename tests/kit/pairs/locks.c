/* Data that is used without its lock, and locks that are taken in the wrong way. */
#include <stddef.h>

#include "pair.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int count;

/* An increment is a read and a write. */
static void *increment(void *unused) {
    if (fixed)
        pthread_mutex_lock(&lock);
    count++;
    if (fixed)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void lost_update(void) {
    two(increment, increment);
    HEDDLE_EQUAL(count, 2);
}
PAIR(lost_update, "with=assertion")

/* The writer locks, the reader does not, and sees one half of an update. */
static int left, right;

static void *write_both(void *unused) {
    pthread_mutex_lock(&lock);
    left++;
    right++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *read_both(void *unused) {
    if (fixed)
        pthread_mutex_lock(&lock);
    int a = left, b = right;
    if (fixed)
        pthread_mutex_unlock(&lock);
    HEDDLE_EQUAL(a, b);
    return unused;
}

static void unlocked_read(void) {
    two(write_both, read_both);
}
PAIR(unlocked_read, "with=assertion")

/* Each has a lock, but not the same one. */
static void *add_one(void *unused) {
    pthread_mutex_lock(&lock);
    count += 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *add_ten(void *unused) {
    pthread_mutex_t *mine = fixed ? &lock : &other;
    pthread_mutex_lock(mine);
    count += 10;
    pthread_mutex_unlock(mine);
    return unused;
}

static void wrong_lock(void) {
    two(add_one, add_ten);
    HEDDLE_EQUAL(count, 11);
}
PAIR(wrong_lock, "with=assertion")

/* Both see that it is not there, and both make it. */
static int present, made;

static void *make_if_absent(void *unused) {
    pthread_mutex_lock(&lock);
    int absent = !present;
    if (!fixed) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    if (absent) {
        present = 1;
        made++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void check_then_act(void) {
    two(make_if_absent, make_if_absent);
    HEDDLE_EQUAL(made, 1);
}
PAIR(check_then_act, "with=assertion")

/* The balance is looked at under the lock, and drawn from under the lock, but not in one. */
static int balance = 10;

static int balance_now(void) {
    pthread_mutex_lock(&lock);
    int now = balance;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *withdraw(void *unused) {
    if (fixed) {
        pthread_mutex_lock(&lock);
        if (balance >= 6)
            balance -= 6;
        pthread_mutex_unlock(&lock);
    } else if (balance_now() >= 6) {
        pthread_mutex_lock(&lock);
        balance -= 6;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void two_sections(void) {
    two(withdraw, withdraw);
    HEDDLE_CHECK(balance >= 0);
}
PAIR(two_sections, "with=assertion")

/* A then B, and B then A. */
static void *lock_ab(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&other);
    count++;
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *lock_ba(void *unused) {
    pthread_mutex_t *first = fixed ? &lock : &other, *second = fixed ? &other : &lock;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    count++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return unused;
}

static void lock_order(void) {
    two(lock_ab, lock_ba);
    HEDDLE_EQUAL(count, 2);
}
PAIR(lock_order, "with=deadlock")

/* A transfer locks the account that it takes from, then the one that it gives to. */
typedef struct account {
    pthread_mutex_t lock;
    int money;
} account;

static account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void transfer(account *from, account *to, int money) {
    account *first = fixed && to < from ? to : from, *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->money -= money;
    to->money += money;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused) {
    transfer(&accounts[0], &accounts[1], 1);
    return unused;
}

static void *back(void *unused) {
    transfer(&accounts[1], &accounts[0], 2);
    return unused;
}

static void transfers(void) {
    two(there, back);
    HEDDLE_EQUAL(accounts[0].money + accounts[1].money, 10);
}
PAIR(transfers, "with=deadlock")

/* One way out does not unlock. */
static void *leave_early(void *unused) {
    pthread_mutex_lock(&lock);
    if (count++ == 1 && !fixed)
        return unused;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void missing_unlock(void) {
    heddle_thread(leave_early, NULL);
    heddle_thread(leave_early, NULL);
    heddle_thread(leave_early, NULL);
    heddle_join();
    HEDDLE_EQUAL(count, 3);
}
PAIR(missing_unlock, "with=deadlock")

/* A function that locks calls another one that does. */
static int size_locked(void) {
    return count;
}

static int size_of_all(void) {
    pthread_mutex_lock(&lock);
    int size = size_locked();
    pthread_mutex_unlock(&lock);
    return size;
}

static void *grow(void *unused) {
    pthread_mutex_lock(&lock);
    count = (fixed ? size_locked() : size_of_all()) + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void locked_twice(void) {
    two(grow, grow);
    HEDDLE_EQUAL(count, 2);
}
PAIR(locked_twice, "")

/* What a try says is not looked at. */
static void *try_increment(void *unused) {
    int failed = pthread_mutex_trylock(&lock);
    if (failed && fixed)
        pthread_mutex_lock(&lock);
    count++;
    if (!failed || fixed)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void ignored_try(void) {
    two(try_increment, try_increment);
    HEDDLE_EQUAL(count, 2);
}
PAIR(ignored_try, "with=assertion")

/* A lock for reading does not keep other readers out. */
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *count_use(void *unused) {
    if (fixed)
        pthread_rwlock_wrlock(&shared);
    else
        pthread_rwlock_rdlock(&shared);
    count++;
    pthread_rwlock_unlock(&shared);
    return unused;
}

static void reader_writes(void) {
    two(count_use, count_use);
    HEDDLE_EQUAL(count, 2);
}
PAIR(reader_writes, "with=assertion")

/* A reader that finds nothing locks for writing, and keeps its lock for reading. */
static void *fill(void *unused) {
    pthread_rwlock_rdlock(&shared);
    int filled = count;
    if (fixed)
        pthread_rwlock_unlock(&shared);
    if (!filled) {
        pthread_rwlock_wrlock(&shared);
        if (!count)
            count = 1;
        pthread_rwlock_unlock(&shared);
    }
    if (!fixed)
        pthread_rwlock_unlock(&shared);
    return unused;
}

static void upgraded_lock(void) {
    two(fill, fill);
    HEDDLE_EQUAL(count, 1);
}
PAIR(upgraded_lock, "")

/* Two flags in one word, each with its own lock. */
static struct { unsigned a : 1, b : 1; } packed;
static struct { unsigned char a, b; } apart;

static void *set_a(void *unused) {
    pthread_mutex_lock(&lock);
    if (fixed)
        apart.a = 1;
    else
        packed.a = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *set_b(void *unused) {
    pthread_mutex_lock(&other);
    if (fixed)
        apart.b = 1;
    else
        packed.b = 1;
    pthread_mutex_unlock(&other);
    return unused;
}

static void bits_of_a_word(void) {
    two(set_a, set_b);
    HEDDLE_CHECK(fixed ? apart.a && apart.b : packed.a && packed.b);
}
PAIR(bits_of_a_word, "with=assertion")
