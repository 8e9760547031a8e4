#include "explore_phase.h"

#include <time.h>

void hd_explore_phase_init(hd_explore_phase *phase) {
    *phase = (hd_explore_phase){0};
    pthread_mutex_init(&phase->lock, NULL);
    pthread_cond_init(&phase->idle, NULL);
}

void hd_explore_phase_release(hd_explore_phase *phase) {
    pthread_cond_destroy(&phase->idle);
    pthread_mutex_destroy(&phase->lock);
}

void hd_explore_phase_open(hd_explore_phase *phase, const hd_explore_search *search,
                           uint32_t wanted, void *(*call)(void)) {
    uint32_t others = search->options->threads - 1;
    if (wanted > others)
        wanted = others;
    hd_mem_lock(&phase->lock);
    phase->open = true;
    uint32_t more = wanted > phase->calls ? wanted - phase->calls : 0;
    phase->calls += more;
    hd_mem_unlock(&phase->lock);
    for (; more; more--)
        hd_explore_give(search->crew, call());
}

/* Who helps is waited for, but not one whose work has ended by what is fatal. */
bool hd_explore_phase_close(hd_explore_phase *phase, const hd_explore_search *search) {
    enum { PATIENCE = 100 * 1000 * 1000 };
    hd_mem_lock(&phase->lock);
    while (phase->helping && !phase->gifts && !hd_worker_failed(&search->crew->failure)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PATIENCE;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&phase->idle, &phase->lock, &until);
    }
    phase->open = phase->gifts && !search->stop && !hd_worker_failed(&search->crew->failure);
    bool over = !phase->open;
    hd_mem_unlock(&phase->lock);
    return over;
}

void hd_explore_phase_give(hd_explore_phase *phase, const hd_explore_search *search,
                           void *(*call)(void)) {
    phase->gifts++;
    phase->calls++;
    hd_explore_give(search->crew, call());
    pthread_cond_signal(&phase->idle);
}

bool hd_explore_phase_enter(hd_explore_phase *phase) {
    hd_mem_lock(&phase->lock);
    phase->calls--;
    bool open = phase->open;
    phase->helping += open;
    hd_mem_unlock(&phase->lock);
    return open;
}

void hd_explore_phase_leave(hd_explore_phase *phase) {
    phase->helping--;
    pthread_cond_signal(&phase->idle);
    hd_mem_unlock(&phase->lock);
}

bool hd_explore_phase_stops(hd_explore_search *search) {
    search->stop |= atomic_load_explicit(&search->crew->stop, memory_order_relaxed);
    return search->stop;
}
