#include "base_json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_text.h"

static void put_text(hd_json *json, const char *text) {
    hd_file_write(json->file, text, strlen(text));
}

static void put_escaped(hd_json *json, const char *text, size_t length) {
    hd_file_write(json->file, "\"", 1);
    for (size_t i = 0; i < length;) {
        unsigned char byte = (unsigned char)text[i];
        size_t size = hd_text_utf8(text + i, length - i);
        if (byte == '"' || byte == '\\')
            hd_file_print(json->file, "\\%c", byte);
        else if (byte == '<' && json->in_page)
            put_text(json, "\\u003c");
        else if (size == 0)
            put_text(json, "\\ufffd");
        else if (hd_text_hidden(text + i, size))
            hd_file_print(json->file, "\\u%04x", hd_text_hidden(text + i, size) - 1);
        else
            hd_file_write(json->file, text + i, size);
        i += size ? size : 1;
    }
    hd_file_write(json->file, "\"", 1);
}

/* The comma and the key before a value. */
static void lead(hd_json *json, const char *key) {
    if (json->depth) {
        bool object = json->close[json->depth - 1] == '}';
        assert(object == (key != NULL));
        (void)object;
        if (json->filled[json->depth - 1])
            put_text(json, ", ");
        json->filled[json->depth - 1] = true;
    }
    if (key) {
        put_escaped(json, key, strlen(key));
        put_text(json, ": ");
    }
}

void hd_json_init(hd_json *json, hd_file *file) {
    *json = (hd_json){.file = file};
}

void hd_json_open(hd_json *json, const char *key, char bracket) {
    assert(json->depth < HD_JSON_DEPTH && (bracket == '{' || bracket == '['));
    lead(json, key);
    hd_file_write(json->file, &bracket, 1);
    json->filled[json->depth] = false;
    json->close[json->depth++] = bracket == '{' ? '}' : ']';
}

void hd_json_close(hd_json *json) {
    assert(json->depth > 0);
    hd_file_write(json->file, &json->close[--json->depth], 1);
}

void hd_json_string(hd_json *json, const char *key, const char *text, size_t length) {
    lead(json, key);
    put_escaped(json, text, length);
}

void hd_json_text(hd_json *json, const char *key, const char *text) {
    hd_json_string(json, key, text, strlen(text));
}

void hd_json_digits(hd_json *json, const char *key, const char *digits) {
    lead(json, key);
    put_text(json, digits);
}

void hd_json_uint(hd_json *json, const char *key, uint64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    hd_json_digits(json, key, digits);
}

void hd_json_int(hd_json *json, const char *key, int64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    hd_json_digits(json, key, digits);
}

void hd_json_real(hd_json *json, const char *key, double value) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.6g", value);
    hd_json_digits(json, key, isfinite(value) ? digits : "null");
}

void hd_json_bool(hd_json *json, const char *key, bool value) {
    hd_json_digits(json, key, value ? "true" : "false");
}

void hd_json_null(hd_json *json, const char *key) {
    hd_json_digits(json, key, "null");
}

void hd_json_notes(hd_json *json, const char *key, const hd_note *notes, size_t count) {
    if (!count)
        return;
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "code", notes[i].code);
        hd_json_text(json, "text", notes[i].text);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_json_end(hd_json *json) {
    assert(json->depth == 0);
    hd_file_write(json->file, "\n", 1);
}
