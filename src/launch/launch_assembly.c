#include "launch_assembly.h"

#include <ctype.h>
#include <string.h>

/* What is left of a line. */
typedef struct line {
    const char *at, *end;
} line;

/* Of a text: instructions and data may be in another section than the function. */
typedef struct place {
    unsigned pushed;
    bool elsewhere;
} place;

static bool is_letter(char character) {
    return isalnum((unsigned char)character) || character == '_' || character == '$' ||
           character == '.';
}

static void skip_blanks(line *l) {
    while (l->at < l->end && isspace((unsigned char)*l->at))
        l->at++;
}

static line take_word(line *l) {
    skip_blanks(l);
    line word = {l->at, l->at};
    while (l->at < l->end && is_letter(*l->at))
        l->at++;
    word.end = l->at;
    return word;
}

static bool is_one(line word, const char *const *words) {
    size_t length = (size_t)(word.end - word.at);
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(word.at, *words, length) == 0)
            return true;
    return false;
}

static bool starts_one(line word, const char *const *prefixes) {
    size_t length = (size_t)(word.end - word.at);
    for (; *prefixes; prefixes++)
        if (strlen(*prefixes) <= length && memcmp(word.at, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

/* --- instructions --------------------------------------------------------------------------- */

/* What uses memory that no operand tells of, leaves the function, or reads a clock or a random
 * number. */
static bool is_suspect(line mnemonic) {
    static const char *const prefixes[] = {
        "call",   "bl",     "svc",   "sys",    "int",   "push", "pop",   "movs",
        "stos",   "lods",   "cmps",  "scas",   "xlat",  "ret",  "jmp",   "br",
        "ld",     "st",     "swp",   "cas",    "rdtsc", "mrs",  "leave", "enter",
        "rdrand", "rdseed", "xsave", "fxsave", "dc",    "ins",  "outs",  NULL};
    return starts_one(mnemonic, prefixes);
}

/* Whatever their operands are. */
static bool is_fence(line mnemonic) {
    static const char *const names[] = {
        "nop", "pause", "yield",  "isb", "dmb",   "dsb",  "sb",    "hint", "mfence", "lfence",
        "sev", "sevl",  "sfence", "wfe", "clrex", "prfm", "prfum", "csdb", NULL};
    static const char *const prefixes[] = {"prefetch", NULL};
    return is_one(mnemonic, names) || starts_one(mnemonic, prefixes);
}

static bool is_prefix(line mnemonic) {
    static const char *const names[] = {"lock", "rep", "repe", "repz", "repne", "repnz", NULL};
    return is_one(mnemonic, names);
}

/* Of aarch64, where registers have no % before their names, as x12 and w3, and conditions and
 * shifts are words; elsewhere such a word is a variable. */
static bool is_register(line word) {
#if defined __aarch64__
    static const char *const names[] = {
        "sp",   "wsp",  "xzr",  "wzr",  "lr",   "eq",   "ne",   "cs",   "hs",  "cc",
        "lo",   "mi",   "pl",   "vs",   "vc",   "hi",   "ls",   "ge",   "lt",  "gt",
        "le",   "al",   "lsl",  "lsr",  "asr",  "ror",  "msl",  "uxt",  "sxt", "nv",
        "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx", NULL};
    const char *digit = word.at + 1;
    if (is_one(word, names))
        return true;
    if (word.at == word.end || !strchr("xwvqdshb", *word.at) || digit == word.end)
        return false;
    while (digit < word.end && isdigit((unsigned char)*digit))
        digit++;
    return digit > word.at + 1 && digit - word.at <= 3 && (digit == word.end || *digit == '.');
#else
    (void)word;
    return false;
#endif
}

/* At the %: %0, %w0, %[name], %%rax.  False if it stands for an address (%a0). */
static bool skip_operand(line *l) {
    l->at++;
    if (l->at < l->end && *l->at == '%') {
        l->at++;
        take_word(l);
        return true;
    }
    const char *modifier = l->at;
    while (l->at < l->end && isalpha((unsigned char)*l->at))
        l->at++;
    bool address = l->at > modifier && *modifier == 'a' && l->at < l->end &&
                   (isdigit((unsigned char)*l->at) || *l->at == '[');
    const char *close =
        l->at < l->end && *l->at == '[' ? memchr(l->at, ']', (size_t)(l->end - l->at)) : NULL;
    if (close)
        l->at = close + 1;
    return !address;
}

/* Registers and numbers. */
static bool are_harmless_operands(line l) {
    for (bool begins = true; l.at < l.end;) {
        if (*l.at == '[' || *l.at == '(')
            return false;
        if (isspace((unsigned char)*l.at) || *l.at == ',') {
            begins = true;
            l.at++;
        } else if (*l.at == '%') {
            if (!skip_operand(&l))
                return false;
            begins = false;
        } else {
            if (begins && !strchr("$#-0123456789", *l.at) && !is_register(take_word(&l)))
                return false; /* a variable, perhaps */
            begins = false;
            l.at += l.at < l.end && !strchr("[(, \t", *l.at);
        }
    }
    return true;
}

static bool take(line *l, const char *text) {
    size_t length = strlen(text);
    skip_blanks(l);
    if ((size_t)(l->end - l->at) < length || memcmp(l->at, text, length) != 0)
        return false;
    l->at += length;
    return true;
}

/* The barrier of old processors: nothing is added to what is near the thread's stack pointer. */
static bool is_locked_nothing(line mnemonic, line rest) {
    static const char *const names[] = {"add", "addl", "addq", "addb", "or", "orl", "orq", NULL};
    if (!is_one(mnemonic, names) || !(take(&rest, "$0x0") || take(&rest, "$0")) ||
        !take(&rest, ","))
        return false;
    take(&rest, "-");
    skip_blanks(&rest);
    while (rest.at < rest.end && isdigit((unsigned char)*rest.at))
        rest.at++;
    if (!take(&rest, "("))
        return false;
    while (take(&rest, "%"))
        ;
    bool stack = take(&rest, "rsp)") || take(&rest, "esp)");
    skip_blanks(&rest);
    return stack && rest.at == rest.end;
}

/* --- directives ----------------------------------------------------------------------------- */

/* Instructions as numbers, and what brings in more text. */
static bool is_opaque(line directive) {
    static const char *const names[] = {
        ".byte",  ".2byte", ".4byte", ".8byte",   ".short",  ".hword",  ".word",
        ".long",  ".quad",  ".octa",  ".inst",    ".insn",   ".value",  ".int",
        ".dc",    ".dcb",   ".fill",  ".ascii",   ".asciz",  ".string", ".xword",
        ".macro", ".irp",   ".irpc",  ".include", ".incbin", NULL};
    return is_one(directive, names);
}

static void see_section(place *p, line directive) {
    static const char *const pushes[] = {".pushsection", NULL};
    static const char *const pops[] = {".popsection", NULL};
    static const char *const leaves[] = {".section", ".data", ".bss", ".subsection", NULL};
    static const char *const comes_back[] = {".previous", ".text", NULL};
    p->pushed += is_one(directive, pushes);
    p->pushed -= p->pushed && is_one(directive, pops);
    p->elsewhere = (p->elsewhere || is_one(directive, leaves)) && !is_one(directive, comes_back);
}

/* --- lines ---------------------------------------------------------------------------------- */

/* One instruction, with labels before it, or a directive. */
static bool is_harmless_line(place *p, line l) {
    line word = take_word(&l);
    while (l.at < l.end && *l.at == ':' && word.at < word.end) {
        l.at++;
        word = take_word(&l);
    }
    while (is_prefix(word))
        word = take_word(&l);
    if (word.at == word.end)
        return word.at == l.end || *word.at == '#' || *word.at == '/';
    if (*word.at == '.') {
        see_section(p, word);
        return p->pushed || p->elsewhere || !is_opaque(word);
    }
    if (is_fence(word) || is_locked_nothing(word, l))
        return true;
    return !is_suspect(word) && are_harmless_operands(l);
}

bool hd_launch_assembly_is_harmless(const char *text, size_t length) {
    const char *end = text + length, *first = text;
    place p = {0};
    for (const char *at = text; at < end; at++) {
        bool breaks = *at == '\\' && end - at > 1;
        if (*at != ';' && *at != '\n' && !breaks)
            continue;
        if (!is_harmless_line(&p, (line){first, at}))
            return false;
        at += breaks;
        first = at + 1;
    }
    return is_harmless_line(&p, (line){first, end});
}
