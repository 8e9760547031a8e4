#include "report_answer.h"

#include <stdio.h>

#include "report_columns.h"

void hd_report_answer_begin(hd_json *json, const hd_report_answer *answer) {
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "heddle", HEDDLE_VERSION);
    hd_json_text(json, "command", answer->command);
    hd_json_open(json, "input", '{');
    hd_json_text(json, "file", answer->input);
    if (answer->argument_count) {
        hd_json_open(json, "arguments", '[');
        for (size_t i = 0; i < answer->argument_count; i++)
            hd_json_text(json, NULL, answer->arguments[i]);
        hd_json_close(json);
    }
    if (answer->guessed || answer->partly)
        hd_json_text(json, "order", "partly guessed");
    if (answer->guessed) {
        hd_json_uint(json, "guessed", answer->guessed);
        hd_json_uint(json, "unexplained", answer->unexplained);
    }
    hd_json_close(json);
    hd_verdict_write(answer->verdict, json);
    hd_json_real(json, "seconds", answer->seconds);
    hd_json_open(json, "result", '{');
}

void hd_report_answer_findings(hd_json *json) {
    hd_json_close(json);
    hd_json_open(json, "findings", '[');
}

void hd_report_answer_list(hd_json *json, uint64_t listed, const char *code, const char *text) {
    hd_json_close(json);
    hd_json_open(json, "list", '{');
    hd_json_bool(json, "complete", false);
    hd_json_uint(json, "listed", listed);
    hd_json_text(json, "code", code);
    hd_json_text(json, "text", text);
}

void hd_report_answer_end(hd_json *json) {
    hd_json_close(json);
    hd_json_close(json);
    hd_json_end(json);
}

void hd_report_text_write(hd_json *json, const char *key, const char *text) {
    if (text)
        hd_json_text(json, key, text);
}

void hd_report_line_write(hd_json *json, const char *file, uint32_t line) {
    if (!file)
        return;
    hd_json_text(json, "file", file);
    hd_json_uint(json, "line", line);
}

void hd_report_fingerprint_write(hd_json *json, const char *key, uint64_t fingerprint) {
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)fingerprint);
    hd_json_text(json, key, text);
}

void hd_report_events_write(hd_json *json, const char *key, const hd_vec_u32 *events) {
    hd_json_open(json, key, '[');
    hd_report_numbers_write(events->data, events->length, json->file);
    hd_json_close(json);
}
