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
    bool has_machine;
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
    assert(crew->waiting <= crew->begun);
    count_hungry(crew);
    pthread_cond_broadcast(&crew->resume); /* no worker has to wait for this one */
    while (!crew->items.length && !crew->over) {
        crew->over = crew->waiting == crew->begun;
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
        if (crew->halting + crew->waiting < crew->begun) {
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

/* One worker at a time, and none when the search is over. */
static void crew_report_collision(void *context, const hd_explore_collision *collision) {
    const hd_explore_search *search = context;
    hd_mem_lock(&search->crew->visiting);
    if (!atomic_load(&search->crew->stop))
        search->options->collide(search->options->context, collision);
    hd_mem_unlock(&search->crew->visiting);
}

/* A machine of its own.  That of a program takes a while to start, so each worker makes its own. */
static void make_machine(struct worker *worker) {
    hd_explore_crew *crew = worker->crew;
    const hd_explore_search *whole = crew->whole;
    hd_machine *machine = whole->path.machine->type->copy(whole->path.machine);
    hd_explore_path_init(&worker->search.path, machine, &worker->result);
    worker->has_machine = true;
    hd_mem_lock(&crew->lock);
    if (whole->options->symmetric)
        hd_explore_symmetry_begin(&worker->search.path, whole->path.symmetry);
    hd_mem_unlock(&crew->lock);
    worker->search.path.most = whole->path.most;
    worker->search.path.collide = whole->path.collide ? crew_report_collision : NULL;
    worker->search.path.context = &worker->search;
}

/* False if the search is over before, or another worker failed. */
static bool begin(hd_explore_crew *crew) {
    hd_mem_lock(&crew->lock);
    crew->begun += !crew->over;
    if (crew->together)
        pthread_cond_broadcast(&crew->resume);
    while (crew->together && crew->begun < crew->workers && !crew->over)
        pthread_cond_wait(&crew->resume, &crew->lock);
    bool over = crew->over;
    hd_mem_unlock(&crew->lock);
    return !over;
}

static bool is_over(hd_explore_crew *crew) {
    hd_mem_lock(&crew->lock);
    bool over = crew->over;
    hd_mem_unlock(&crew->lock);
    return over;
}

static void take_items(void *context) {
    struct worker *worker = context;
    hd_explore_crew *crew = worker->crew;
    if (is_over(crew))
        return;
    make_machine(worker);
    if (!begin(crew))
        return;
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

static void crew_work(struct worker *worker) {
    if (!hd_worker_run(&worker->ties, take_items, worker, &worker->crew->failure))
        atomic_store(&worker->crew->stop, true); /* the others have no reason to go on */
    pthread_mutex_lock(&worker->crew->lock);
    worker->crew->over = true; /* the others too, if it was stopped */
    pthread_cond_broadcast(&worker->crew->wake);
    pthread_cond_broadcast(&worker->crew->resume);
    pthread_mutex_unlock(&worker->crew->lock);
}

static void *work_in_thread(void *context) {
    struct worker *worker = context;
    hd_explore_crew *crew = worker->crew;
    crew_work(worker);
    pthread_mutex_lock(&crew->lock);
    crew->done++;
    pthread_cond_broadcast(&crew->resume);
    while (!crew->released)
        pthread_cond_wait(&crew->resume, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static void await_threads(hd_explore_crew *crew) {
    pthread_mutex_lock(&crew->lock);
    while (crew->done + 1 < crew->workers)
        pthread_cond_wait(&crew->resume, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

static void end_threads(hd_explore_crew *crew, struct worker *workers) {
    pthread_mutex_lock(&crew->lock);
    crew->released = true;
    pthread_cond_broadcast(&crew->resume);
    pthread_mutex_unlock(&crew->lock);
    for (uint32_t i = 1; i < crew->workers; i++)
        pthread_join(workers[i].thread, NULL);
}

static void worker_init(struct worker *worker, hd_explore_crew *crew, const hd_explore_job *job,
                        const hd_explore_search *search) {
    *worker =
        (struct worker){.crew = crew, .job = job, .search = *search, .ties = hd_worker_ties()};
    worker->search.crew = crew;
    worker->search.result = &worker->result;
    worker->search.schedule.data = NULL;
    worker->search.schedule.length = worker->search.schedule.capacity = 0;
    worker->search.levels.data = NULL;
    worker->search.levels.length = worker->search.levels.capacity = 0;
}

static void worker_release(struct worker *worker, hd_machine *original, hd_explore_result *sum) {
    hd_machine *machine = worker->search.path.machine;
    if (!worker->has_machine)
        return;
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
    /* The machine that is copied also changes, or is asked, where a search is kept or shared. */
    crew.together = job->together || search->options->keeper || search->options->member;
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
           pthread_create(&workers[started].thread, NULL, work_in_thread, &workers[started]) == 0)
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
    await_threads(&crew);
    search->estimate = atomic_load(&crew.estimate);
    if (hd_worker_failed(&crew.failure)) {
        hd_explore_estimate_free(search->estimate);
        search->estimate = NULL;
        end_threads(&crew, workers);
    }
    hd_worker_pass_on(&crew.failure); /* what they had is lost */
    for (uint32_t i = 0; i < started; i++)
        worker_release(&workers[i], search->path.machine, search->result);
    end_threads(&crew, workers);
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
