#include "native_unseen.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *copy_of(const char *text) {
    return hd_mem_string(text, strlen(text));
}

void hd_native_unseen_init(hd_native_unseen *unseen) {
    *unseen = (hd_native_unseen){.modules = 0};
    pthread_mutex_init(&unseen->lock, NULL);
}

static void release_names(hd_native_names *names) {
    for (size_t i = 0; i < names->length; i++)
        free(names->data[i]);
    hd_vec_release(names);
}

void hd_native_unseen_release(hd_native_unseen *unseen) {
    for (size_t i = 0; i < unseen->callees.length; i++) {
        free(unseen->callees.data[i].module);
        free(unseen->callees.data[i].name);
    }
    for (size_t i = 0; i < unseen->blind.length; i++) {
        hd_native_blind *blind = &unseen->blind.data[i];
        for (size_t k = 0; k < blind->functions.length; k++)
            free(blind->functions.data[k]);
        hd_vec_release(&blind->functions);
        free(blind->name);
    }
    hd_vec_release(&unseen->callees);
    hd_vec_release(&unseen->blind);
    release_names(&unseen->structures);
    release_names(&unseen->functions);
    release_names(&unseen->sizes);
    hd_vec_release(&unseen->notes);
    pthread_mutex_destroy(&unseen->lock);
}

/* --- functions that were called ------------------------------------------------------------- */

static hd_native_callee *callee_of(hd_native_unseen *unseen, const char *module, const char *name) {
    for (size_t i = 0; i < unseen->callees.length; i++) {
        hd_native_callee *it = &unseen->callees.data[i];
        if (strcmp(it->name, name) == 0 && strcmp(it->module, module) == 0)
            return it;
    }
    hd_vec_push(&unseen->callees, (hd_native_callee){copy_of(module), copy_of(name), 0, 0, false});
    return hd_vec_last(&unseen->callees);
}

void hd_native_unseen_add(hd_native_unseen *unseen, const heddle_wire *wire) {
    uint32_t count = wire->callees < HEDDLE_WIRE_CALLEES ? wire->callees : HEDDLE_WIRE_CALLEES;
    hd_mem_lock(&unseen->lock);
    unseen->more |= wire->callees > HEDDLE_WIRE_CALLEES || wire->modules_lost;
    unseen->notes_lost |= wire->notes_lost != 0;
    for (uint32_t i = 0; i < wire->notes && i < HEDDLE_WIRE_NOTES; i++)
        hd_vec_push(&unseen->notes, wire->note[i]);
    for (uint32_t i = 0; i < count; i++) {
        const heddle_wire_callee *from = &wire->callee[i];
        if (!from->calls || from->module >= wire->modules)
            continue;
        hd_native_callee *to =
            callee_of(unseen, name_of(wire->module[from->module].path), from->name);
        to->calls += from->calls;
        to->lost |= from->lost;
        if (from->known > to->known)
            to->known = from->known;
    }
    hd_mem_unlock(&unseen->lock);
}

static void join_names(hd_native_names *to, const hd_native_names *from) {
    for (size_t i = 0; i < from->length; i++)
        hd_vec_push(to, copy_of(from->data[i]));
}

void hd_native_unseen_join(hd_native_unseen *unseen, const hd_native_unseen *other) {
    unseen->more |= other->more;
    for (size_t i = 0; i < other->callees.length; i++) {
        const hd_native_callee *from = &other->callees.data[i];
        hd_native_callee *to = callee_of(unseen, from->module, from->name);
        to->calls += from->calls;
        to->lost |= from->lost;
        if (from->known > to->known)
            to->known = from->known;
    }
    for (size_t i = 0; i < other->blind.length; i++) {
        const hd_native_blind *from = &other->blind.data[i];
        hd_native_blind to = {.name = copy_of(from->name)};
        for (size_t k = 0; k < from->functions.length; k++)
            hd_vec_push(&to.functions, copy_of(from->functions.data[k]));
        hd_vec_push(&unseen->blind, to);
    }
    join_names(&unseen->structures, &other->structures);
    join_names(&unseen->functions, &other->functions);
    join_names(&unseen->sizes, &other->sizes);
}

/* --- what an answer rests on ---------------------------------------------------------------- */

/* The functions of a module that were called. */
typedef struct sum {
    uint64_t functions, calls;           /* with state */
    uint64_t unknown, caught, stateless; /* functions */
    uint64_t lost;                       /* functions that were given memory */
    const char *first;                   /* one of those */
} sum;

static sum sum_of(const hd_native_unseen *unseen, const char *module) {
    sum all = {0};
    for (size_t i = 0; i < unseen->callees.length; i++) {
        const hd_native_callee *it = &unseen->callees.data[i];
        if (strcmp(it->module, module) != 0)
            continue;
        if (it->lost && !all.lost++)
            all.first = it->name;
        if (it->known == HEDDLE_WIRE_STATELESS) {
            all.stateless++;
            if (!it->lost)
                continue;
        }
        all.functions++;
        all.calls += it->calls;
        all.unknown += it->known == HEDDLE_WIRE_UNKNOWN || it->known == HEDDLE_WIRE_CAUGHT;
    }
    return all;
}

/* Functions whose state is known, but not what they do to the memory that they were given. */
static hd_verdict_basis *rest_on_lost(const sum *all, const char *module, hd_verdict *verdict) {
    if (all->lost == 1)
        return hd_verdict_rests(verdict, "unseen-code", module, HD_VERDICT_SHAKY,
                                "%s of %s was given memory that others may use, and what it does "
                                "there is not known",
                                all->first, module);
    return hd_verdict_rests(verdict, "unseen-code", module, HD_VERDICT_SHAKY,
                            "%s and %llu other %s of %s were given memory that others may use, and "
                            "what they do there is not known",
                            all->first, (unsigned long long)all->lost - 1,
                            all->lost == 2 ? "function" : "functions", module);
}

static void rest_on_module(const hd_native_unseen *unseen, const char *module,
                           hd_verdict *verdict) {
    sum all = sum_of(unseen, module);
    if (!all.functions)
        return;
    hd_verdict_basis *basis =
        all.unknown ? hd_verdict_rests(
                          verdict, "unseen-code", module, HD_VERDICT_SHAKY,
                          "calls of %llu %s of %s were ordered as wholes; what they do inside, "
                          "and to memory that pointers lead to, was not looked at",
                          (unsigned long long)all.unknown,
                          all.unknown == 1 ? "function" : "functions", module)
        : all.lost
            ? rest_on_lost(&all, module, verdict)
            : hd_verdict_rests(verdict, "unseen-code", module, HD_VERDICT_FIRM,
                               "calls of %llu %s of %s were steps on the state that they are known "
                               "to have",
                               (unsigned long long)all.functions,
                               all.functions == 1 ? "function" : "functions", module);
    hd_verdict_figure(basis, "functions", all.functions);
    hd_verdict_figure(basis, "calls", all.calls);
    for (size_t i = 0; i < unseen->callees.length; i++) {
        const hd_native_callee *it = &unseen->callees.data[i];
        bool counts = all.unknown ? it->known >= HEDDLE_WIRE_UNKNOWN
                      : all.lost  ? it->lost
                                  : it->known != HEDDLE_WIRE_STATELESS;
        if (counts && strcmp(it->module, module) == 0)
            hd_verdict_name(basis, it->name);
    }
}

static void rest_on_blind(const hd_native_blind *blind, hd_verdict *verdict) {
    size_t count = blind->functions.length;
    hd_verdict_basis *basis =
        count ? hd_verdict_rests(verdict, "unseen-code", blind->name, HD_VERDICT_SHAKY,
                                 "%zu %s of %s %s linked in without instrumentation: what %s and "
                                 "when is not seen",
                                 count, count == 1 ? "function" : "functions", blind->name,
                                 count == 1 ? "is" : "are", count == 1 ? "it does" : "they do")
              : hd_verdict_rests(verdict, "unseen-code", blind->name, HD_VERDICT_SHAKY,
                                 "%s has no debug information: objects that were linked in without "
                                 "instrumentation would not be noticed",
                                 blind->name);
    hd_verdict_figure(basis, "functions", count);
    for (size_t i = 0; i < count; i++)
        hd_verdict_name(basis, blind->functions.data[i]);
}

static void name_all(hd_verdict_basis *basis, const hd_native_names *names, const char *figure) {
    hd_verdict_figure(basis, figure, names->length);
    for (size_t i = 0; i < names->length; i++)
        hd_verdict_name(basis, names->data[i]);
}

static void rest_on_values(const hd_native_unseen *unseen, hd_verdict *verdict) {
    size_t functions = unseen->structures.length, types = unseen->sizes.length;
    if (functions)
        name_all(hd_verdict_rests(verdict, "unseen-access", "structures", HD_VERDICT_SHAKY,
                                  "%zu function%s return%s or take%s structures by value: the "
                                  "compiler does not announce where a result is stored, nor from "
                                  "where an argument is read",
                                  functions, functions == 1 ? "" : "s", functions == 1 ? "s" : "",
                                  functions == 1 ? "s" : ""),
                 &unseen->structures, "functions");
    if (types)
        name_all(hd_verdict_rests(verdict, "unseen-access", "sizes", HD_VERDICT_SHAKY,
                                  "%zu type%s %s accessed in sizes other than 1, 2, 4, 8 and 16 "
                                  "bytes, which clang does not announce; gcc does",
                                  types, types == 1 ? "" : "s", types == 1 ? "is" : "are"),
                 &unseen->sizes, "types");
}

static void rest_on_functions(const hd_native_unseen *unseen, hd_verdict *verdict) {
    size_t count = unseen->functions.length;
    if (count)
        name_all(hd_verdict_rests(verdict, "unseen-access", "functions", HD_VERDICT_SHAKY,
                                  "%zu function%s with inline assembly, vector intrinsics, "
                                  "structures in '...' or variables of a function around, or "
                                  "without instrumentation (%s%s): what memory %s is not announced",
                                  count, count == 1 ? "" : "s", unseen->functions.data[0],
                                  count == 1 ? "" : ", ...", count == 1 ? "it uses" : "they use"),
                 &unseen->functions, "functions");
}

void hd_native_unseen_rests(const hd_native_unseen *unseen, hd_verdict *verdict) {
    for (size_t i = 0; i < unseen->callees.length; i++)
        rest_on_module(unseen, unseen->callees.data[i].module, verdict);
    for (size_t i = 0; i < unseen->blind.length; i++)
        rest_on_blind(&unseen->blind.data[i], verdict);
    rest_on_values(unseen, verdict);
    rest_on_functions(unseen, verdict);
    if (unseen->more)
        hd_verdict_rests(verdict, "unseen-code", NULL, HD_VERDICT_SHAKY,
                         "there are more than %d functions without instrumentation, and calls of "
                         "the others were not seen",
                         HEDDLE_WIRE_CALLEES);
}
