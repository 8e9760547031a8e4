#include "finding.h"

#include <stdlib.h>
#include <string.h>

void hd_finding_init(hd_finding *finding, enum hd_finding_sort sort, const char *rule) {
    *finding = (hd_finding){.sort = sort, .rule = rule, .count = 1};
}

void hd_finding_release(hd_finding *finding) {
    free(finding->message);
    free(finding->location);
    free(finding->variable);
    hd_vec_release(&finding->events);
    hd_vec_release(&finding->schedule);
    if (finding->witness)
        hd_witness_release(finding->witness);
    free(finding->witness);
    *finding = (hd_finding){.sort = finding->sort, .rule = finding->rule};
}

/* ---- Fingerprints: FNV-1a over the rule and the sorted places ---- */

/* With its NUL, so that "a" "bc" and "ab" "c" differ. */
static uint64_t add_text(uint64_t hash, const char *text) {
    size_t length = strlen(text) + 1;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

uint64_t hd_finding_fingerprint(const char *rule, const char *const *places, size_t count) {
    uint64_t hash = add_text(UINT64_C(0xcbf29ce484222325), rule);
    const char **sorted = HD_NEW_ARRAY(const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        sorted[i] = places[i];
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0)
            hash = add_text(hash, sorted[i]);
    free(sorted);
    return hash;
}

/* ---- The list ---- */

void hd_finding_list_init(hd_finding_list *list, size_t enough) {
    *list = (hd_finding_list){.enough = enough};
}

void hd_finding_list_release(hd_finding_list *list) {
    for (size_t i = 0; i < list->found.length; i++)
        hd_finding_release(&list->found.data[i]);
    hd_vec_release(&list->found);
    hd_map_release(&list->by_fingerprint);
}

hd_finding *hd_finding_list_find(hd_finding_list *list, uint64_t fingerprint) {
    const uint32_t *place = hd_map_find(&list->by_fingerprint, fingerprint);
    return place ? &list->found.data[*place] : NULL;
}

int hd_finding_list_add(void *context, hd_finding *finding) {
    hd_finding_list *list = context;
    hd_finding *known = hd_finding_list_find(list, finding->fingerprint);
    if (known) {
        known->count += finding->count;
        return 0;
    }
    bool added;
    *hd_map_at(&list->by_fingerprint, finding->fingerprint, &added) = (uint32_t)list->found.length;
    hd_vec_push(&list->found, *finding);
    *finding = (hd_finding){.sort = finding->sort, .rule = finding->rule};
    return list->enough && list->found.length >= list->enough;
}
