#include "engine_property.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "engine_explore.h"
#include "launch/launch.h"

static const struct {
    const char *name, *formula;
    uint32_t conventions;
    unsigned find;
    bool proved; /* a search that finds nothing excludes it */
} properties[HD_ENGINE_PROPERTIES] = {
    [HD_ENGINE_UNREACH_CALL] = {"unreach-call", "G ! call(reach_error())", HEDDLE_WIRE_SV_COMP,
                                HD_ENGINE_FIND_FAILURE, true},
    [HD_ENGINE_NO_DATA_RACE] = {"no-data-race", "G ! data-race",
                                HEDDLE_WIRE_SV_COMP | HEDDLE_WIRE_SV_PASSES, HD_ENGINE_FIND_RACE,
                                true},
    [HD_ENGINE_VALID_MEMSAFETY] = {"valid-memsafety", "G valid-free",
                                   HEDDLE_WIRE_SV_COMP | HEDDLE_WIRE_SV_PASSES |
                                       HEDDLE_WIRE_SV_MEMORY,
                                   HD_ENGINE_FIND_FAILURE, false},
    [HD_ENGINE_NO_OVERFLOW] = {"no-overflow", "G ! overflow",
                               HEDDLE_WIRE_SV_COMP | HEDDLE_WIRE_SV_PASSES |
                                   HEDDLE_WIRE_SV_OVERFLOW,
                               HD_ENGINE_FIND_FAILURE, false},
};

const char *hd_engine_property_name(enum hd_engine_property property) {
    return properties[property].name;
}

const char *hd_engine_property_specification(enum hd_engine_property property) {
    static const char *const texts[HD_ENGINE_PROPERTIES] = {
        [HD_ENGINE_UNREACH_CALL] = "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        [HD_ENGINE_NO_DATA_RACE] = "CHECK( init(main()), LTL(G ! data-race) )",
        [HD_ENGINE_VALID_MEMSAFETY] = "CHECK( init(main()), LTL(G valid-free) ) "
                                      "CHECK( init(main()), LTL(G valid-deref) ) "
                                      "CHECK( init(main()), LTL(G valid-memtrack) )",
        [HD_ENGINE_NO_OVERFLOW] = "CHECK( init(main()), LTL(G ! overflow) )"};
    return texts[property];
}

void hd_engine_property_hold(enum hd_engine_property property) {
    hd_launch_options_sv_comp(properties[property].conventions);
}

bool hd_engine_property_held(enum hd_engine_property *property) {
    uint32_t conventions = hd_launch_options_is_sv_comp();
    for (int i = 0; i < HD_ENGINE_PROPERTIES; i++)
        if (properties[i].conventions == conventions) {
            *property = (enum hd_engine_property)i;
            return true;
        }
    return false;
}

unsigned hd_engine_property_find(enum hd_engine_property property) {
    return properties[property].find;
}

/* ---- Reading ---- */

/* Property files say "CHECK( init(main()), LTL(G ! call(reach_error())) )"; valid-memsafety is
 * three of these, of which one is enough to know it by. */
static bool read_file(const char *path, enum hd_engine_property *property, hd_error *error) {
    enum { MOST = 1 << 16 };
    hd_vec_char text = {0};
    int wrong = hd_file_read(path, MOST, &text), found = 0;
    while (!wrong && found < HD_ENGINE_PROPERTIES && !strstr(text.data, properties[found].formula))
        found++;
    hd_vec_release(&text);
    if (wrong)
        return hd_error_set(error, "%s: cannot read: %s", hd_text_name(path), hd_file_error(wrong));
    if (found < HD_ENGINE_PROPERTIES) {
        *property = (enum hd_engine_property)found;
        return true;
    }
    return hd_error_set(error, "%s: heddle knows no property in it", hd_text_name(path));
}

bool hd_engine_property_read(const char *text, enum hd_engine_property usual,
                             enum hd_engine_property *property, hd_error *error) {
    static const char ending[] = ".prp";
    size_t length = strlen(text);
    *property = usual;
    if (!length)
        return true;
    if (length > strlen(ending) && strcmp(text + length - strlen(ending), ending) == 0)
        return read_file(text, property, error);
    for (int i = 0; i < HD_ENGINE_PROPERTIES; i++)
        if (strcmp(text, properties[i].name) == 0) {
            *property = (enum hd_engine_property)i;
            return true;
        }
    return hd_error_set(error,
                        "--sv-comp takes unreach-call, no-data-race, valid-memsafety, "
                        "no-overflow, or a file .prp, not '%s'",
                        hd_text_name(text));
}

/* ---- The word ---- */

static bool is_one_of(const char *rule, const char *const *names) {
    while (*names && strcmp(*names, rule) != 0)
        names++;
    return *names != NULL;
}

static bool names_signal(const char *message, int first, int second) {
    return message && (strstr(message, strsignal(first)) || strstr(message, strsignal(second)));
}

static const char *broken_memory(const char *rule, const char *message) {
    static const char *const derefs[] = {"use-after-free", "heap-overflow",     "heap-underflow",
                                         "dead-stack",     "dead-thread-local", NULL};
    static const char *const frees[] = {"double-free", "bad-free", NULL};
    if (is_one_of(rule, frees))
        return "valid-free";
    if (is_one_of(rule, derefs) ||
        (strcmp(rule, "signal") == 0 && names_signal(message, SIGSEGV, SIGBUS)))
        return "valid-deref";
    return NULL;
}

const char *hd_engine_property_broken(enum hd_engine_property property, const char *rule,
                                      const char *message) {
    switch (property) {
    case HD_ENGINE_UNREACH_CALL: /* other assertions do not fail then (rt_exit.c) */
        return strcmp(rule, "assertion") == 0 ? "unreach-call" : NULL;
    case HD_ENGINE_NO_DATA_RACE:
        return strcmp(rule, "race") == 0 ? "no-data-race" : NULL;
    case HD_ENGINE_VALID_MEMSAFETY:
        return broken_memory(rule, message);
    case HD_ENGINE_NO_OVERFLOW: /* the compiled check ends in one of these */
        return strcmp(rule, "signal") == 0 && names_signal(message, SIGTRAP, SIGILL) ? "no-overflow"
                                                                                     : NULL;
    default:
        return NULL;
    }
}

/* Inputs by __VERIFIER_nondet_... were some, by the command line or by default; or findings were
 * passed over. */
static bool is_restricted(const hd_verdict *verdict) {
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        if (strcmp(basis->code, "suppressions") == 0)
            return true;
        if (strcmp(basis->code, "inputs") == 0 && basis->what && strcmp(basis->what, "chosen") != 0)
            return true;
    }
    return false;
}

const char *hd_engine_property_word(enum hd_engine_property property, const char *part, bool asked,
                                    const hd_verdict *verdict) {
    static const char *const words[][2] = {{"unreach-call", "false(unreach-call)"},
                                           {"no-data-race", "false(no-data-race)"},
                                           {"valid-deref", "false(valid-deref)"},
                                           {"valid-free", "false(valid-free)"},
                                           {"no-overflow", "false(no-overflow)"}};
    for (size_t i = 0; part && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], part) == 0)
            return words[i][1];
    return asked && properties[property].proved && !verdict->found &&
                   hd_verdict_complete(verdict) && !hd_verdict_shaky(verdict) &&
                   !is_restricted(verdict)
               ? "true"
               : "unknown";
}
