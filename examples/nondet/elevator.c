/*
 * Elevators, after the simulator of von Praun and Gross that Sinha et al. use: people press
 * buttons on the floors, elevators move a floor at a time and look for work.  Each floor has a
 * lock for its buttons and its queue; the simulator reads the calls from a plan and counts people
 * under a lock of its own.
 *
 *   elevator [ELEVATORS [FLOORS [PEOPLE [STEPS]]]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 12, FLOORS = 16, PLACES = 64 };

static struct floor {
    pthread_mutex_t lock;
    int up_pressed, down_pressed;
    int claimed_up, claimed_down; /* the elevator that is on its way, plus 1 */
    int people[PLACES];           /* where they want to go */
    int waiting;
} floors[FLOORS];

typedef struct elevator {
    int number, at, direction; /* its own */
    int inside[PLACES], riding;
} elevator;

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived, called;
static int elevators = 3, floor_count = 10, people = 12, steps = 60;
static elevator cars[MOST];

static void press(int at, int want) {
    struct floor *floor = &floors[at];
    pthread_mutex_lock(&floor->lock);
    floor->people[floor->waiting++] = want;
    if (want > at)
        floor->up_pressed = 1;
    else
        floor->down_pressed = 1;
    pthread_mutex_unlock(&floor->lock);
    pthread_mutex_lock(&count_lock);
    called++;
    pthread_mutex_unlock(&count_lock);
}

/* Takes a call of a floor for itself. */
static int claim(elevator *car, int at) {
    struct floor *floor = &floors[at];
    int got = 0;
    pthread_mutex_lock(&floor->lock);
    if (floor->up_pressed && floor->claimed_up == 0) {
        floor->claimed_up = car->number + 1;
        got = 1;
    } else if (floor->down_pressed && floor->claimed_down == 0) {
        floor->claimed_down = car->number + 1;
        got = 1;
    }
    pthread_mutex_unlock(&floor->lock);
    return got;
}

static void open_doors(elevator *car) {
    struct floor *floor = &floors[car->at];
    int left = 0, out = 0;
    for (int i = 0; i < car->riding; i++) {
        if (car->inside[i] == car->at)
            out++;
        else
            car->inside[left++] = car->inside[i];
    }
    car->riding = left;
    pthread_mutex_lock(&floor->lock);
    if (floor->claimed_up == car->number + 1 || floor->claimed_down == car->number + 1) {
        while (floor->waiting > 0)
            car->inside[car->riding++] = floor->people[--floor->waiting];
        floor->up_pressed = floor->down_pressed = 0;
        floor->claimed_up = floor->claimed_down = 0;
    }
    pthread_mutex_unlock(&floor->lock);
    if (out > 0) {
        pthread_mutex_lock(&count_lock);
        arrived += out;
        pthread_mutex_unlock(&count_lock);
    }
}

static void *run_car(void *argument) {
    elevator *car = argument;
    int goal = -1;
    for (int i = 0; i < steps; i++) {
        if (car->riding > 0)
            goal = car->inside[0];
        for (int j = 0; j < floor_count && goal < 0; j++)
            if (claim(car, (car->at + j) % floor_count))
                goal = (car->at + j) % floor_count;
        if (goal < 0)
            continue;
        car->at += (goal > car->at) - (goal < car->at);
        if (car->at == goal) {
            open_doors(car);
            goal = -1;
        }
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    if (count > 1)
        elevators = atoi(words[1]);
    if (count > 2)
        floor_count = atoi(words[2]);
    if (count > 3)
        people = atoi(words[3]);
    if (count > 4)
        steps = atoi(words[4]);
    if (elevators < 1 || elevators > MOST || floor_count < 2 || floor_count > FLOORS ||
        people < 1 || people > PLACES || steps < 1)
        return 2;
    for (int i = 0; i < floor_count; i++)
        pthread_mutex_init(&floors[i].lock, NULL);
    for (int i = 0; i < elevators; i++) {
        cars[i].number = i;
        pthread_create(&threads[i], NULL, run_car, &cars[i]);
    }
    for (int i = 0; i < people; i++) {
        int at = (5 * i + 1) % floor_count, want = (3 * i + 4) % floor_count;
        press(at, want == at ? (want + 1) % floor_count : want);
    }
    for (int i = 0; i < elevators; i++)
        pthread_join(threads[i], NULL);
    return called != people || arrived > called;
}
