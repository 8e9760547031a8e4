/*
 * Predicates: the input is the text of one.  What parses is asked of a small trace, both
 * by its form and by going through all states, which must agree; what does not is refused
 * with a word and a place inside the text.
 */
#include "fuzz_common.h"
#include "predicate/predicate.h"

static const char text[] = "T1|w(x=1)|1\nT2|mark(a)|2\nT1|mark(a)|3\nT1|send(s)|4\nT2|recv(s)|5\n"
                           "T2|mark(n=3)|6\nT1|acq(l)|7\nT1|mark(b)|8\nT1|rel(l)|9\nT2|acq(l)|10\n"
                           "T2|w(y=-7)|11\nT3|mark(n=9223372036854775807)|12\nT3|mark(a)|13\n";

static void check_place(const char *predicate, const hd_predicate_error *error) {
    if (!error->error.text[0] || error->at + error->length > strlen(predicate) + 1)
        fuzz_fail("bad error '%s' at %u, %u", error->error.text, error->at, error->length);
}

static void ask(hd_predicate_instance *scene, const char *predicate) {
    hd_predicate_answer answers[2];
    hd_error error = {""};
    for (int i = 0; i < 2; i++) {
        hd_predicate_request request = {.class = HD_CUT_CONSISTENT,
                                        .algorithm = i ? HD_CUT_LEX : HD_CUT_AUTO,
                                        .workers = 1,
                                        .memory = 1 << 24};
        if (!hd_predicate_detect(scene, &request, &answers[i], &error))
            fuzz_fail("%s: %s", predicate, error.text);
    }
    size_t bytes = scene->space.threads * sizeof(uint32_t);
    if (answers[0].found != answers[1].found ||
        (answers[0].found && memcmp(answers[0].state, answers[1].state, bytes) != 0))
        fuzz_fail("%s: two answers", predicate);
    hd_predicate_answer_release(&answers[0]);
    hd_predicate_answer_release(&answers[1]);
}

/* Both ways to decide a temporal predicate say the same. */
static void decide(hd_order *order, const char *predicate) {
    hd_predicate_temporal formula;
    hd_predicate_error error;
    if (!hd_predicate_temporal_init(&formula, predicate, &error)) {
        check_place(predicate, &error);
        return;
    }
    hd_predicate_temporal_check checks[2] = {
        {.order = order, .model = HD_ORDER_POSET, .memory = 1 << 24},
        {.order = order, .model = HD_ORDER_POSET, .memory = 1 << 24, .enumerate = true}};
    bool good = hd_predicate_temporal_decide(&formula, &checks[0], &error);
    if (good != hd_predicate_temporal_decide(&formula, &checks[1], &error) ||
        (good && checks[0].start != checks[1].start))
        fuzz_fail("'%s' is decided in two ways", predicate);
    if (!good)
        check_place(predicate, &error);
    for (int i = 0; i < 2; i++)
        hd_predicate_temporal_check_release(&checks[i]);
    hd_predicate_temporal_release(&formula);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static hd_trace trace;
    static hd_order order;
    if (!trace.events.length) {
        if (!fuzz_load(&trace, text, sizeof text - 1, 0))
            fuzz_fail("%s", "the trace");
        hd_order_init(&order, &trace);
    }
    char *predicate = hd_mem_string((const char *)data, size);
    if (hd_predicate_temporal_is(predicate)) {
        decide(&order, predicate);
        free(predicate);
        return 0;
    }
    hd_predicate parsed;
    hd_predicate_error error;
    if (hd_predicate_init(&parsed, predicate, &error)) {
        hd_predicate_instance scene;
        if (hd_predicate_instance_init(&scene, &order, &parsed, HD_ORDER_POSET, 1 << 24, &error)) {
            ask(&scene, predicate);
            hd_predicate_instance_release(&scene);
        } else {
            check_place(predicate, &error);
        }
        hd_predicate_release(&parsed);
    } else {
        check_place(predicate, &error);
    }
    free(predicate);
    return 0;
}
