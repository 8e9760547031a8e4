#ifndef HD_NONDET_PAPER_H
#define HD_NONDET_PAPER_H
#include "nondet_finding.h"
typedef struct hd_nondet_paper hd_nondet_paper;
hd_nondet_paper *hd_nondet_paper_create(const hd_order_space *space);
void hd_nondet_paper_free(hd_nondet_paper *paper);
bool hd_nondet_paper_decide(hd_nondet_paper *paper, uint32_t read, uint32_t variable,
                            hd_nondet_counts *counts, hd_nondet_result *result,
                            hd_nondet_push *push);
#endif
