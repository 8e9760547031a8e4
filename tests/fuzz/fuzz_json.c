/*
 * The JSON reader on any bytes, as report and --baseline read them: no crash, an error
 * that explains itself, and what it accepts is the same when it is written and read again.
 */
#include "finding/finding.h"
#include "fuzz_common.h"

// NOLINTNEXTLINE(misc-no-recursion): no deeper than HD_JSON_DEPTH
static void write_value(hd_json *json, const hd_json_value *value) {
    const char *key = value->key; /* NULL in an array */
    switch (value->kind) {
    case HD_JSON_NULL:
        hd_json_null(json, key);
        return;
    case HD_JSON_BOOL:
        hd_json_bool(json, key, value->truth);
        return;
    case HD_JSON_NUMBER:
        hd_json_digits(json, key, value->text);
        return;
    case HD_JSON_STRING:
        hd_json_text(json, key, value->text);
        return;
    case HD_JSON_ARRAY:
    case HD_JSON_OBJECT:
        break;
    }
    hd_json_open(json, key, value->kind == HD_JSON_ARRAY ? '[' : '{');
    size_t count = 0;
    for (const hd_json_value *v = hd_json_first(value); v; v = v->next, count++)
        write_value(json, v);
    if (count != value->count)
        fuzz_fail("%zu elements, but %zu are counted", count, value->count);
    hd_json_close(json);
}

static bool same_text(const char *a, const char *b) {
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than HD_JSON_DEPTH
static bool same_value(const hd_json_value *a, const hd_json_value *b) {
    if (a->kind != b->kind || a->truth != b->truth || a->count != b->count ||
        !same_text(a->text, b->text) || !same_text(a->key, b->key))
        return false;
    for (a = a->first, b = b->first; a && b; a = a->next, b = b->next)
        if (!same_value(a, b))
            return false;
    return !a && !b;
}

static void write_and_read(const hd_json_document *document) {
    hd_error error = {""};
    hd_json_document again;
    hd_json json;
    const char *path = fuzz_path("json");
    hd_file *file = hd_file_create(path, &error);
    if (!file)
        fuzz_fail("%s", error.text);
    hd_json_init(&json, file);
    write_value(&json, document->root);
    hd_json_end(&json);
    if (!hd_file_commit(file, &error) || !hd_json_load(&again, path, &error))
        fuzz_fail("written, then not read: %s", error.text);
    if (!same_value(document->root, again.root))
        fuzz_fail("%s", "another value when written and read");
    hd_json_release(&again);
}

static void read_as_baseline(const uint8_t *data, size_t size, bool is_json) {
    hd_error error = {""};
    hd_finding_filter filter = {0};
    const char *path = fuzz_file("baseline", data, size);
    if (!hd_finding_baseline_load(&filter, path, &error))
        fuzz_explained(&error);
    else if (!is_json)
        fuzz_fail("%s", "a baseline that is not JSON");
    hd_finding_filter_release(&filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hd_error error = {""};
    hd_json_document document;
    bool good = hd_json_parse(&document, (const char *)data, size, "fuzz", &error);
    if (good) {
        write_and_read(&document);
        hd_json_release(&document);
    } else {
        fuzz_explained(&error);
    }
    read_as_baseline(data, size, good);
    return 0;
}
