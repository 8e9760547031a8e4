#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

entry *entry_make(const char *key, unsigned long hash) {
    entry *e = calloc(1, sizeof *e);
    if (!e)
        abort();
    snprintf(e->key, sizeof e->key, "%s", key);
    e->hash = hash;
    return e;
}

void entry_set(entry *e, const char *value) {
    size_t size = strlen(value);
    if (size >= sizeof e->value)
        size = sizeof e->value - 1;
    memcpy(e->value, value, size); /* bug 5 */
    e->value[size] = '\0';         /* bug 5 */
}
