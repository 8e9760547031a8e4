#include "engine_slice.h"

#include <stdio.h>

#include "engine_verdict.h"

static void judge(hd_engine_slice *s) {
    hd_verdict_init(&s->verdict, "the slice of the trace for the predicate");
    hd_engine_verdict_recording(&s->verdict, s->trace);
    if (s->slicing.complete)
        return;
    if (hd_clock_look() == HD_CLOCK_LATE)
        hd_verdict_not(&s->verdict, "limit", "stopped by the limit on time; nothing is written");
    else
        hd_verdict_not(&s->verdict, "interrupted", "interrupted; nothing is written");
}

/* What the trace says of its run: answers about the slice rest on that, too. */
static void keep_end(hd_engine_slice *s) {
    hd_trace_end *end = &s->slicing.trace.end;
    hd_trace_end_release(end);
    hd_trace_end_copy(end, &s->trace->end);
    if (!s->trace->guessed)
        return;
    char doubt[128];
    int length = snprintf(doubt, sizeof doubt,
                          "guessed-order:trace threads ran freely: the order of %s was guessed",
                          hd_text_count(s->trace->guessed, "access", "accesses"));
    hd_trace_end_doubt(end, doubt, (size_t)length);
}

bool hd_engine_slice_run(hd_engine_slice *s, hd_error *error) {
    if (!hd_predicate_init(&s->predicate, s->text, &s->wrong))
        return hd_error_set(error, "%s", s->wrong.error.text);
    if (s->trace->incomplete) /* the loset would not say so */
        return hd_error_set(error, "the trace is incomplete; no slice is made of it");
    hd_stop_listen();
    hd_order_init(&s->order, s->trace);
    s->ordered = true;
    if (!hd_predicate_instance_init(&s->instance, &s->order, &s->predicate, HD_ORDER_POSET,
                                    s->memory, &s->wrong))
        return hd_error_set(error, "%s", s->wrong.error.text);
    s->placed = true;
    s->slicing.memory = s->memory;
    s->slicing.control = (hd_predicate_control){.stop = &hd_stop_number};
    if (!hd_predicate_slicing_run(&s->slicing, &s->instance, error))
        return false;
    keep_end(s);
    judge(s);
    return true;
}

void hd_engine_slice_release(hd_engine_slice *s) {
    hd_predicate_slicing_release(&s->slicing);
    if (s->placed)
        hd_predicate_instance_release(&s->instance);
    if (s->ordered)
        hd_order_release(&s->order);
    hd_predicate_release(&s->predicate);
    hd_verdict_release(&s->verdict);
}
