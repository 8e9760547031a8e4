# A predicate in C, and what is wrong with others.
cp $ROOT/examples/detect/bank.std .
heddle detect --explain --predicate $ROOT/examples/detect/overdrawn.c bank.std
echo "status $?"
cat >every.c <<'END'
#include <heddle/view.h>
static uint32_t lock, label, amount;
void heddle_predicate_start(const heddle_view *view) {
    lock = heddle_find(view, HEDDLE_CLASS_LOCK, "a");
    label = heddle_find(view, HEDDLE_CLASS_LABEL, "no such label");
    amount = heddle_find(view, HEDDLE_CLASS_LABEL, "amount");
}
int heddle_predicate(const heddle_view *view) {
    int64_t value = 7;
    if (label != HEDDLE_NONE || view->version != HEDDLE_VIEW_VERSION || view->threads != 5)
        return 1;
    if (heddle_note_of(view, 1, HEDDLE_NONE, 5) != 5 || view->written(view, 1, 0, &value))
        return 1;
    return view->held(view, 2, lock) == 2 && heddle_note_of(view, 1, amount, 0) == 20 &&
           heddle_last(view, 2)->kind == HEDDLE_ACQUIRE && view->numbers[1][0] == 5 &&
           view->lengths[1] == 5 && heddle_last(view, 4) == NULL;
}
END
heddle detect --count --predicate every.c bank.std
heddle detect --count bank.std 'held(T2, a) && T1.amount == 20 && pos(T4) == 0'
echo 'int f(' >bad.c
heddle detect --predicate bad.c bank.std 2>&1 | tail -1
echo 'int f;' >none.c
heddle detect --predicate none.c bank.std
heddle detect --predicate missing.c bank.std
heddle detect --predicate every.c bank.std race
CC=no-such-compiler heddle detect --predicate every.c bank.std
HEDDLE_INCLUDE=. heddle detect --predicate every.c bank.std
heddle detect --online --predicate every.c bank.std
echo "status $?"
