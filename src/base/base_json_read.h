/*
 * A JSON reader: the whole text becomes a tree of values in an arena.  It accepts what RFC 8259
 * allows and nothing else; an error names the line.  For results of other runs (a baseline, the
 * answer of another command), not for streams.
 *
 *     hd_json_document document;
 *     if (!hd_json_load(&document, path, &error)) ...
 *     const hd_json_value *findings = hd_json_get(document.root, "findings");
 *     for (const hd_json_value *f = hd_json_first(findings); f; f = f->next)
 *         use(hd_json_text_of(f, "message"));
 *     hd_json_release(&document);
 *
 * The accessors accept NULL for a missing value and return NULL or the given default, so that they
 * can be chained without tests in between.
 */
#ifndef HD_BASE_JSON_READ_H
#define HD_BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base_arena.h"
#include "base_error.h"

enum hd_json_kind {
    HD_JSON_NULL,
    HD_JSON_BOOL,
    HD_JSON_NUMBER,
    HD_JSON_STRING,
    HD_JSON_ARRAY,
    HD_JSON_OBJECT
};

typedef struct hd_json_value {
    enum hd_json_kind kind;
    bool truth;                        /* of a bool */
    const char *text;                  /* of a string, or the digits of a number; NUL at the end */
    const char *key;                   /* in an object */
    const struct hd_json_value *first; /* element of an array or object */
    const struct hd_json_value *next;  /* element of the same array or object */
    size_t count;                      /* elements */
} hd_json_value;

typedef struct hd_json_document {
    hd_arena arena;
    const hd_json_value *root;
} hd_json_document;

/* Fills the document; it is empty after a failure.  `name` is for the error.  A NUL in
 * a string becomes U+FFFD. */
bool hd_json_parse(hd_json_document *document, const char *data, size_t size, const char *name,
                   hd_error *error);
bool hd_json_load(hd_json_document *document, const char *path, hd_error *error);
void hd_json_release(hd_json_document *document);

/* The value of a key; the last one if the key is repeated. */
const hd_json_value *hd_json_get(const hd_json_value *object, const char *key);
const hd_json_value *hd_json_first(const hd_json_value *list);

/* The text, integer or boolean of a key; the default if it is missing or has another type. */
const char *hd_json_text_of(const hd_json_value *object, const char *key);
uint64_t hd_json_uint_of(const hd_json_value *object, const char *key, uint64_t otherwise);
bool hd_json_bool_of(const hd_json_value *object, const char *key, bool otherwise);

#endif
