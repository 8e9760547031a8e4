/*
 * The question states in stages (cut_stages.h): for a count that is kept in checkpoints and has no
 * slices.
 *
 * What is known after a stage is kept in memory, as the next one writes over it, and in the file
 * when that is due, compressed: there it is a hundredth.  A stage that was not finished was not
 * begun.
 */
#include <zstd.h>

#include "engine_keep.h"
#include "engine_states.h"

/* What a stage may take, about: some of it is lost when it is cut short, and after it all that is
 * known is copied. */
static const double usual_stage = 1;

static const char malformed[] = "is not well-formed", too_large[] = "does not fit into --memory";

struct staging {
    hd_engine_states *s;
    hd_cut_stages stages;
    hd_vec_char state; /* after the last stage */
    double kept;
};

/* How many bytes there are, and the bytes, compressed. */
static void pack(const hd_vec_char *plain, hd_vec_char *to) {
    enum { FAST = 1 };
    hd_bytes_put(to, plain->length);
    size_t room = ZSTD_compressBound(plain->length);
    hd_vec_reserve(to, to->length + room);
    size_t packed = ZSTD_compress(to->data + to->length, room, plain->data, plain->length, FAST);
    if (ZSTD_isError(packed))
        hd_mem_fatal("cannot compress: %s", ZSTD_getErrorName(packed));
    to->length += packed;
}

/* NULL, or what is wrong with it. */
static const char *unpack(const hd_vec_char *packed, size_t most, hd_vec_char *to) {
    hd_bytes from = {packed->data, packed->data + packed->length, false};
    size_t length = hd_bytes_get(&from, SIZE_MAX);
    if (from.bad || length > most)
        return from.bad ? malformed : too_large;
    hd_vec_reserve(to, length + 1);
    to->length = ZSTD_decompress(to->data, length, from.at, (size_t)(from.end - from.at));
    return to->length == length ? NULL : malformed;
}

static void keep(struct staging *x) {
    hd_vec_char none = {0}, packed = {0};
    x->kept = hd_progress_clock();
    if (!x->s->keep.to)
        return;
    pack(&x->state, &packed);
    hd_engine_keep_write(&x->s->keep, &packed, &none);
    hd_vec_release(&packed);
}

static void note(struct staging *x) {
    hd_vec_clear(&x->state);
    hd_cut_stages_put(&x->stages, &x->state);
}

static bool go_on(struct staging *x, hd_error *error) {
    const char *wrong = unpack(&x->s->keep.state, x->s->request.memory, &x->state);
    hd_bytes from = {x->state.data, x->state.data + x->state.length, false};
    if (!wrong && !hd_cut_stages_get(&x->stages, &from))
        wrong = from.bad ? malformed : too_large;
    return !wrong ||
           hd_error_set(error, "%s: a checkpoint that %s", hd_text_name(x->s->keep.from), wrong);
}

static int run(struct staging *x) {
    uint32_t counts = 1;
    int why = 0;
    while (x->stages.done < x->stages.levels && !why) {
        double began = hd_progress_clock();
        why = hd_cut_stages_take(&x->stages, counts);
        if (why)
            break;
        double now = hd_progress_clock();
        if (now - began < usual_stage / 2 && counts < x->stages.levels)
            counts *= 2;
        else if (now - began > usual_stage && counts > 1)
            counts /= 2;
        note(x);
        if (now - x->kept > x->s->keep.every)
            keep(x);
        if (hd_stop_asked() || hd_clock_look() != HD_CLOCK_GOES)
            why = HD_CUT_STOPPED;
    }
    return x->stages.done < x->stages.levels ? why : 0;
}

bool hd_engine_states_staged(hd_engine_states *s, hd_error *error) {
    struct staging x = {.s = s};
    bool good = hd_cut_stages_init(&x.stages, &s->order, &s->request, error) &&
                hd_engine_keep_begin(&s->keep, s->sum, error) &&
                (!s->keep.from || go_on(&x, error));
    x.kept = hd_progress_clock();
    if (x.stages.late) {
        hd_engine_states_none(s);
        good = true;
    } else if (good) {
        note(&x);
        int why = run(&x);
        if (why)
            keep(&x);
        s->counted = (hd_cut_answer){.states = x.stages.states,
                                     .algorithm = HD_CUT_SWEEP,
                                     .manner = HD_CUT_BLOCKS,
                                     .why = why};
        x.stages.states = (hd_cut_count){0};
    }
    hd_vec_release(&x.state);
    hd_cut_stages_release(&x.stages);
    return good;
}
