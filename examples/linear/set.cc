/*
 * A set of numbers as a sorted list with a lock for each node, twice, in C++: the model is a
 * std::set.
 *
 *     heddle test set.cc
 *
 * set: a thread that walks along the list holds the locks of two nodes at a time.
 *
 * one_lock: it holds the lock of one node only.  A node that is removed next to one that is added
 * takes it along.
 */
#include <heddle/linear.h>

#include <climits>
#include <mutex>
#include <set>

namespace {

struct node {
    long long key;
    node *next;
    std::mutex lock;
    node(long long number, node *after) : key(number), next(after) {
    }
};

node last(LLONG_MAX, nullptr), first(LLONG_MIN, &last);

/* The first node whose key is not smaller, and the one before it, both locked. */
node *find(long long key, node *&before) {
    before = &first;
    before->lock.lock();
    node *at = before->next;
    at->lock.lock();
    while (at->key < key) {
        before->lock.unlock();
        before = at;
        at = at->next;
        at->lock.lock();
    }
    return at;
}

long long add(long long key) {
    node *before, *at = find(key, before);
    bool is_new = at->key != key;
    if (is_new)
        before->next = new node(key, at);
    before->lock.unlock();
    at->lock.unlock();
    return is_new;
}

long long remove(long long key) {
    node *before, *at = find(key, before);
    bool is_there = at->key == key;
    if (is_there)
        before->next = at->next; /* the node stays, for those that wait for its lock */
    before->lock.unlock();
    at->lock.unlock();
    return is_there;
}

long long has(long long key) {
    node *before, *at = find(key, before);
    bool is_there = at->key == key;
    before->lock.unlock();
    at->lock.unlock();
    return is_there;
}

/* ---- With one lock ---- */

node *find_with_one(long long key) {
    node *before = &first;
    before->lock.lock();
    while (before->next->key < key) {
        node *next = before->next;
        before->lock.unlock();
        before = next;
        before->lock.lock();
    }
    return before;
}

long long add_with_one(long long key) {
    node *before = find_with_one(key);
    bool is_new = before->next->key != key;
    if (is_new)
        before->next = new node(key, before->next);
    before->lock.unlock();
    return is_new;
}

long long remove_with_one(long long key) {
    node *before = find_with_one(key);
    bool is_there = before->next->key == key;
    if (is_there)
        before->next = before->next->next;
    before->lock.unlock();
    return is_there;
}

} // namespace

HEDDLE_LINEAR(set, std::set<long long>, "operations=1 after=has(1)+has(2)") {
}

HEDDLE_OPERATION(set, add, "1,2") {
    return add(a);
}

HEDDLE_MODEL(set, add) {
    return model->insert(a).second;
}

HEDDLE_OPERATION(set, remove, "1,2") {
    return remove(a);
}

HEDDLE_MODEL(set, remove) {
    return model->erase(a) > 0;
}

HEDDLE_OPERATION(set, has, "1,2") {
    return has(a);
}

HEDDLE_MODEL(set, has) {
    return model->count(a) > 0;
}

HEDDLE_LINEAR_FAILS(one_lock, std::set<long long>, "no-race with=linearizability after=has(1)+has(2)") {
}

HEDDLE_OPERATION(one_lock, add, "1,2") {
    return add_with_one(a);
}

HEDDLE_MODEL(one_lock, add) {
    return model->insert(a).second;
}

HEDDLE_OPERATION(one_lock, remove, "1,2") {
    return remove_with_one(a);
}

HEDDLE_MODEL(one_lock, remove) {
    return model->erase(a) > 0;
}

HEDDLE_OPERATION(one_lock, has, "1,2") {
    return has(a);
}

HEDDLE_MODEL(one_lock, has) {
    return model->count(a) > 0;
}
