/* What is in the store at one moment. */
#include <stdlib.h>
#include <string.h>

#include "store.h"

static void add(entry *e, void *context) {
    snapshot *s = context;
    s->entries++;
    if (strncmp(e->key, "account", 7) == 0)
        s->sum += atol(e->value);
}

snapshot snapshot_take(void) {
    snapshot s = {0, 0, 0};
    table_enter();
#if BUG == 9
    for (unsigned stripe = 0; stripe < STRIPES; stripe++) {
        table_lock(stripe); /* bug 9 */
        table_each_in(stripe, add, &s);
        table_unlock(stripe);
    }
    s.counted = s.entries;
#else
    table_lock_all();
    table_each(add, &s);
    s.counted = table_size();
    table_unlock_all();
#endif
    table_leave();
    return s;
}
