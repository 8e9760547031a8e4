/*
 * Accounts with a lock each, after the dissertation's banking benchmark: transfers take both
 * locks in the order of the accounts.
 *
 * The auditor adds up the balances without the lock of the last account.  With FIXED it
 * takes that lock, too.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, ACCOUNTS = 4, TRANSFERS = 3, START = 100 };

typedef struct account {
    pthread_mutex_t lock;
    int balance;
} account;

static account accounts[ACCOUNTS];

static void transfer(int from, int to, int amount) {
    int low = from < to ? from : to, high = from < to ? to : from;
    pthread_mutex_lock(&accounts[low].lock);
    pthread_mutex_lock(&accounts[high].lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[high].lock);
    pthread_mutex_unlock(&accounts[low].lock);
}

static void *trade(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < TRANSFERS; i++)
        transfer((own + i) % ACCOUNTS, (own + i + 1) % ACCOUNTS, 5);
    return NULL;
}

static int audit(void) {
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
#ifdef FIXED
        int locked = 1;
#else
        int locked = i < ACCOUNTS - 1;
#endif
        if (locked)
            pthread_mutex_lock(&accounts[i].lock);
        sum += accounts[i].balance;
        if (locked)
            pthread_mutex_unlock(&accounts[i].lock);
    }
    return sum;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int traders = count > 1 ? atoi(words[1]) : 2;
    if (traders < 1 || traders > MOST)
        return 2;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = START;
    }
    for (int i = 0; i < traders; i++)
        pthread_create(&threads[i], NULL, trade, (void *)(size_t)i);
    int sum = audit();
    for (int i = 0; i < traders; i++)
        pthread_join(threads[i], NULL);
    return sum < 0;
}
