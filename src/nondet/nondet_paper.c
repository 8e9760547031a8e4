#include "nondet_paper.h"
hd_nondet_paper *hd_nondet_paper_create(const hd_order_space *space) {
    (void)space;
    return NULL;
}
void hd_nondet_paper_free(hd_nondet_paper *paper) {
    (void)paper;
}
bool hd_nondet_paper_decide(hd_nondet_paper *paper, uint32_t read, uint32_t variable,
                            hd_nondet_counts *counts, hd_nondet_result *result,
                            hd_nondet_push *push) {
    (void)paper; (void)read; (void)variable; (void)counts; (void)result; (void)push;
    return false;
}
