#include "report_sequence.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* ---- Text ---- */

/* In double quotes, where YAML has the escapes of JSON.  A byte of no character becomes \xNN as
 * text: YAML has no way to say it. */
static void put_text(hd_file *file, const char *text) {
    size_t length = strlen(text);
    hd_file_write(file, "\"", 1);
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t size = hd_text_utf8(text + i, length - i);
        uint32_t hidden = size ? hd_text_hidden(text + i, size) : 0;
        if (c == '"' || c == '\\')
            hd_file_print(file, "\\%c", c);
        else if (!size)
            hd_file_print(file, "\\\\x%02x", c);
        else if (hidden)
            hd_file_print(file, "\\u%04x", hidden - 1);
        else
            hd_file_write(file, text + i, size);
        i += size ? size : 1;
    }
    hd_file_write(file, "\"", 1);
}

/* A key of more than 1,024 characters has to say that it is one. */
static void put_key(hd_file *file, const char *indent, const char *text) {
    enum { ESCAPED = 6, MOST = 1024 };
    bool is_long = strlen(text) > MOST / ESCAPED;
    hd_file_print(file, "%s%s", indent, is_long ? "? " : "");
    put_text(file, text);
    if (is_long)
        hd_file_print(file, "\n%s", indent);
}

static void put(hd_file *file, const char *before, const char *text) {
    hd_file_print(file, "%s", before);
    put_text(file, text);
    hd_file_write(file, "\n", 1);
}

/* ---- Metadata ---- */

/* Version 4: random but for the version and the variant. */
static void put_uuid(hd_file *file) {
    unsigned char b[16] = {0};
    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
        memset(b, 0, sizeof b); /* it is an identifier still */
    b[6] = (unsigned char)((b[6] & 15) | 0x40);
    b[8] = (unsigned char)((b[8] & 63) | 0x80);
    hd_file_print(file,
                  "    uuid: \"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
                  "%02x%02x%02x%02x%02x%02x\"\n",
                  b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
                  b[13], b[14], b[15]);
}

static void put_time(hd_file *file) {
    char text[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    put(file, "    creation_time: ", text);
}

static bool digest_file(const char *path, char *digits, hd_error *error) {
    hd_vec_char text = {0};
    bool good = hd_file_load(path, &text, error);
    if (good)
        hd_report_digest(text.data, text.length, digits);
    hd_vec_release(&text);
    return good;
}

static void put_metadata(hd_file *file, const hd_report_sequence *sequence, const char *digest) {
    hd_file_print(file, "- entry_type: \"violation_sequence\"\n"
                        "  metadata:\n"
                        "    format_version: \"2.0\"\n");
    put_uuid(file);
    put_time(file);
    hd_file_print(file, "    producer:\n"
                        "      name: \"heddle\"\n"
                        "      version: \"" HEDDLE_VERSION "\"\n"
                        "    task:\n"
                        "      input_files:\n");
    put(file, "        - ", sequence->source);
    hd_file_print(file, "      input_file_hashes:\n");
    put_key(file, "        ", sequence->source);
    put(file, ": ", digest);
    put(file, "      specification: ", sequence->specification);
    put(file, "      data_model: ", sequence->narrow ? "ILP32" : "LP64");
    hd_file_print(file, "      language: \"C\"\n");
}

/* ---- Waypoints ---- */

static void put_waypoint(hd_file *file, const hd_report_sequence *sequence,
                         const hd_report_waypoint *waypoint) {
    hd_file_print(file,
                  "    - segment:\n"
                  "        - waypoint:\n"
                  "            type: \"%s\"\n"
                  "            action: \"follow\"\n",
                  waypoint->target ? "target" : "function_return");
    if (!waypoint->target)
        hd_file_print(file,
                      "            constraint:\n"
                      "              value: \"\\\\result == %s\"\n"
                      "              format: \"acsl_expression\"\n",
                      waypoint->result);
    hd_file_print(file, "            location:\n");
    put(file, "              file_name: ", sequence->source);
    hd_file_print(file, "              line: %u\n", waypoint->line);
    if (waypoint->column)
        hd_file_print(file, "              column: %u\n", waypoint->column);
    if (waypoint->function)
        put(file, "              function: ", waypoint->function);
}

bool hd_report_sequence_write(const hd_report_sequence *sequence, const char *path,
                              hd_error *error) {
    char digest[HD_REPORT_DIGEST];
    if (!digest_file(sequence->source, digest, error))
        return false;
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return false;
    put_metadata(file, sequence, digest);
    hd_file_print(file, "  content:\n");
    for (size_t i = 0; i < sequence->waypoints.length; i++)
        put_waypoint(file, sequence, &sequence->waypoints.data[i]);
    return hd_file_commit(file, error);
}
