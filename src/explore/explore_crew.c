#include "explore_crew.h"

#include "explore_estimate.h"
#include "explore_frontier.h"
#include "explore_symmetry.h"

struct worker {
    hd_explore_crew *crew;
    const hd_explore_job *job;
    hd_explore_search search;
    hd_explore_result result;
    pthread_t thread;
    hd_worker_for ties; /* to who started it */
    uint32_t number;
    char apart[HD_WORKER_APART];
};

/* With the lock held. */
static void count_hungry(hd_explore_crew *crew) {
    atomic_store(&crew->hungry, (int)crew->waiting - (int)crew->items.length);
}

void hd_explore_give(hd_explore_crew *crew, void *item) {
    hd_mem_lock(&crew->lock);
    hd_vec_push(&crew->items, item);
    count_hungry(crew);
    pthread_cond_signal(&crew->wake);
    hd_mem_unlock(&crew->lock);
}

/* The next item; false when the search is over. */
static bool crew_take_item(hd_explore_crew *crew, void **item) {
    pthread_mutex_lock(&crew->lock);
    crew->waiting++;
    assert(crew->waiting <= crew->workers);
    count_hungry(crew);
    pthread_cond_broadcast(&crew->resume); /* no worker has to wait for this one */
    while (!crew->items.length && !crew->over) {
        crew->over = crew->waiting == crew->workers;
        if (crew->over)
            pthread_cond_broadcast(&crew->wake);
        else
            pthread_cond_wait(&crew->wake, &crew->lock);
    }
    bool taken = !crew->over && !atomic_load(&crew->stop);
    if (taken) {
        *item = hd_vec_pop(&crew->items);
        crew->waiting--;
        count_hungry(crew);
    }
    pthread_mutex_unlock(&crew->lock);
    return taken;
}

/* One keeps the search when no other is at work; if it ends meanwhile, none does. */
void hd_explore_crew_keep(hd_explore_search *search) {
    hd_explore_crew *crew = search->crew;
    hd_mem_lock(&crew->lock);
    uint64_t times = crew->times;
    if (search->halt)
        crew->halt = search->halt;
    atomic_store(&crew->keep, true);
    crew->halting++;
    while (crew->times == times && !crew->over && !atomic_load(&crew->stop)) {
        if (crew->halting + crew->waiting < crew->workers) {
            pthread_cond_wait(&crew->resume, &crew->lock);
            continue;
        }
        crew->job->keep(crew->whole, crew);
        crew->times++;
        atomic_store(&crew->kept, hd_progress_clock());
        atomic_store(&crew->keep, false);
        pthread_cond_broadcast(&crew->resume);
    }
    crew->halting--;
    if (crew->times != times)
        search->halt = crew->halt;
    hd_mem_unlock(&crew->lock);
    hd_explore_has_kept(search);
}

static void take_items(void *context) {
    struct worker *worker = context;
    hd_explore_crew *crew = worker->crew;
    void *own = worker->job->begin(&worker->search), *item;
    hd_mem_lock(&crew->lock);
    crew->own[worker->number] = own;
    hd_mem_unlock(&crew->lock);
    while (crew_take_item(crew, &item))
        worker->job->work(own, item);
    hd_mem_lock(&crew->lock);
    crew->own[worker->number] = NULL;
    hd_mem_unlock(&crew->lock);
    worker->job->end(own);
}

static void *crew_work(void *context) {
    struct worker *worker = context;
    if (!hd_worker_run(&worker->ties, take_items, worker, &worker->crew->failure))
        atomic_store(&worker->crew->stop, true); /* the others have no reason to go on */
    pthread_mutex_lock(&worker->crew->lock);
    worker->crew->over = true; /* the others too, if it was stopped */
    pthread_cond_broadcast(&worker->crew->wake);
    pthread_cond_broadcast(&worker->crew->resume);
    pthread_mutex_unlock(&worker->crew->lock);
    return NULL;
}

/* One worker at a time, and none when the search is over. */
static void crew_report_collision(void *context, const hd_explore_collision *collision) {
    const hd_explore_search *search = context;
    hd_mem_lock(&search->crew->visiting);
    if (!atomic_load(&search->crew->stop))
        search->options->collide(search->options->context, collision);
    hd_mem_unlock(&search->crew->visiting);
}

static void worker_init(struct worker *worker, hd_explore_crew *crew, const hd_explore_job *job,
                        const hd_explore_search *search) {
    *worker =
        (struct worker){.crew = crew, .job = job, .search = *search, .ties = hd_worker_ties()};
    hd_machine *machine = search->path.machine->type->copy(search->path.machine);
    worker->search.crew = crew;
    worker->search.result = &worker->result;
    worker->search.schedule.data = NULL;
    worker->search.schedule.length = worker->search.schedule.capacity = 0;
    worker->search.levels.data = NULL;
    worker->search.levels.length = worker->search.levels.capacity = 0;
    hd_explore_path_init(&worker->search.path, machine, &worker->result);
    if (search->options->symmetric)
        hd_explore_symmetry_begin(&worker->search.path, search->path.symmetry);
    worker->search.path.most = search->path.most;
    worker->search.path.collide = search->path.collide ? crew_report_collision : NULL;
    worker->search.path.context = &worker->search;
}

static void worker_release(struct worker *worker, hd_machine *original, hd_explore_result *sum) {
    hd_machine *machine = worker->search.path.machine;
    if (original->type->learn)
        original->type->learn(original, machine);
    hd_explore_counts_add(sum, &worker->result);
    hd_explore_path_release(&worker->search.path);
    hd_vec_release(&worker->search.schedule);
    hd_vec_release(&worker->search.levels);
    machine->type->free(machine);
}

void hd_explore_crew_run(hd_explore_search *search, const hd_explore_job *job) {
    uint32_t count = search->options->threads ? search->options->threads : 1;
    hd_explore_crew crew = {.workers = count, .job = job, .whole = search};
    struct worker *workers = HD_NEW_ARRAY(struct worker, count);
    pthread_mutex_init(&crew.lock, NULL);
    pthread_mutex_init(&crew.visiting, NULL);
    pthread_cond_init(&crew.wake, NULL);
    pthread_cond_init(&crew.resume, NULL);
    atomic_init(&crew.executions, search->result->executions);
    atomic_init(&crew.kept, search->kept);
    crew.own = HD_NEW_ARRAY(void *, count);
    crew.results = HD_NEW_ARRAY(const hd_explore_result *, count);
    if (search->from)
        job->items(search, &crew.items);
    else
        hd_vec_push(&crew.items, NULL);
    for (uint32_t i = 0; i < count; i++) {
        worker_init(&workers[i], &crew, job, search);
        workers[i].number = i;
        crew.results[i] = &workers[i].result;
    }
    uint32_t started = 1;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, crew_work, &workers[started]) == 0)
        started++;
    if (started < count) { /* those that could not be started do not count */
        pthread_mutex_lock(&crew.lock);
        crew.workers = started;
        pthread_cond_broadcast(&crew.wake);
        pthread_cond_broadcast(&crew.resume);
        pthread_mutex_unlock(&crew.lock);
    }
    crew_work(&workers[0]);
    search->result->threads = started;
    for (uint32_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    search->estimate = atomic_load(&crew.estimate);
    if (hd_worker_failed(&crew.failure)) {
        hd_explore_estimate_free(search->estimate);
        search->estimate = NULL;
    }
    hd_worker_pass_on(&crew.failure); /* what they had is lost */
    for (uint32_t i = 0; i < count; i++)
        worker_release(&workers[i], search->path.machine, search->result);
    if (search->path.machine->reads) /* what is supported may depend on what several have seen */
        search->result->stopped |= hd_machine_changed(search->path.machine);
    for (size_t i = 0; i < crew.items.length; i++)
        if (crew.items.data[i])
            job->drop(crew.items.data[i]);
    hd_vec_release(&crew.items);
    pthread_cond_destroy(&crew.wake);
    pthread_cond_destroy(&crew.resume);
    free(crew.own);
    free(crew.results);
    pthread_mutex_destroy(&crew.visiting);
    pthread_mutex_destroy(&crew.lock);
    free(workers);
}
