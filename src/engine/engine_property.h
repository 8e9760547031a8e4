/*
 * The properties of the Competition on Software Verification, and its word for a verdict.
 *
 *     hd_engine_property_read("unreach-call", HD_ENGINE_UNREACH_CALL, &property, &error);
 *     hd_engine_property_hold(property);           before a program is compiled or started
 *     part = hd_engine_property_broken(property, finding.rule, finding.message);
 *     hd_engine_property_word(part, asked, &verdict)   "true", "false(unreach-call)", "unknown"
 *
 * "true" is a proof: the search was complete, nothing that it rests on is shaky, and the inputs of
 * the program were not restricted, whoever restricted them.  Some properties are never "true":
 * heddle finds violations of them, but not all kinds.
 */
#ifndef HD_ENGINE_PROPERTY_H
#define HD_ENGINE_PROPERTY_H

#include "verdict/verdict.h"

enum hd_engine_property {
    HD_ENGINE_UNREACH_CALL,    /* reach_error is not called */
    HD_ENGINE_NO_DATA_RACE,    /* as it says */
    HD_ENGINE_VALID_MEMSAFETY, /* pointers that are used or freed are valid, nothing leaks */
    HD_ENGINE_NO_OVERFLOW,     /* of signed numbers */
    HD_ENGINE_PROPERTIES
};

/* "unreach-call", or a file with the ending .prp that has it; "" is `usual`. */
bool hd_engine_property_read(const char *text, enum hd_engine_property usual,
                             enum hd_engine_property *property, hd_error *error);
const char *hd_engine_property_name(enum hd_engine_property property);

/* The whole text of its file. */
const char *hd_engine_property_specification(enum hd_engine_property property);

/* Programs that are compiled or started from now on follow the conventions of SV-COMP, and are
 * asked for this property. */
void hd_engine_property_hold(enum hd_engine_property property);

/* Was that called, and for which? */
bool hd_engine_property_held(enum hd_engine_property *property);

/* What the question explore looks for then: HD_ENGINE_FIND_... */
unsigned hd_engine_property_find(enum hd_engine_property property);

/* The part of the property that a finding violates, a constant: "valid-deref"; NULL: none. */
const char *hd_engine_property_broken(enum hd_engine_property property, const char *rule,
                                      const char *message);

/* The word, a constant.  `part` is what was violated, NULL: nothing; `asked`: the verdict is about
 * this property. */
const char *hd_engine_property_word(enum hd_engine_property property, const char *part, bool asked,
                                    const hd_verdict *verdict);

#endif
