/*
 * Lists of states.  Jobs of several workers follow each other in lexical order
 * (hd_cut_shares): each keeps what it has to say until those before it are done, or
 * waits for them when that becomes too much.
 */
#include <pthread.h>
#include <stdlib.h>

#include "cli_cut.h"

enum { FLUSH_AT = 1 << 16, WAIT_AT = 1 << 22, DIGITS = 10 };

struct hd_cli_cut_turns {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    size_t next; /* the job whose turn it is */
};

struct hd_cli_cut_list {
    struct hd_cli_cut_turns *turns; /* NULL: one worker */
    size_t job;
    uint32_t threads;
    hd_vec_char text;
    uint64_t listed;
};

static void write_out(struct hd_cli_cut_list *list) {
    if (list->text.length)
        fwrite(list->text.data, 1, list->text.length, stdout);
    hd_vec_clear(&list->text);
}

/* Is it this job's turn? */
static bool has_turn(const struct hd_cli_cut_list *list, bool wait) {
    struct hd_cli_cut_turns *turns = list->turns;
    if (!turns)
        return true;
    pthread_mutex_lock(&turns->mutex);
    while (wait && turns->next != list->job)
        pthread_cond_wait(&turns->moved, &turns->mutex);
    bool turn = turns->next == list->job;
    pthread_mutex_unlock(&turns->mutex);
    return turn;
}

static void begin_job(void *context, size_t job) {
    struct hd_cli_cut_list *list = context;
    list->job = job;
}

static void end_job(void *context, size_t job) {
    struct hd_cli_cut_list *list = context;
    struct hd_cli_cut_turns *turns = list->turns;
    (void)job;
    has_turn(list, true);
    write_out(list);
    pthread_mutex_lock(&turns->mutex);
    turns->next++;
    pthread_cond_broadcast(&turns->moved);
    pthread_mutex_unlock(&turns->mutex);
}

/* The number, and what is after it; as printf, which is ten times slower. */
static char *put_number(char *at, uint32_t number, char after) {
    char digits[DIGITS];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        *at++ = digits[--count];
    *at++ = after;
    return at;
}

static int list_run(void *context, const uint32_t *state, uint32_t count) {
    struct hd_cli_cut_list *list = context;
    size_t line = (size_t)list->threads * (DIGITS + 1) + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (hd_clock_over())
            return HD_CUT_STOPPED;
        hd_vec_reserve(&list->text, list->text.length + line);
        char *start = list->text.data + list->text.length, *at = start;
        for (uint32_t p = 0; p < list->threads; p++) {
            bool last = p + 1 == list->threads;
            at = put_number(at, state[p] + (last ? i : 0), last ? '\n' : ' ');
        }
        if (!list->threads)
            *at++ = '\n';
        list->text.length += (size_t)(at - start);
        list->listed++;
        if (list->text.length >= FLUSH_AT && has_turn(list, list->text.length >= WAIT_AT))
            write_out(list);
    }
    return ferror(stdout);
}

void hd_cli_cut_lists_begin(hd_cli_cut_lists *lists, hd_cut_request *request, uint32_t threads) {
    request->lexical = true;
    if (!hd_cut_shares(request->algorithm, request->class, true))
        request->workers = 1;
    *lists = (hd_cli_cut_lists){.turns = HD_NEW(struct hd_cli_cut_turns),
                                .all = HD_NEW_ARRAY(struct hd_cli_cut_list, request->workers)};
    pthread_mutex_init(&lists->turns->mutex, NULL);
    pthread_cond_init(&lists->turns->moved, NULL);
    request->visitors = HD_NEW_ARRAY(hd_cut_visitor, request->workers);
    for (unsigned i = 0; i < request->workers; i++) {
        bool alone = request->workers == 1;
        lists->all[i] =
            (struct hd_cli_cut_list){.turns = alone ? NULL : lists->turns, .threads = threads};
        request->visitors[i] = (hd_cut_visitor){.context = &lists->all[i],
                                                .run = list_run,
                                                .begin_job = alone ? NULL : begin_job,
                                                .end_job = alone ? NULL : end_job};
    }
}

uint64_t hd_cli_cut_lists_end(hd_cli_cut_lists *lists, hd_cut_request *request) {
    uint64_t listed = 0;
    for (unsigned i = 0; i < request->workers; i++) {
        write_out(&lists->all[i]); /* what belonged to no job */
        listed += lists->all[i].listed;
        hd_vec_release(&lists->all[i].text);
    }
    pthread_cond_destroy(&lists->turns->moved);
    pthread_mutex_destroy(&lists->turns->mutex);
    free(lists->turns);
    free(lists->all);
    free(request->visitors);
    request->visitors = NULL;
    return listed;
}
