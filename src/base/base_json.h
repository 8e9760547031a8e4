/*
 * A JSON writer: values are written at once and only the nesting is kept, so a result of any size
 * needs no memory.  Strings may hold any bytes: what is not valid UTF-8 becomes U+FFFD.
 * hd_json_digits writes integers of any size.  With `in_page` set, no `<` is written, so that the
 * text can be put in a script element of an HTML page without ending it.
 *
 *     hd_json json;
 *     hd_json_init(&json, file);
 *     hd_json_open(&json, NULL, '{');
 *     hd_json_uint(&json, "events", 7);      the key is NULL inside an array
 *     hd_json_close(&json);
 *     hd_json_end(&json);                    ends the line
 */
#ifndef HD_BASE_JSON_H
#define HD_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base_file.h"

enum { HD_JSON_DEPTH = 64 };

typedef struct hd_json {
    hd_file *file;
    unsigned depth;
    bool filled[HD_JSON_DEPTH]; /* this level already has an element */
    char close[HD_JSON_DEPTH];
    bool in_page;
} hd_json;

void hd_json_init(hd_json *json, hd_file *file);
void hd_json_open(hd_json *json, const char *key, char bracket); /* '{' or '[' */
void hd_json_close(hd_json *json);
void hd_json_string(hd_json *json, const char *key, const char *text, size_t length);
void hd_json_text(hd_json *json, const char *key, const char *text); /* NUL-terminated */
void hd_json_uint(hd_json *json, const char *key, uint64_t value);
void hd_json_int(hd_json *json, const char *key, int64_t value);
void hd_json_digits(hd_json *json, const char *key, const char *digits);
void hd_json_real(hd_json *json, const char *key, double value);
void hd_json_bool(hd_json *json, const char *key, bool value);
void hd_json_null(hd_json *json, const char *key);
void hd_json_end(hd_json *json);

/* A remark in an answer or a trace: a word for what it is, and a sentence without a full stop. */
typedef struct hd_note {
    const char *code, *text;
} hd_note;

/* "key": [{"code": "...", "text": "..."}]; nothing if there are no notes. */
void hd_json_notes(hd_json *json, const char *key, const hd_note *notes, size_t count);

#endif
