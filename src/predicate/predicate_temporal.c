/*
 * The text of a temporal predicate: a skeleton of operators, && || ! and parentheses around
 * predicates, which the parser of predicates reads.  A part without operators is one of those, as
 * long as it can be.
 */
#include "predicate_temporal.h"

#include <string.h>

static const char *const names[] = {"EF", "AF", "EG", "AG", "EU", "AU"};

enum { OPERATORS = 6, DEEPEST = 200 };

struct part {
    uint32_t from, to;
};

struct parsing {
    hd_predicate_temporal *formula;
    const char *text;
    hd_predicate_error *error;
    unsigned depth;
};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* After a name in quotes that begins here; just the next character if it is no quote. */
static uint32_t skip(const char *text, uint32_t at, uint32_t to) {
    if (text[at] != '"')
        return at + 1;
    for (at++; at < to && text[at] != '"'; at++)
        ;
    return at < to ? at + 1 : to;
}

/* The operator whose name and parenthesis begin here, or -1; *open is after the parenthesis. */
static int operator_at(const char *text, uint32_t at, uint32_t to, uint32_t *open) {
    if (to - at < 3 || (at && (is_letter(text[at - 1]) || text[at - 1] == '.')))
        return -1;
    uint32_t next = at + 2;
    while (next < to && (text[next] == ' ' || text[next] == '\t'))
        next++;
    if (next == to || text[next] != '(')
        return -1;
    for (int i = 0; i < OPERATORS; i++)
        if (memcmp(text + at, names[i], 2) == 0) {
            *open = next + 1;
            return i;
        }
    return -1;
}

static bool has_operator(const char *text, struct part part) {
    uint32_t open;
    for (uint32_t at = part.from; at < part.to; at = skip(text, at, part.to))
        if (text[at] != '"' && operator_at(text, at, part.to, &open) >= 0)
            return true;
    return false;
}

bool hd_predicate_temporal_is(const char *text) {
    return has_operator(text, (struct part){0, (uint32_t)strlen(text)});
}

static struct part trim(const char *text, struct part part) {
    while (part.from < part.to && strchr(" \t\r\n", text[part.from]))
        part.from++;
    while (part.to > part.from && strchr(" \t\r\n", text[part.to - 1]))
        part.to--;
    return part;
}

static bool fail(struct parsing *p, struct part part, const char *what) {
    *p->error = (hd_predicate_error){.at = part.from, .length = part.to - part.from};
    return hd_error_set(&p->error->error, "%s", what);
}

/* The last place of a word of one or two characters outside parentheses, or the end. */
static uint32_t find_last(const char *text, struct part part, const char *word) {
    uint32_t found = part.to, length = (uint32_t)strlen(word);
    int depth = 0;
    for (uint32_t at = part.from; at < part.to; at = skip(text, at, part.to)) {
        depth += text[at] == '(';
        depth -= text[at] == ')';
        if (!depth && part.to - at >= length && memcmp(text + at, word, length) == 0) {
            found = at;
            at += length - 1;
        }
    }
    return found;
}

/* The parenthesis that closes the one before `open`; the end if none does. */
static uint32_t closing(const char *text, uint32_t open, uint32_t to) {
    int depth = 1;
    for (uint32_t at = open; at < to; at = skip(text, at, to)) {
        depth += text[at] == '(';
        depth -= text[at] == ')';
        if (!depth)
            return at;
    }
    return to;
}

static bool push(struct parsing *p, hd_predicate_temporal_node node, uint32_t *to) {
    if (p->formula->nodes.length == HD_PREDICATE_T_MOST)
        return fail(p, (struct part){node.at, node.at + node.length},
                    "there are too many operators; 64 parts are the most");
    *to = (uint32_t)p->formula->nodes.length;
    hd_vec_push(&p->formula->nodes, node);
    return true;
}

static bool parse(struct parsing *p, struct part part, uint32_t *to);

static bool parse_atom(struct parsing *p, struct part part, uint32_t *to) {
    hd_predicate atom;
    if (part.from == part.to)
        return fail(p, (struct part){part.from, part.from + (p->text[part.from] != 0)},
                    "a predicate is missing here");
    char *text = hd_mem_string(p->text + part.from, part.to - part.from);
    bool good = hd_predicate_init(&atom, text, p->error);
    free(text);
    if (!good) {
        p->error->at += part.from;
        return false;
    }
    hd_vec_push(&p->formula->atoms, atom);
    return push(p,
                (hd_predicate_temporal_node){.kind = HD_PREDICATE_T_ATOM,
                                             .a = (uint32_t)p->formula->atoms.length - 1,
                                             .at = part.from,
                                             .length = part.to - part.from},
                to);
}

static bool parse_two(struct parsing *p, struct part whole, uint32_t middle, uint32_t length,
                      enum hd_predicate_temporal_kind kind, uint32_t *to) {
    hd_predicate_temporal_node node = {
        .kind = kind, .at = whole.from, .length = whole.to - whole.from};
    return parse(p, (struct part){whole.from, middle}, &node.a) &&
           parse(p, (struct part){middle + length, whole.to}, &node.b) && push(p, node, to);
}

static bool parse_operator(struct parsing *p, struct part part, int which, uint32_t open,
                           uint32_t *to) {
    hd_predicate_temporal_node node = {.kind = (enum hd_predicate_temporal_kind)which,
                                       .at = part.from,
                                       .length = part.to - part.from};
    struct part inside = {open, part.to - 1};
    bool two = which == HD_PREDICATE_T_EU || which == HD_PREDICATE_T_AU;
    uint32_t comma = find_last(p->text, inside, ",");
    if (two && comma == inside.to)
        return fail(p, part, "EU and AU take two predicates, with a comma between them");
    if (!two && comma != inside.to)
        return fail(p, part, "EF, AF, EG and AG take one predicate");
    return parse(p, (struct part){open, comma}, &node.a) &&
           (!two || parse(p, (struct part){comma + 1, inside.to}, &node.b)) && push(p, node, to);
}

/* A part with an operator. */
static bool parse_skeleton(struct parsing *p, struct part part, uint32_t *to) {
    const char *text = p->text;
    uint32_t open, middle = find_last(text, part, "||");
    if (middle != part.to)
        return parse_two(p, part, middle, 2, HD_PREDICATE_T_OR, to);
    middle = find_last(text, part, "&&");
    if (middle != part.to)
        return parse_two(p, part, middle, 2, HD_PREDICATE_T_AND, to);
    if (text[part.from] == '!') {
        hd_predicate_temporal_node node = {
            .kind = HD_PREDICATE_T_NOT, .at = part.from, .length = part.to - part.from};
        return parse(p, (struct part){part.from + 1, part.to}, &node.a) && push(p, node, to);
    }
    if (text[part.from] == '(' && closing(text, part.from + 1, part.to) == part.to - 1)
        return parse(p, (struct part){part.from + 1, part.to - 1}, to);
    int which = operator_at(text, part.from, part.to, &open);
    if (which >= 0 && closing(text, open, part.to) == part.to - 1)
        return parse_operator(p, part, which, open, to);
    return fail(p, part,
                "EF, AF, EG, AG, EU and AU go with && || ! and parentheses, and with nothing else");
}

static bool parse(struct parsing *p, struct part part, uint32_t *to) {
    part = trim(p->text, part);
    if (p->depth == DEEPEST)
        return fail(p, part, "this is nested too deeply");
    p->depth++;
    bool good = has_operator(p->text, part) ? parse_skeleton(p, part, to) : parse_atom(p, part, to);
    p->depth--;
    return good;
}

bool hd_predicate_temporal_init(hd_predicate_temporal *formula, const char *text,
                                hd_predicate_error *error) {
    uint32_t root;
    *formula = (hd_predicate_temporal){.text = text};
    *error = (hd_predicate_error){0};
    struct parsing p = {formula, text, error, 0};
    size_t length = strlen(text);
    if (length > UINT32_MAX / 2)
        return hd_error_set(&error->error, "a predicate of this length is too long");
    if (parse(&p, (struct part){0, (uint32_t)length}, &root))
        return true;
    hd_predicate_temporal_release(formula);
    return false;
}

void hd_predicate_temporal_release(hd_predicate_temporal *formula) {
    for (size_t i = 0; i < formula->atoms.length; i++)
        hd_predicate_release(&formula->atoms.data[i]);
    hd_vec_release(&formula->atoms);
    hd_vec_release(&formula->nodes);
    *formula = (hd_predicate_temporal){0};
}
