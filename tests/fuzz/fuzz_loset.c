/*
 * The reader of losets on any bytes: no crash, an error that explains itself; what it accepts can
 * be written and read again as the same, and its states, if there are few, can be counted.
 */
#include "cut/cut.h"
#include "fuzz_common.h"

enum { MOST_EVENTS = 24, MOST_THREADS = 6 };

static void count_states(const hd_trace *trace, enum hd_cut_class class, char *digits,
                         size_t size) {
    hd_error error = {""};
    hd_order order;
    hd_cut_answer answer;
    hd_cut_request request = {
        .model = HD_ORDER_LOSET, .class = class, .workers = 1, .memory = (size_t)16 << 20};
    hd_order_init(&order, trace);
    if (!hd_cut_states(&order, &request, &answer, &error))
        fuzz_fail("%s", error.text);
    char *text = hd_cut_count_text(&answer.states);
    snprintf(digits, size, "%s", text);
    free(text);
    hd_cut_answer_release(&answer);
    hd_order_release(&order);
}

static void compare(const hd_trace *a, const hd_trace *b, enum hd_cut_class class) {
    char first[64], second[64];
    count_states(a, class, first, sizeof first);
    count_states(b, class, second, sizeof second);
    if (strcmp(first, second) != 0)
        fuzz_fail("%s states became %s", first, second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hd_error error = {""};
    hd_trace trace, again;
    if (!hd_trace_loset_read(&trace, (const char *)data, size, "fuzz.loset", &error)) {
        fuzz_explained(&error);
        return 0;
    }
    const char *path = fuzz_path("written.loset");
    if (hd_trace_loset_save(&trace, NULL, path, &error)) {
        if (!hd_trace_load(&again, path, HD_TRACE_LOSETS, &error))
            fuzz_fail("cannot load what was saved: %s", error.text);
        if (again.events.length != trace.events.length ||
            again.loset->edges.length != trace.loset->edges.length)
            fuzz_fail("%zu events became %zu", trace.events.length, again.events.length);
        if (trace.events.length <= MOST_EVENTS &&
            trace.tables.names[HEDDLE_CLASS_THREAD].length <= MOST_THREADS) {
            compare(&trace, &again, HD_CUT_CONSISTENT);
            compare(&trace, &again, HD_CUT_REACHABLE);
        }
        hd_trace_release(&again);
    } else {
        fuzz_explained(&error);
    }
    hd_trace_release(&trace);
    return 0;
}
