#include "launch_blind.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch_assembly.h"
#include "launch_blind_tokens.h"
#include "launch_make.h"

static void append(hd_vec_char *to, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        hd_vec_push(to, from[i]);
}

/* --- assembly ------------------------------------------------------------------------------- */

static bool is_in_memory(const hd_launch_token *constraint) {
    for (size_t i = 0; i < constraint->length; i++)
        if (strchr("mogpXVQU<>", constraint->at[i]))
            return true;
    return false;
}

typedef struct assembly {
    hd_vec_char template;
    bool operands, in_memory;
} assembly;

/* From ( to the ) that closes it. */
static void read_assembly(hd_launch_lexer *r, assembly *it) {
    unsigned depth = 1, colons = 0;
    hd_launch_token now;
    while (depth && (now = hd_launch_token_next(r)).sort != HD_LAUNCH_END) {
        depth += hd_launch_token_is(&now, "(") && now.sort == HD_LAUNCH_SIGN;
        depth -= hd_launch_token_is(&now, ")") && now.sort == HD_LAUNCH_SIGN;
        colons += now.sort == HD_LAUNCH_SIGN && hd_launch_token_is(&now, ":") && depth == 1;
        if (now.sort != HD_LAUNCH_TEXT || depth != 1)
            continue;
        if (!colons)
            append(&it->template, now.at, now.length);
        else if (colons < 3)
            it->in_memory |= is_in_memory(&now);
    }
    it->operands = colons > 0;
}

/* asm("name") after a declarator names a symbol. */
static bool names_symbol(const hd_launch_lexer *r, const hd_launch_token *before,
                         const assembly *it) {
    if (it->operands)
        return false;
    if (!r->inside)
        return !(before->sort == HD_LAUNCH_END || HD_LAUNCH_IS_ANY(before, ";", "{", "}"));
    if (before->sort == HD_LAUNCH_WORD)
        return !HD_LAUNCH_IS_ANY(before, "else", "do");
    for (size_t i = 0; i < it->template.length; i++)
        if (!hd_launch_is_letter(it->template.data[i]))
            return false;
    return hd_launch_token_is(before, ")");
}

static void see_assembly(hd_launch_lexer *r) {
    hd_launch_token before = r->last, now = hd_launch_token_next(r);
    assembly it = {0};
    while (now.sort == HD_LAUNCH_WORD)
        now = hd_launch_token_next(r); /* volatile, goto, inline */
    if (hd_launch_token_is(&now, "(")) {
        read_assembly(r, &it);
        bool empty = it.template.length == 0;
        if (!empty && !names_symbol(r, &before, &it) &&
            (it.in_memory || !hd_launch_assembly_is_harmless(it.template.data, it.template.length)))
            hd_launch_blind_report(r, r->inside ? r->name : "");
    }
    hd_vec_release(&it.template);
}

/* --- declarations --------------------------------------------------------------------------- */

/* no_sanitize("thread") */
static bool is_of_threads(hd_launch_lexer *r) {
    hd_launch_token now = hd_launch_token_next(r);
    bool any = false;
    while (now.sort == HD_LAUNCH_TEXT || HD_LAUNCH_IS_ANY(&now, "(", ",")) {
        any |= now.sort == HD_LAUNCH_TEXT &&
               (memmem(now.at, now.length, "thread", 6) || hd_launch_token_is(&now, "all"));
        now = hd_launch_token_next(r);
    }
    return any;
}

static void see_word(hd_launch_lexer *r, const hd_launch_token *now) {
    if (HD_LAUNCH_IS_ANY(now, "asm", "__asm", "__asm__"))
        see_assembly(r);
    else if (HD_LAUNCH_IS_ANY(now, "no_sanitize_thread", "__no_sanitize_thread__",
                              "disable_sanitizer_instrumentation"))
        r->skipped = true;
    else if (HD_LAUNCH_IS_ANY(now, "no_sanitize", "__no_sanitize__"))
        r->skipped |= is_of_threads(r);
    else if (HD_LAUNCH_IS_ANY(now, "nodebug", "__nodebug__"))
        r->unlisted |= !r->inside;
    else
        hd_launch_blind_word(r, now);
}

static void end_declaration(hd_launch_lexer *r) {
    if (r->skipped && !r->inside)
        hd_launch_blind_report(r, r->named ? r->name : "");
    r->skipped = r->inside && r->skipped;
    r->named = r->inside && r->named;
    r->unlisted = r->inside && r->unlisted;
    r->wide = r->inside && r->wide;
    if (!r->inside)
        hd_vec_clear(&r->lists);
}

/* A block: of a function if what comes before may end the head of one. */
static void open_block(hd_launch_lexer *r) {
    bool body =
        r->named && !r->parens &&
        (hd_launch_token_is(&r->last, ")") || hd_launch_token_is(&r->last, "}") ||
         HD_LAUNCH_IS_ANY(&r->last, "const", "noexcept", "override", "final", "volatile", "try"));
    r->depth++;
    if (r->inside || !body)
        return;
    if (r->skipped || r->wide)
        hd_launch_blind_report(r, r->name);
    r->skipped = r->wide = r->told = false;
    r->inside = r->depth;
}

static void close_block(hd_launch_lexer *r) {
    if (r->inside == r->depth)
        r->inside = 0;
    r->depth -= r->depth > 0;
    if (r->inside)
        return;
    r->named = r->unlisted = r->wide = false;
    hd_vec_clear(&r->lists);
}

static void see_sign(hd_launch_lexer *r, const hd_launch_token *now) {
    if (hd_launch_token_is(now, "(")) {
        if (!r->inside && !r->parens && !r->named && r->last.sort == HD_LAUNCH_WORD &&
            !HD_LAUNCH_IS_ANY(&r->last, "__attribute__", "__attribute", "alignas", "decltype",
                              "__declspec", "_Alignas", "__typeof__", "typeof", "__extension__")) {
            hd_launch_token_name(r->name, r->last.at, r->last.length);
            r->named = true;
        }
        r->parens++;
    } else if (hd_launch_token_is(now, ")"))
        r->parens -= r->parens > 0;
    else if (hd_launch_token_is(now, "{"))
        open_block(r);
    else if (hd_launch_token_is(now, "}"))
        close_block(r);
    else if (hd_launch_token_is(now, ";") && !r->parens)
        end_declaration(r);
}

void hd_launch_blind_find(const char *text, size_t length, hd_vec_char *lines) {
    hd_launch_lexer r = {
        .at = text, .begin = text, .end = text + length, .line = 1, .lines = lines};
    hd_launch_token now;
    while ((now = hd_launch_token_next(&r)).sort != HD_LAUNCH_END) {
        if (now.sort == HD_LAUNCH_WORD)
            see_word(&r, &now);
        else if (now.sort == HD_LAUNCH_SIGN)
            see_sign(&r, &now);
        r.last = now;
    }
    hd_names_release(&r.hidden);
    hd_vec_release(&r.structures);
    hd_vec_release(&r.lists);
}

/* --- the preprocessor ----------------------------------------------------------------------- */

/* Options that would write other files; `with`: and their argument. */
static bool is_left_out(const char *word, bool *with) {
    *with = strcmp(word, "-o") == 0 || strcmp(word, "-MF") == 0 || strcmp(word, "-MT") == 0 ||
            strcmp(word, "-MQ") == 0;
    return *with || strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0 ||
           strncmp(word, "-o", 2) == 0 || strncmp(word, "-M", 2) == 0 ||
           strncmp(word, "-save-temps", 11) == 0;
}

static bool compiles(char *const *words) {
    bool any = false;
    for (int i = 1; words[i]; i++) {
        if (strcmp(words[i], "-E") == 0 || strcmp(words[i], "-M") == 0 ||
            strcmp(words[i], "-MM") == 0 || strcmp(words[i], "-") == 0)
            return false;
        any |= words[i][0] != '-' && hd_launch_is_source(words[i]);
    }
    return any;
}

/* All that it says; less if the clock is over, and then the compiler is not run either. */
static void preprocess(char **words, hd_vec_char *to) {
    int ends[2], nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    hd_error error = {""};
    if (nowhere >= 0 && pipe2(ends, O_CLOEXEC) == 0) {
        hd_child child = {.words = words, .input = -1, .output = ends[1], .error = nowhere};
        bool started = hd_child_start(&child, &error);
        close(ends[1]);
        hd_child_read(ends[0], to);
        if (started)
            hd_child_wait(&child);
    }
    if (nowhere >= 0)
        close(nowhere);
}

void hd_launch_blind_ask(char *const *words, hd_vec_char *lines, hd_launch_named *named) {
    HD_VEC(char *) asks = {0};
    hd_vec_char text = {0};
    if (!compiles(words))
        return;
    for (int i = 0; words[i]; i++) {
        bool with;
        if (i == 0 || !is_left_out(words[i], &with))
            hd_vec_push(&asks, words[i]);
        else if (with && words[i + 1])
            i++;
    }
    hd_vec_push(&asks, (char *)"-E");
    hd_vec_push(&asks, NULL);
    if (hd_clock_look() == HD_CLOCK_GOES)
        preprocess(asks.data, &text);
    hd_launch_blind_find(text.data ? text.data : "", text.length, lines);
    *named = hd_launch_named_in(text.data ? text.data : "", text.length);
    hd_vec_release(&text);
    hd_vec_release(&asks);
}
