/*
 * Which functions of SV-COMP a preprocessed text defines or uses.  Those that are sections by their
 * names, and the errors, need the compiler to announce that functions are entered.
 */
#include <ctype.h>
#include <string.h>

#include "launch_blind.h"
#include "launch_blind_tokens.h"

/* Blanks, and lines that say where the text comes from. */
static const char *skip_blanks(const char *at, const char *end) {
    for (;;) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (at == end || *at != '#')
            return at;
        while (at < end && *at != '\n')
            at++;
    }
}

/* After a name: is it followed by parameters, and these by a body?  What may be old declarations of
 * parameters, or an attribute, counts as that. */
static bool is_definition(const char *at, const char *end) {
    unsigned depth = 0;
    at = skip_blanks(at, end);
    if (at == end || *at != '(')
        return false;
    do {
        depth += *at == '(';
        depth -= *at == ')';
        at++;
    } while (depth && at < end);
    at = skip_blanks(at, end);
    return at < end && (*at == '{' || hd_launch_is_letter(*at));
}

static bool starts_with(const char *word, size_t length, const char *with) {
    return length >= strlen(with) && memcmp(word, with, strlen(with)) == 0;
}

static bool is_word(const char *word, size_t length, const char *other) {
    return length == strlen(other) && memcmp(word, other, length) == 0;
}

hd_launch_named hd_launch_named_in(const char *text, size_t length) {
    hd_launch_named named = {0};
    const char *end = text + length;
    if (!memmem(text, length, "__VERIFIER_", 11) && !memmem(text, length, "reach_error", 11))
        return named;
    for (const char *at = text; at < end;) {
        const char *word = at;
        while (at < end && hd_launch_is_letter(*at))
            at++;
        size_t size = (size_t)(at - word);
        bool section = starts_with(word, size, "__VERIFIER_atomic_") &&
                       !is_word(word, size, "__VERIFIER_atomic_begin") &&
                       !is_word(word, size, "__VERIFIER_atomic_end");
        named.inputs |= starts_with(word, size, "__VERIFIER_nondet_");
        if (section || is_word(word, size, "reach_error") ||
            is_word(word, size, "__VERIFIER_error"))
            named.defines |= is_definition(at, end);
        at += !size;
    }
    return named;
}
