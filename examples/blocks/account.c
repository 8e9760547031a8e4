/*
 * An account: a withdrawal looks whether there is enough, and then takes it.  Each step holds the
 * lock, so there is no data race; but between the two another thread can close the account.
 * heddle_begin and heddle_end say that the two steps are meant to be one.
 *
 *     heddle cc -g -o account account.c
 *     heddle record -o account.htr ./account
 *     heddle race account.htr                        no race
 *     heddle race --blocks -o witness account.htr    the block is not serializable
 *     heddle replay ./account witness                shown on the program
 *
 * With -DFIXED one hold of the lock covers both steps.
 */
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *amount) {
    int wanted = *(int *)amount;
    heddle_begin("withdraw");
    pthread_mutex_lock(&lock);
    int enough = balance >= wanted;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (enough)
        balance -= wanted;
    pthread_mutex_unlock(&lock);
    heddle_end("withdraw");
    return NULL;
}

static void *close_account(void *unused) {
    pthread_mutex_lock(&lock);
    balance = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t owner, bank;
    int amount = 60;
    pthread_create(&owner, NULL, withdraw, &amount);
    pthread_create(&bank, NULL, close_account, NULL);
    pthread_join(owner, NULL);
    pthread_join(bank, NULL);
    printf("%d\n", balance);
    return 0;
}
