#include "recording_live.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recording_stream.h"

/* Records at a time; nanoseconds of the first wait for more, and of the longest. */
enum { SOME = 8192, SHORT_NAP = 20 * 1000, LONG_NAP = 2 * 1000 * 1000 };

struct hd_recording_live {
    hd_launch_run run;
    pid_t child; /* 0: it has ended */
    hd_launch_family family;
    bool asked; /* it was sent a signal */
    hd_recording_stream *flow;
    bool over; /* the stream knows that the program has ended */
    hd_recording_maker *maker;
    hd_recording_summary summary;
    long nap;
    uint64_t given_back, allowed; /* chunks */
    hd_packed_record
        last; /* of a run that has ended: held back until it is known whether it is the last */
    bool has_last;
};

/* --- chunks --------------------------------------------------------------------------------- */

static void allow(hd_recording_live *live, uint64_t chunks) {
    heddle_wire *wire = live->run.wire;
    __atomic_store_n(&wire->allowed, (uint32_t)chunks, __ATOMIC_RELEASE);
    syscall(SYS_futex, &wire->allowed, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Frees its memory, and the mapping too, for otherwise the kernel's page tables would stay. */
static void give_back(void *context, uint64_t chunk) {
    hd_recording_live *live = context;
    uint64_t offset = HEDDLE_WIRE_DATA + chunk * HEDDLE_WIRE_CHUNK;
    munmap((char *)live->run.wire + offset, HEDDLE_WIRE_CHUNK);
    fallocate(live->run.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
              (off_t)HEDDLE_WIRE_CHUNK);
    live->given_back++;
}

/* Each lane has one chunk, and all lanes together may take a few more. */
static void allow_more(hd_recording_live *live) {
    uint64_t chunks =
        live->given_back + hd_recording_stream_lanes(live->flow) + HD_LAUNCH_LIVE_AHEAD;
    if (chunks != live->allowed)
        allow(live, chunks);
    live->allowed = chunks;
}

/* --- the run -------------------------------------------------------------------------------- */

hd_recording_live *hd_recording_live_start(const hd_launch_options *options,
                                           enum hd_recording_wanted wanted, hd_trace_tables *tables,
                                           const hd_recording_sinks *sinks, hd_error *error) {
    hd_recording_live *live = HD_NEW(hd_recording_live);
    hd_launch_options how = *options;
    how.live = true;
    hd_launch_end_init(&live->family);
    if (!hd_launch_run_start(&live->run, &how, &live->child, error)) {
        hd_launch_end_release(&live->family);
        free(live);
        return NULL;
    }
    live->maker = hd_recording_maker_create(&live->run, tables, wanted, sinks, &live->summary);
    live->flow = hd_recording_stream_create(&live->run, give_back, live);
    return live;
}

void hd_recording_live_free(hd_recording_live *live) {
    if (!live)
        return;
    if (hd_recording_live_runs(live)) {
        live->asked = true;
        hd_launch_end_kill(live->child, &live->run.status);
    }
    if (live->asked || hd_stop_asked())
        hd_launch_end_kill_rest(&live->family);
    hd_launch_end_release(&live->family);
    hd_recording_maker_free(live->maker);
    hd_recording_stream_free(live->flow);
    hd_launch_run_release(&live->run);
    free(live);
}

bool hd_recording_live_runs(hd_recording_live *live) {
    if (live->child && waitpid(live->child, &live->run.status, WNOHANG) == live->child)
        live->child = 0;
    return live->child != 0;
}

void hd_recording_live_signal(hd_recording_live *live, int number) {
    if (hd_recording_live_runs(live)) {
        live->asked = true;
        kill(live->child, number);
    }
}

/* What came after the last look, when the program has ended.  If the run was killed between the
 * hook and the store, the value of the very last write is not known. */
static void take_last(hd_recording_live *live, const hd_packed_record *record) {
    if (live->has_last) {
        if (!record && live->last.op == HEDDLE_WRITE + 1 &&
            live->run.wire->ending == HEDDLE_WIRE_RUNNING)
            live->last.has_value = false;
        hd_recording_maker_take(live->maker, &live->last);
    }
    live->has_last = record != NULL;
    if (record)
        live->last = *record;
}

static void nap(hd_recording_live *live) {
    live->nap = live->nap ? live->nap * 2 : SHORT_NAP;
    if (live->nap > LONG_NAP)
        live->nap = LONG_NAP;
    nanosleep(&(struct timespec){.tv_nsec = live->nap}, NULL);
}

bool hd_recording_live_take(hd_recording_live *live) {
    bool ended =
        !hd_recording_live_runs(live); /* asked before the look: then nothing comes after it */
    hd_packed_record record;
    if (ended && !live->over) {
        live->over = true;
        hd_recording_stream_end(live->flow);
    }
    unsigned taken = 0;
    bool more = true;
    while (taken < SOME && (more = hd_recording_stream_next(live->flow, &record))) {
        taken++;
        if (ended)
            take_last(live, &record);
        else
            hd_recording_maker_take(live->maker, &record);
    }
    if (ended && !more)
        take_last(live, NULL);
    allow_more(live);
    if (hd_recording_stream_damaged(
            live->flow)) /* there is no reader any more: the program goes on alone */
        __atomic_store_n(&live->run.wire->live, UINT32_MAX, __ATOMIC_RELEASE);
    if (!hd_recording_maker_flush(live->maker))
        return false;
    if (!taken && !ended)
        nap(live);
    else
        live->nap = 0;
    return more || !ended;
}

uint64_t hd_recording_live_lost(const hd_recording_live *live) {
    return live->summary.lost + live->run.wire->lost;
}

const hd_launch_run *hd_recording_live_run(const hd_recording_live *live) {
    return &live->run;
}
