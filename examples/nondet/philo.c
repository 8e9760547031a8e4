/*
 * Dining philosophers, after `philo` of Sinha et al.: the table is a monitor with the state of each
 * philosopher; one that is hungry waits until no neighbour eats.  Meals are counted under locks of
 * their own.
 *
 *   philo [PHILOSOPHERS [MEALS]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };
enum state { THINKING, HUNGRY, EATING };

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t may_eat[MOST];
static enum state states[MOST];
static int philosophers = 5, meals = 4;
static int most_eating, eating;

static struct plate {
    pthread_mutex_t lock;
    int eaten;
} plates[MOST];

static int left(int i) {
    return (i + philosophers - 1) % philosophers;
}

static int right(int i) {
    return (i + 1) % philosophers;
}

static void try_to_eat(int i) {
    if (states[i] == HUNGRY && states[left(i)] != EATING && states[right(i)] != EATING) {
        states[i] = EATING;
        if (++eating > most_eating)
            most_eating = eating;
        pthread_cond_signal(&may_eat[i]);
    }
}

static void take_forks(int i) {
    pthread_mutex_lock(&table);
    states[i] = HUNGRY;
    try_to_eat(i);
    while (states[i] != EATING)
        pthread_cond_wait(&may_eat[i], &table);
    pthread_mutex_unlock(&table);
}

static void put_forks(int i) {
    pthread_mutex_lock(&table);
    states[i] = THINKING;
    eating--;
    try_to_eat(left(i));
    try_to_eat(right(i));
    pthread_mutex_unlock(&table);
}

static void *philosopher(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < meals; i++) {
        take_forks(own);
        pthread_mutex_lock(&plates[own].lock);
        plates[own].eaten++;
        pthread_mutex_unlock(&plates[own].lock);
        put_forks(own);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    if (count > 1)
        philosophers = atoi(words[1]);
    if (count > 2)
        meals = atoi(words[2]);
    if (philosophers < 3 || philosophers > MOST || meals < 1)
        return 2;
    for (int i = 0; i < philosophers; i++) {
        pthread_cond_init(&may_eat[i], NULL);
        pthread_mutex_init(&plates[i].lock, NULL);
    }
    for (int i = 0; i < philosophers; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)(size_t)i);
    int sum = 0;
    for (int i = 0; i < philosophers; i++) {
        pthread_join(threads[i], NULL);
        sum += plates[i].eaten;
    }
    return sum != philosophers * meals || most_eating > philosophers / 2;
}
