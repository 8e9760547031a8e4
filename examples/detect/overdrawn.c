/*
 * A predicate in C: more than two transfers are under way, and together they move
 * more than 70.
 */
#include <heddle/view.h>

static uint32_t transfer, amount;

void heddle_predicate_start(const heddle_view *view) {
    transfer = heddle_find(view, HEDDLE_CLASS_LABEL, "transfer");
    amount = heddle_find(view, HEDDLE_CLASS_LABEL, "amount");
}

int heddle_predicate(const heddle_view *view) {
    int under_way = 0;
    int64_t moved = 0;
    for (uint32_t t = 0; t < view->threads; t++)
        if (heddle_mark_of(view, t) == transfer) {
            under_way++;
            moved += heddle_note_of(view, t, amount, 0);
        }
    return under_way > 2 && moved > 70;
}
