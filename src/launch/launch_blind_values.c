/*
 * Accesses that compilers do not announce in functions that they instrument, as far as the text
 * shows them: intrinsics of the processor that use memory and are not plain loads and stores,
 * structures that come out of an argument list of `...`, which the caller has read, and the list
 * itself, unless it is a variable of the function.
 */
#include <string.h>

#include "launch_blind_tokens.h"

static bool starts(const hd_launch_token *it, const char *with) {
    return it->length && *it->at == *with && it->length >= strlen(with) &&
           memcmp(it->at, with, strlen(with)) == 0;
}

static bool contains(const hd_launch_token *it, const char *part) {
    return memmem(it->at, it->length, part, strlen(part)) != NULL;
}

static bool contains_any(const hd_launch_token *it, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (contains(it, parts[i]))
            return true;
    return false;
}

/* Of x86_64: gathers, masked accesses, stores past the caches, operands that are in memory, and
 * what stores a second result, which clang announces.  (The broadcasts between these are of a
 * register.) */
static bool is_of_x86(const hd_launch_lexer *r, const hd_launch_token *it) {
    static const char *const parts[] = {
        "gather", "scatter", "load",     "store",     "maskmov",       "movnt",  "lddqu",
        "xsave",  "xrstor",  "mem_mask", "movdir64b", "enqcmd",        "clzero", "128kl",
        "256kl",  "4fmadd",  "4fnmadd",  "vp4dpwssd", "vbroadcastf128"};
    static const char *const results[] = {"rdrand",    "rdseed", "rdtscp",     "addcarry",
                                          "subborrow", "sbb_",   "2intersect", "encodekey"};
    return starts(it, "__builtin_ia32_") &&
           (contains_any(it, parts, sizeof parts / sizeof *parts) ||
            (!r->unlisted && contains_any(it, results, sizeof results / sizeof *results)) ||
            HD_LAUNCH_IS_ANY(it, "__builtin_ia32_vbroadcastss", "__builtin_ia32_vbroadcastss256",
                             "__builtin_ia32_vbroadcastsd256"));
}

/* A vector of more than 16 bytes, by the names that clang's headers have: __m256d, __v8si. */
static bool is_wide(const hd_launch_token *it) {
    static const char kinds[] = "qhsd"; /* of 1, 2, 4 and 8 bytes */
    enum { WIDEST = 16 };
    if (starts(it, "__m256") || starts(it, "__m512"))
        return true;
    if (!starts(it, "__v"))
        return false;
    unsigned count = 0;
    size_t at = strlen("__v");
    for (; at < it->length && it->at[at] >= '0' && it->at[at] <= '9' && count < WIDEST * 4; at++)
        count = count * 10 + (unsigned)(it->at[at] - '0');
    const char *kind = at < it->length ? strchr(kinds, it->at[at]) : NULL;
    return kind && *kind && count << (kind - kinds) > WIDEST;
}

/* __m256i const *, or __m256i_u, which is only used of memory: clang does not announce it, and the
 * debugging information does not have the type. */
static void see_wide(hd_launch_lexer *r, const hd_launch_token *now) {
    hd_launch_lexer ahead = *r;
    hd_launch_token next;
    ahead.lines = NULL;
    do
        next = hd_launch_token_next(&ahead);
    while (HD_LAUNCH_IS_ANY(&next, "const", "volatile"));
    if (memcmp(now->at + now->length - 2, "_u", 2) != 0 && !hd_launch_token_is(&next, "*"))
        return;
    if (r->inside)
        hd_launch_blind_report(r, r->name);
    r->wide = !r->inside;
}

/* A function whose own lines are not in the debugging information. */
static bool is_hidden(const hd_launch_lexer *r, const hd_launch_token *it) {
    return r->hidden.length && hd_names_find(&r->hidden, it->at, it->length) != HD_NAMES_NONE;
}

/* Of aarch64, as gcc and as clang have them; loads and stores of one vector are plain ones. */
static bool is_of_aarch64(const hd_launch_token *it) {
    static const char *const clangs[] = {"vld2", "vld3", "vld4", "vst2", "vst3",
                                         "vst4", "_x2",  "_x3",  "_x4"};
    if (starts(it, "__builtin_aarch64_ld") || starts(it, "__builtin_aarch64_st"))
        return !starts(it, "__builtin_aarch64_ld1v") && !starts(it, "__builtin_aarch64_st1v");
    if (starts(it, "__builtin_neon_v"))
        return contains_any(it, clangs, sizeof clangs / sizeof *clangs);
    return starts(it, "__builtin_sve_svld") || starts(it, "__builtin_sve_svst");
}

/* gcc has no text for these: they are there once arm_sve.h is included. */
static bool is_of_sve(const hd_launch_token *it) {
    static const char *const names[] = {"svld1",   "svld2", "svld3", "svld4", "svldff1", "svldnf1",
                                        "svldnt1", "svst1", "svst2", "svst3", "svst4",   "svstnt1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hd_launch_token_is(it, names[i]) ||
            (starts(it, names[i]) && it->at[strlen(names[i])] == '_'))
            return true;
    return false;
}

/* --- structures in ... ----------------------------------------------------------------------- */

static bool is_structure(const hd_launch_lexer *r, const hd_launch_token *name) {
    for (size_t i = 0; i < r->structures.length; i++)
        if (r->structures.data[i].length == name->length &&
            memcmp(r->structures.data[i].at, name->at, name->length) == 0)
            return true;
    return false;
}

/* typedef struct ... NAME; looked at without taking it. */
static void note_typedef(hd_launch_lexer *r) {
    hd_launch_lexer ahead = *r;
    hd_launch_token now, last = {0};
    unsigned depth = 0;
    bool structure = false, pointer = false;
    ahead.lines = NULL;
    for (unsigned i = 0; (now = hd_launch_token_next(&ahead)).sort != HD_LAUNCH_END; i++) {
        if (now.sort == HD_LAUNCH_SIGN && HD_LAUNCH_IS_ANY(&now, "{", "("))
            depth++;
        if (now.sort == HD_LAUNCH_SIGN && HD_LAUNCH_IS_ANY(&now, "}", ")"))
            depth -= depth > 0;
        if (depth)
            continue;
        if (hd_launch_token_is(&now, ";"))
            break;
        structure |= HD_LAUNCH_IS_ANY(&now, "struct", "union") || (!i && is_structure(r, &now));
        pointer |= HD_LAUNCH_IS_ANY(&now, "*", "[", ",");
        if (now.sort == HD_LAUNCH_WORD)
            last = now;
    }
    if (structure && !pointer && last.length)
        hd_vec_push(&r->structures, last);
}

/* The name of a structure is a type in C++. */
static void note_structure(hd_launch_lexer *r) {
    hd_launch_lexer ahead = *r;
    ahead.lines = NULL;
    hd_launch_token name = hd_launch_token_next(&ahead), after = hd_launch_token_next(&ahead);
    if (name.sort == HD_LAUNCH_WORD && after.sort == HD_LAUNCH_SIGN &&
        HD_LAUNCH_IS_ANY(&after, "{", ":"))
        hd_vec_push(&r->structures, name);
}

/* __builtin_va_arg(list, type) */
static void see_argument(hd_launch_lexer *r) {
    hd_launch_lexer ahead = *r;
    hd_launch_token now;
    unsigned depth = 0;
    bool type = false, structure = false, pointer = false;
    ahead.lines = NULL;
    while ((now = hd_launch_token_next(&ahead)).sort != HD_LAUNCH_END) {
        if (now.sort == HD_LAUNCH_SIGN && hd_launch_token_is(&now, "("))
            depth++;
        if (now.sort == HD_LAUNCH_SIGN && hd_launch_token_is(&now, ")") && --depth == 0)
            break;
        if (depth == 1 && now.sort == HD_LAUNCH_SIGN && hd_launch_token_is(&now, ",")) {
            type = true;
            structure = pointer = false;
        } else if (type) {
            structure |= HD_LAUNCH_IS_ANY(&now, "struct", "union", "class") ||
                         (now.sort == HD_LAUNCH_WORD && is_structure(r, &now));
            pointer |= now.sort == HD_LAUNCH_SIGN && HD_LAUNCH_IS_ANY(&now, "*", "[");
        }
    }
    if (structure && !pointer)
        hd_launch_blind_report(r, r->inside ? r->name : "");
}

/* --- the list of ... -------------------------------------------------------------------------- */

/* va_list a, b; in a function, or a parameter. */
static void note_lists(hd_launch_lexer *r) {
    hd_launch_lexer ahead = *r;
    hd_launch_token now;
    unsigned depth = 0;
    bool first = true; /* of a declarator */
    ahead.lines = NULL;
    if (HD_LAUNCH_IS_ANY(&r->last, "static", "extern", "thread_local", "_Thread_local", "__thread"))
        return;
    while ((now = hd_launch_token_next(&ahead)).sort != HD_LAUNCH_END) {
        if (now.sort == HD_LAUNCH_SIGN && HD_LAUNCH_IS_ANY(&now, "(", "{", "["))
            depth++;
        if (now.sort == HD_LAUNCH_SIGN && HD_LAUNCH_IS_ANY(&now, ")", "}", "]") && !depth--)
            return;
        if (depth)
            continue;
        if (hd_launch_token_is(&now, ";"))
            return;
        if (first && now.sort == HD_LAUNCH_WORD)
            hd_vec_push(&r->lists, now);
        first = now.sort == HD_LAUNCH_SIGN && hd_launch_token_is(&now, ",");
    }
}

static bool is_own_list(const hd_launch_lexer *r, const hd_launch_token *name,
                        const hd_launch_token *after) {
    if (name->sort != HD_LAUNCH_WORD || !HD_LAUNCH_IS_ANY(after, ",", ")"))
        return false;
    for (size_t i = 0; i < r->lists.length; i++)
        if (r->lists.data[i].length == name->length &&
            memcmp(r->lists.data[i].at, name->at, name->length) == 0)
            return true;
    return false;
}

/* __builtin_va_start(list, ...) and __builtin_va_copy(list, list) */
static void see_list(hd_launch_lexer *r, unsigned lists) {
    hd_launch_lexer ahead = *r;
    bool own = true;
    ahead.lines = NULL;
    hd_launch_token_next(&ahead); /* ( */
    for (; own && lists; lists--) {
        hd_launch_token name = hd_launch_token_next(&ahead), after = hd_launch_token_next(&ahead);
        own = is_own_list(r, &name, &after);
    }
    if (!own)
        hd_launch_blind_report(r, r->name);
}

void hd_launch_blind_word(hd_launch_lexer *r, const hd_launch_token *now) {
    if (hd_launch_token_is(now, "typedef"))
        note_typedef(r);
    else if (HD_LAUNCH_IS_ANY(now, "struct", "union", "class"))
        note_structure(r);
    else if (r->inside && hd_launch_token_is(now, "__builtin_va_arg"))
        see_argument(r);
    else if ((r->inside || r->parens) &&
             HD_LAUNCH_IS_ANY(now, "va_list", "__builtin_va_list", "__gnuc_va_list"))
        note_lists(r);
    else if (r->inside && HD_LAUNCH_IS_ANY(now, "__builtin_va_start", "__builtin_c23_va_start"))
        see_list(r, 1);
    else if (r->inside && hd_launch_token_is(now, "__builtin_va_copy"))
        see_list(r, 2);
    else if (r->inside && HD_LAUNCH_IS_ANY(now, "__builtin_setjmp", "__builtin_longjmp"))
        hd_launch_blind_report(r, r->name); /* the buffer */
    else if (r->inside && (is_of_x86(r, now) || is_of_aarch64(now) || is_of_sve(now)))
        hd_launch_blind_report(r, r->name);
    else if (r->unlisted && is_wide(now))
        see_wide(r, now);
    else if (r->inside && !r->told && is_hidden(r, now)) {
        hd_launch_blind_report(r, r->name);
        r->told = true;
    }
}
