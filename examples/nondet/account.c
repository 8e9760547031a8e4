/*
 * Accounts, after `account` of the concurrency benchmark that Sinha et al. use: each customer has
 * an account with a balance and a lock, deposits, withdraws and transfers to the next customer's
 * account.  A withdrawal waits until the account is covered.  The bank counts operations under a
 * lock of its own.
 *
 *   account [CUSTOMERS [ROUNDS]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 32, START = 100 };

typedef struct account {
    pthread_mutex_t lock;
    pthread_mutex_t statement_lock;
    pthread_cond_t covered;
    int balance;
    int statement[2]; /* deposits and withdrawals */
} account;

static account accounts[MOST];
static pthread_mutex_t bank_lock = PTHREAD_MUTEX_INITIALIZER;
static int operations, volume;
static int customers = 10, rounds = 1;

static void note(account *of, int kind, int amount) {
    pthread_mutex_lock(&of->statement_lock);
    of->statement[kind] += amount;
    pthread_mutex_unlock(&of->statement_lock);
}

static void deposit(account *to, int amount) {
    pthread_mutex_lock(&to->lock);
    to->balance += amount;
    note(to, 0, amount);
    pthread_cond_signal(&to->covered);
    pthread_mutex_unlock(&to->lock);
}

static void withdraw(account *from, int amount) {
    pthread_mutex_lock(&from->lock);
    while (from->balance < amount)
        pthread_cond_wait(&from->covered, &from->lock);
    from->balance -= amount;
    note(from, 1, amount);
    pthread_mutex_unlock(&from->lock);
}

static void transfer(int from, int to, int amount) {
    int low = from < to ? from : to, high = from < to ? to : from;
    pthread_mutex_lock(&accounts[low].lock);
    pthread_mutex_lock(&accounts[high].lock);
    if (accounts[from].balance >= amount) {
        accounts[from].balance -= amount;
        accounts[to].balance += amount;
        note(&accounts[from], 1, amount);
        note(&accounts[to], 0, amount);
        pthread_cond_signal(&accounts[to].covered);
    }
    pthread_mutex_unlock(&accounts[high].lock);
    pthread_mutex_unlock(&accounts[low].lock);
}

static void count_operation(int amount) {
    pthread_mutex_lock(&bank_lock);
    operations++;
    volume += amount;
    pthread_mutex_unlock(&bank_lock);
}

static void *customer(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < rounds; i++) {
        deposit(&accounts[own], 30);
        count_operation(30);
        withdraw(&accounts[own], 20);
        count_operation(20);
        transfer(own, (own + 1) % customers, 10);
        count_operation(10);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    if (count > 1)
        customers = atoi(words[1]);
    if (count > 2)
        rounds = atoi(words[2]);
    if (customers < 2 || customers > MOST || rounds < 1)
        return 2;
    for (int i = 0; i < customers; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        pthread_mutex_init(&accounts[i].statement_lock, NULL);
        pthread_cond_init(&accounts[i].covered, NULL);
        accounts[i].balance = START;
    }
    for (int i = 0; i < customers; i++)
        pthread_create(&threads[i], NULL, customer, (void *)(size_t)i);
    int sum = 0, noted = 0;
    for (int i = 0; i < customers; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < customers; i++) {
        sum += accounts[i].balance;
        noted += accounts[i].statement[0] - accounts[i].statement[1];
    }
    return sum != customers * (START + 10 * rounds) || noted != sum - customers * START ||
           operations != 3 * rounds * customers || volume != 60 * rounds * customers;
}
