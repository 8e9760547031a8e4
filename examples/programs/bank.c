// Transfers between accounts, each under the locks of both.  The total stays the same, but the
// locks are taken in the order of the arguments: two transfers in opposite directions can
// deadlock.  In an ordinary run they hardly ever do.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { ACCOUNTS = 3 };

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[ACCOUNTS];

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *teller(void *number) {
    intptr_t from = (intptr_t)number;
    transfer(&accounts[from], &accounts[(from + 1) % ACCOUNTS], 10);
    return NULL;
}

int main(void) {
    pthread_t tellers[ACCOUNTS];
    int total = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 100;
    }
    for (intptr_t i = 0; i < ACCOUNTS; i++)
        pthread_create(&tellers[i], NULL, teller, (void *)i);
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_join(tellers[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++)
        total += accounts[i].balance;
    assert(total == 100 * ACCOUNTS);
    return 0;
}
