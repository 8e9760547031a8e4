/*
 * Parts of trees that are not in the text as they are: what `rdlock`, `send` and others consist of.
 */
#include "model_parse.h"

hd_model_expression *hd_model_build_node(hd_model_parser *parser, uint8_t kind) {
    hd_model_expression *e = hd_model_parser_new(parser, sizeof *e);
    e->kind = kind;
    e->at = parser->lexer.at;
    e->depth = 1;
    return e;
}

static void attach(hd_model_expression *e, const hd_model_expression **where,
                   const hd_model_expression *part) {
    *where = part;
    e->shared |= part->shared;
    e->swaps |= part->swaps;
    if (part->depth >= e->depth)
        e->depth = (uint16_t)(part->depth + 1);
}

hd_model_expression *hd_model_build_number(hd_model_parser *parser, int64_t value) {
    hd_model_expression *e = hd_model_build_node(parser, HD_MODEL_NUMBER);
    e->value = value;
    return e;
}

hd_model_expression *hd_model_build_use(hd_model_parser *parser, const hd_model_variable *variable,
                                        const hd_model_expression *index) {
    hd_model_expression *e = hd_model_build_node(parser, HD_MODEL_USE);
    e->variable = variable;
    e->shared = variable->kind != HD_MODEL_LOCAL;
    if (index)
        attach(e, &e->a, index);
    return e;
}

hd_model_expression *hd_model_build_binary(hd_model_parser *parser, enum hd_model_code operation,
                                           const hd_model_expression *a,
                                           const hd_model_expression *b) {
    uint8_t kind = operation == HD_MODEL_BOTH  ? HD_MODEL_AND
                   : operation == HD_MODEL_ANY ? HD_MODEL_OR
                                               : HD_MODEL_BINARY;
    hd_model_expression *e = hd_model_build_node(parser, kind);
    e->operation = (uint8_t)operation;
    attach(e, &e->a, a);
    attach(e, &e->b, b);
    return e;
}

hd_model_statement *hd_model_build_inner(hd_model_parser *parser, const hd_model_statement *of,
                                         uint8_t kind) {
    hd_model_statement *s = hd_model_parser_new(parser, sizeof *s);
    *s = (hd_model_statement){
        .kind = kind, .at = of->at, .end = of->end, .line = of->line, .position = of->position};
    return s;
}

hd_model_statement *hd_model_build_assign(hd_model_parser *parser, const hd_model_statement *of,
                                          const hd_model_expression *target,
                                          const hd_model_expression *value) {
    hd_model_statement *s = hd_model_build_inner(parser, of, HD_MODEL_ASSIGN);
    s->target = target;
    s->value = value;
    return s;
}

hd_model_statement *hd_model_build_check(hd_model_parser *parser, const hd_model_statement *of,
                                         uint8_t kind, const hd_model_expression *value) {
    hd_model_statement *s = hd_model_build_inner(parser, of, kind);
    s->value = value;
    return s;
}

void hd_model_build_append(hd_model_parser *parser, const hd_model_statement *of,
                           hd_model_statement **block, hd_model_statement *s) {
    if (!*block)
        *block = hd_model_build_inner(parser, of, HD_MODEL_BLOCK);
    hd_model_statement **last = &(*block)->body;
    while (*last)
        last = &(*last)->next;
    *last = s;
}
