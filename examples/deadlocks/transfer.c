/*
 * Transfers between accounts, which are locked in the order of the arguments.  The second
 * transfer goes the other way only if it sees the money of the first, so the locks of most
 * runs form no cycle, and tools that look for cycles see nothing.  With FIXED the lower
 * account is locked first.
 */
#include <pthread.h>
#include <stdlib.h>

typedef struct account {
    pthread_mutex_t lock;
    int balance;
} account;

static account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static pthread_mutex_t NewsLock = PTHREAD_MUTEX_INITIALIZER;
static int news;

static void transfer(int from, int to, int amount) {
    int first = from, second = to;
#ifdef FIXED
    if (second < first) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&accounts[first].lock);
    pthread_mutex_lock(&accounts[second].lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[second].lock);
    pthread_mutex_unlock(&accounts[first].lock);
}

static void announce(void) {
    pthread_mutex_lock(&NewsLock);
    news = 1;
    pthread_mutex_unlock(&NewsLock);
}

static int has_news(void) {
    pthread_mutex_lock(&NewsLock);
    int seen = news;
    pthread_mutex_unlock(&NewsLock);
    return seen;
}

static void *pay(void *argument) {
    (void)argument;
    announce();
    transfer(0, 1, 10);
    return NULL;
}

static void *pay_back(void *argument) {
    (void)argument;
    if (has_news())
        transfer(1, 0, 5);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, pay, NULL);
    pthread_create(&other, NULL, pay_back, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return accounts[0].balance + accounts[1].balance == 100 ? 0 : 1;
}
