#include "launch_blind_tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(hd_vec_char *to, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        hd_vec_push(to, from[i]);
}

bool hd_launch_token_is_any(const hd_launch_token *it, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (hd_launch_token_is(it, words[i]))
            return true;
    return false;
}

void hd_launch_token_name(char *to, const char *from, size_t length) {
    size_t kept = length < HD_LAUNCH_NAME - 1 ? length : HD_LAUNCH_NAME - 1;
    memcpy(to, from, kept);
    to[kept] = '\0';
}

void hd_launch_blind_report(hd_launch_lexer *r, const char *name) {
    const char *slash = strrchr(r->file, '/');
    char line[2 * HD_LAUNCH_NAME + 32];
    if (r->unlisted && name[0]) {
        hd_names_add(&r->hidden, name, strlen(name));
        return;
    }
    int length = snprintf(line, sizeof line, "%s %s:%u\n", name[0] ? name : "?",
                          slash ? slash + 1 : r->file, r->line);
    append(r->lines, line, (size_t)length);
}

/* A line of the preprocessor's: where the next one is from, or a pragma. */
static void read_directive(hd_launch_lexer *r) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t length = (size_t)((end ? end : r->end) - r->at);
    char line[512];
    char *rest;
    size_t kept = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, r->at, kept);
    line[kept] = '\0';
    unsigned long number = strtoul(line + 1, &rest, 10);
    char *quote = strchr(rest, '"'), *last = quote ? strchr(quote + 1, '"') : NULL;
    bool pragma = strstr(line, "pragma") && r->lines;
    if (pragma && strstr(line, "no_sanitize"))
        hd_launch_blind_report(r, "");
    else if (pragma && strstr(line, "clang loop") && strstr(line, "vectorize_width"))
        hd_launch_blind_report(r, r->inside ? r->name : ""); /* perhaps of more than 16 bytes */
    else if (number && last) {
        hd_launch_token_name(r->file, quote + 1, (size_t)(last - quote - 1));
        r->line = (unsigned)number - 1;
    }
    r->at += length;
}

static void skip_space(hd_launch_lexer *r) {
    bool first = r->at == r->begin || r->at[-1] == '\n';
    for (; r->at < r->end; r->at++) {
        if (*r->at == '\n')
            r->line++;
        else if (*r->at == '#' && first) {
            read_directive(r);
            r->at--;
            continue;
        } else if (!isspace((unsigned char)*r->at))
            return;
        first = *r->at == '\n' || (first && isspace((unsigned char)*r->at));
    }
}

static void read_quoted(hd_launch_lexer *r, hd_launch_token *it) {
    char quote = *r->at++;
    it->sort = quote == '"' ? HD_LAUNCH_TEXT : HD_LAUNCH_SIGN;
    it->at = r->at;
    while (r->at < r->end && *r->at != quote && *r->at != '\n')
        r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
    it->length = (size_t)(r->at - it->at);
    r->at += r->at < r->end;
}

/* R"x( ... )x", after the R. */
static void read_raw(hd_launch_lexer *r, hd_launch_token *it) {
    char end[24] = ")";
    size_t length = 1;
    it->sort = HD_LAUNCH_TEXT;
    for (r->at++; r->at < r->end && *r->at != '(' && length < sizeof end - 2; r->at++)
        end[length++] = *r->at;
    end[length++] = '"';
    it->at = r->at;
    const char *found = memmem(r->at, (size_t)(r->end - r->at), end, length);
    r->at = found ? found + length : r->end;
    it->length = (size_t)((found ? found : r->end) - it->at);
}

hd_launch_token hd_launch_token_next(hd_launch_lexer *r) {
    hd_launch_token it = {HD_LAUNCH_END, r->at, 0};
    skip_space(r);
    it.at = r->at;
    if (r->at == r->end)
        return it;
    if (*r->at == '"' || *r->at == '\'') {
        read_quoted(r, &it);
        return it;
    }
    it.sort = hd_launch_is_letter(*r->at) ? HD_LAUNCH_WORD : HD_LAUNCH_SIGN;
    bool number = isdigit((unsigned char)*r->at);
    do
        r->at++;
    while (it.sort == HD_LAUNCH_WORD && r->at < r->end &&
           (hd_launch_is_letter(*r->at) || (number && (*r->at == '\'' || *r->at == '.'))));
    it.length = (size_t)(r->at - it.at);
    if (it.sort == HD_LAUNCH_WORD && r->at < r->end && *r->at == '"') { /* a prefix of a text */
        if (it.at[it.length - 1] == 'R')
            read_raw(r, &it);
        else
            read_quoted(r, &it);
    }
    return it;
}
