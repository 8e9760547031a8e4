/*
 * What a schedule that ends badly looks like: patterns that are known by name (a test before a wait
 * that is not repeated, a lost wake-up, a lost update, a value that is old when it is used).  The
 * text says what happens in this schedule, then what helps.  Nothing is said where no pattern fits.
 */
#ifndef HD_REPORT_ADVICE_H
#define HD_REPORT_ADVICE_H

#include "trace/trace.h"

typedef struct hd_report_advice {
    hd_vec_char text;  /* empty: no pattern fits */
    hd_vec_u32 events; /* that it speaks of, in their order */
} hd_report_advice;

/* Of the events of a schedule.  Its last event is the last that the failing thread did, or if
 * `stuck`, threads wait for ever after it. */
void hd_report_advise(const hd_trace *trace, bool stuck, hd_report_advice *to);

void hd_report_advice_release(hd_report_advice *advice);

#endif
