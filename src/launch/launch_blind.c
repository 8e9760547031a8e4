#include "launch_blind.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch_make.h"

static void append(hd_vec_char *to, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        hd_vec_push(to, from[i]);
}

/* --- tokens --------------------------------------------------------------------------------- */

enum sort { END, WORD, TEXT, SIGN }; /* TEXT: a string, without its quotes */

typedef struct token {
    enum sort sort;
    const char *at;
    size_t length;
} token;

enum { NAME = 128, DEPTH = 256 };

typedef struct reader {
    const char *at, *begin, *end;
    char file[NAME];
    unsigned line;
    token last; /* the token before the present one */
    hd_vec_char *lines;
    /* The scopes around; function bodies and what is in them are `inside`. */
    unsigned depth, inside;
    char name[NAME];     /* of the function, or what may become one */
    bool named, skipped; /* since the last declaration; it is kept from instrumentation */
    unsigned parens;
} reader;

static bool is(const token *it, const char *text) {
    return it->length == strlen(text) && memcmp(it->at, text, it->length) == 0;
}

static bool is_any(const token *it, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is(it, words[i]))
            return true;
    return false;
}

#define IS_ANY(it, ...)                                                                            \
    is_any(it, (const char *const[]){__VA_ARGS__},                                                 \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void copy_name(char *to, const char *from, size_t length) {
    size_t kept = length < NAME - 1 ? length : NAME - 1;
    memcpy(to, from, kept);
    to[kept] = '\0';
}

static void report(reader *r, const char *name) {
    const char *slash = strrchr(r->file, '/');
    char line[2 * NAME + 32];
    int length = snprintf(line, sizeof line, "%s %s:%u\n", name[0] ? name : "?",
                          slash ? slash + 1 : r->file, r->line);
    append(r->lines, line, (size_t)length);
}

/* A line of the preprocessor's: where the next one is from, or a pragma. */
static void read_directive(reader *r) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t length = (size_t)((end ? end : r->end) - r->at);
    char line[512];
    char *rest;
    size_t kept = length < sizeof line ? length : sizeof line - 1;
    memcpy(line, r->at, kept);
    line[kept] = '\0';
    unsigned long number = strtoul(line + 1, &rest, 10);
    char *quote = strchr(rest, '"'), *last = quote ? strchr(quote + 1, '"') : NULL;
    if (strstr(line, "pragma") && strstr(line, "no_sanitize"))
        report(r, "");
    else if (number && last) {
        copy_name(r->file, quote + 1, (size_t)(last - quote - 1));
        r->line = (unsigned)number - 1;
    }
    r->at += length;
}

static void skip_space(reader *r) {
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

static void read_quoted(reader *r, token *it) {
    char quote = *r->at++;
    it->sort = quote == '"' ? TEXT : SIGN;
    it->at = r->at;
    while (r->at < r->end && *r->at != quote && *r->at != '\n')
        r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
    it->length = (size_t)(r->at - it->at);
    r->at += r->at < r->end;
}

/* R"x( ... )x", after the R. */
static void read_raw(reader *r, token *it) {
    char end[24] = ")";
    size_t length = 1;
    it->sort = TEXT;
    for (r->at++; r->at < r->end && *r->at != '(' && length < sizeof end - 2; r->at++)
        end[length++] = *r->at;
    end[length++] = '"';
    it->at = r->at;
    const char *found = memmem(r->at, (size_t)(r->end - r->at), end, length);
    r->at = found ? found + length : r->end;
    it->length = (size_t)((found ? found : r->end) - it->at);
}

static bool is_letter(char character) {
    return isalnum((unsigned char)character) || character == '_' || character == '$';
}

static token next(reader *r) {
    token it = {END, r->at, 0};
    skip_space(r);
    it.at = r->at;
    if (r->at == r->end)
        return it;
    if (*r->at == '"' || *r->at == '\'') {
        read_quoted(r, &it);
        return it;
    }
    it.sort = is_letter(*r->at) ? WORD : SIGN;
    bool number = isdigit((unsigned char)*r->at);
    do
        r->at++;
    while (it.sort == WORD && r->at < r->end &&
           (is_letter(*r->at) || (number && (*r->at == '\'' || *r->at == '.'))));
    it.length = (size_t)(r->at - it.at);
    if (it.sort == WORD && r->at < r->end && *r->at == '"') { /* a prefix of a text */
        if (it.at[it.length - 1] == 'R')
            read_raw(r, &it);
        else
            read_quoted(r, &it);
    }
    return it;
}

/* --- assembly ------------------------------------------------------------------------------- */

/* What uses memory that no operand tells of, leaves the function, or reads a clock or a random
 * number. */
static bool is_suspect(const char *mnemonic, size_t length) {
    static const char *const prefixes[] = {
        "call",   "bl",     "svc",   "sys",    "int",   "push", "pop",   "movs",
        "stos",   "lods",   "cmps",  "scas",   "xlat",  "ret",  "jmp",   "br",
        "ld",     "st",     "swp",   "cas",    "rdtsc", "mrs",  "leave", "enter",
        "rdrand", "rdseed", "xsave", "fxsave", "dc",    "ins",  "outs"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t size = strlen(prefixes[i]);
        if (length >= size && memcmp(mnemonic, prefixes[i], size) == 0)
            return true;
    }
    return false;
}

static bool is_fence(const char *mnemonic, size_t length) {
    static const char *const names[] = {"nop", "pause",  "yield",  "isb",    "dmb", "dsb", "hint",
                                        "rep", "mfence", "lfence", "sfence", "wfe", "sev"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(mnemonic, names[i], length) == 0)
            return true;
    return false;
}

/* One instruction, a label or a directive. */
static bool is_harmless_line(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at))
        at++;
    const char *first = at;
    while (at < end && is_letter(*at))
        at++;
    size_t length = (size_t)(at - first);
    if (first == end || *first == '.' || *first == '#' || *first == '/' ||
        (at < end && *at == ':') || is_fence(first, length))
        return true;
    if (!length || is_suspect(first, length))
        return false;
    for (bool begins = true; at < end; at++) {
        if (*at == '[' || *at == '(')
            return false;
        if (isspace((unsigned char)*at) || *at == ',') {
            begins = true;
            continue;
        }
        if (begins && !strchr("%$#-0123456789", *at))
            return false; /* a variable, perhaps */
        begins = false;
    }
    return true;
}

/* Lines end at ; and \n, which is two characters here. */
static bool is_harmless(const char *text, size_t length) {
    const char *at = text, *end = text + length, *first = at;
    for (; at < end; at++) {
        bool breaks = *at == '\\' && end - at > 1;
        if (*at != ';' && !breaks)
            continue;
        if (!is_harmless_line(first, at))
            return false;
        at += breaks;
        first = at + 1;
    }
    return is_harmless_line(first, end);
}

static bool is_in_memory(const token *constraint) {
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
static void read_assembly(reader *r, assembly *it) {
    unsigned depth = 1, colons = 0;
    token now;
    while (depth && (now = next(r)).sort != END) {
        depth += is(&now, "(") && now.sort == SIGN;
        depth -= is(&now, ")") && now.sort == SIGN;
        colons += now.sort == SIGN && is(&now, ":") && depth == 1;
        if (now.sort != TEXT || depth != 1)
            continue;
        if (!colons)
            append(&it->template, now.at, now.length);
        else if (colons < 3)
            it->in_memory |= is_in_memory(&now);
    }
    it->operands = colons > 0;
}

/* asm("name") after a declarator names a symbol. */
static bool names_symbol(const reader *r, const token *before, const assembly *it) {
    if (it->operands)
        return false;
    if (!r->inside)
        return !(before->sort == END || IS_ANY(before, ";", "{", "}"));
    if (before->sort == WORD)
        return !IS_ANY(before, "else", "do");
    for (size_t i = 0; i < it->template.length; i++)
        if (!is_letter(it->template.data[i]))
            return false;
    return is(before, ")");
}

static void see_assembly(reader *r) {
    token before = r->last, now = next(r);
    assembly it = {0};
    while (now.sort == WORD)
        now = next(r); /* volatile, goto, inline */
    if (is(&now, "(")) {
        read_assembly(r, &it);
        bool empty = it.template.length == 0;
        if (!empty && !names_symbol(r, &before, &it) &&
            (it.in_memory || !is_harmless(it.template.data, it.template.length)))
            report(r, r->inside ? r->name : "");
    }
    hd_vec_release(&it.template);
}

/* --- declarations --------------------------------------------------------------------------- */

/* no_sanitize("thread") */
static bool is_of_threads(reader *r) {
    token now = next(r);
    bool any = false;
    while (now.sort == TEXT || IS_ANY(&now, "(", ",")) {
        any |= now.sort == TEXT && (memmem(now.at, now.length, "thread", 6) || is(&now, "all"));
        now = next(r);
    }
    return any;
}

static void see_word(reader *r, const token *now) {
    if (IS_ANY(now, "asm", "__asm", "__asm__"))
        see_assembly(r);
    else if (IS_ANY(now, "no_sanitize_thread", "__no_sanitize_thread__",
                    "disable_sanitizer_instrumentation"))
        r->skipped = true;
    else if (IS_ANY(now, "no_sanitize", "__no_sanitize__"))
        r->skipped |= is_of_threads(r);
}

static void end_declaration(reader *r) {
    if (r->skipped && !r->inside)
        report(r, r->named ? r->name : "");
    r->skipped = r->inside && r->skipped;
    r->named = r->inside && r->named;
}

/* A block: of a function if what comes before may end the head of one. */
static void open_block(reader *r) {
    bool body = r->named && !r->parens &&
                (is(&r->last, ")") || is(&r->last, "}") ||
                 IS_ANY(&r->last, "const", "noexcept", "override", "final", "volatile", "try"));
    r->depth++;
    if (r->inside || !body)
        return;
    if (r->skipped)
        report(r, r->name);
    r->skipped = false;
    r->inside = r->depth;
}

static void close_block(reader *r) {
    if (r->inside == r->depth)
        r->inside = 0;
    r->depth -= r->depth > 0;
    if (!r->inside)
        r->named = false;
}

static void see_sign(reader *r, const token *now) {
    if (is(now, "(")) {
        if (!r->inside && !r->parens && !r->named && r->last.sort == WORD &&
            !IS_ANY(&r->last, "__attribute__", "__attribute", "alignas", "decltype", "__declspec",
                    "_Alignas", "__typeof__", "typeof", "__extension__")) {
            copy_name(r->name, r->last.at, r->last.length);
            r->named = true;
        }
        r->parens++;
    } else if (is(now, ")"))
        r->parens -= r->parens > 0;
    else if (is(now, "{"))
        open_block(r);
    else if (is(now, "}"))
        close_block(r);
    else if (is(now, ";") && !r->parens)
        end_declaration(r);
}

void hd_launch_blind_find(const char *text, size_t length, hd_vec_char *lines) {
    reader r = {.at = text, .begin = text, .end = text + length, .line = 1, .lines = lines};
    token now;
    while ((now = next(&r)).sort != END) {
        if (now.sort == WORD)
            see_word(&r, &now);
        else if (now.sort == SIGN)
            see_sign(&r, &now);
        r.last = now;
    }
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

static pid_t start(char **words, int *from) {
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(ends[0]);
        execvp(words[0], words);
        _exit(127);
    }
    close(ends[1]);
    *from = ends[0];
    return child;
}

static void read_all(int from, hd_vec_char *to) {
    char part[1 << 16];
    ssize_t got;
    while ((got = read(from, part, sizeof part)) > 0)
        append(to, part, (size_t)got);
    close(from);
}

void hd_launch_blind_ask(char *const *words, hd_vec_char *lines) {
    HD_VEC(char *) asks = {0};
    hd_vec_char text = {0};
    int from = -1;
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
    pid_t child = start(asks.data, &from);
    if (child > 0) {
        read_all(from, &text);
        waitpid(child, NULL, 0);
        hd_launch_blind_find(text.data ? text.data : "", text.length, lines);
    }
    hd_vec_release(&text);
    hd_vec_release(&asks);
}
