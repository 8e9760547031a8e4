/*
 * Schedules in files, on their way into a page.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_page.h"

/* ---- What a file is ---- */

/* The trace is where the witness says, or beside the witness; to be freed. */
static char *place_of(const char *name, size_t length, const char *witness) {
    const char *slash = strrchr(witness, '/');
    char *path = hd_mem_string(name, length);
    if (access(path, R_OK) == 0 || path[0] == '/' || !slash)
        return path;
    char *beside = NULL;
    if (asprintf(&beside, "%.*s/%s", (int)(slash - witness), witness, path) < 0)
        return path;
    free(path);
    return beside;
}

static bool begins(const char *line, size_t length, const char *with) {
    return length >= strlen(with) && strncmp(line, with, strlen(with)) == 0;
}

/* One comment line of a witness, without the '#'. */
static void look_at_line(hd_cli_page_look *look, const char *line, size_t length,
                         const char *path) {
    static const char names[] = "trace: ";
    while (length > 0 && *line == ' ') {
        line++;
        length--;
    }
    if (begins(line, length, "schedule:") || begins(line, length, "steps:"))
        look->what = HD_CLI_PAGE_RUN;
    if (begins(line, length, names) && length > sizeof names - 1 && !look->trace)
        look->trace = place_of(line + sizeof names - 1, length - (sizeof names - 1), path);
}

hd_cli_page_look hd_cli_page_look_at(const char *path) {
    enum { HEAD = 1 << 16 };
    static const char version[] = "# heddle witness ", html[] = "<!doctype html";
    hd_cli_page_look look = {.what = HD_CLI_PAGE_TRACE};
    int peeked = hd_file_peek(path);
    FILE *file = peeked < 0 ? NULL : fdopen(peeked, "r");
    if (!file)
        return look;
    char *head = hd_mem_zero(HEAD, 1);
    size_t length = fread(head, 1, HEAD - 1, file);
    fclose(file);
    if (head[strspn(head, " \t\r\n")] == '{')
        look.what = HD_CLI_PAGE_ANSWER;
    if (strncasecmp(head, html, sizeof html - 1) == 0)
        look.what = HD_CLI_PAGE_PAGE;
    if (strncmp(head, version, sizeof version - 1) == 0) {
        look.what = HD_CLI_PAGE_WITNESS;
        for (char *at = head, *end; at < head + length && *at == '#'; at = end + 1) {
            end = strchrnul(at, '\n');
            size_t size = (size_t)(end - at);
            look_at_line(&look, at + 1, size - 1 - (size > 1 && end[-1] == '\r'), path);
        }
    }
    free(head);
    return look;
}

/* ---- Schedules ---- */

void hd_cli_page_run(hd_cli_page *page, const hd_replay_witness *witness) {
    hd_json *json = &page->page.json;
    hd_json_open(json, "claim", '{');
    hd_json_text(json, "kind", hd_replay_claim_name(witness->claim));
    hd_json_close(json);
    hd_report_page_trace(&page->page, "run", &witness->run);
}

static bool add_run(hd_cli_page *page, const char *path, hd_error *error) {
    hd_replay_witness witness;
    hd_replay_witness_init(&witness);
    if (!hd_replay_witness_load(&witness, path, error))
        return false;
    bool good = hd_trace_check_all(&witness.run, error) && hd_report_page_fits(&witness.run, error);
    if (good)
        hd_cli_page_run(page, &witness);
    hd_replay_witness_release(&witness);
    return good;
}

/* The number of a trace in the page, loaded if it is new; its length if it cannot be. */
static size_t find_trace(hd_cli_page *page, const char *path, hd_error *error) {
    size_t i = 0;
    while (i < page->traces.length && strcmp(page->traces.data[i]->path, path) != 0)
        i++;
    if (i < page->traces.length)
        return i;
    hd_cli_page_trace *item = HD_NEW(hd_cli_page_trace);
    if (!hd_trace_load(&item->trace, path, 0, error) || !hd_report_page_fits(&item->trace, error)) {
        hd_trace_release(&item->trace);
        free(item);
        return page->traces.length;
    }
    item->path = hd_mem_string(path, strlen(path));
    hd_vec_push(&page->traces, item);
    return i;
}

static bool add_schedule(hd_cli_page *page, const char *trace, const char *path, hd_error *error) {
    size_t at = find_trace(page, trace, error);
    if (at == page->traces.length)
        return false;
    hd_witness witness;
    hd_witness_init(&witness);
    const hd_trace *of = &page->traces.data[at]->trace;
    bool good = hd_witness_load(&witness, of, path, error) && hd_witness_check(&witness, of, error);
    if (good) {
        hd_json_uint(&page->page.json, "trace", at);
        hd_report_page_schedule(&page->page, of, &witness);
    }
    hd_witness_release(&witness);
    return good;
}

void hd_cli_page_witness(hd_cli_page *page, const char *path) {
    hd_error error = {""};
    hd_cli_page_look look = hd_cli_page_look_at(path);
    bool good = false;
    if (look.what == HD_CLI_PAGE_RUN)
        good = add_run(page, path, &error);
    else if (look.what == HD_CLI_PAGE_WITNESS && look.trace)
        good = add_schedule(page, look.trace, path, &error);
    else
        hd_error_set(&error, "%s is not a witness that names its trace", path);
    if (!good)
        hd_json_text(&page->page.json, "no_run", error.text);
    free(look.trace);
}

void hd_cli_page_end_traces(hd_cli_page *page) {
    bool written = page->page.file != NULL;
    if (written && page->traces.length)
        hd_json_open(&page->page.json, "traces", '[');
    for (size_t i = 0; i < page->traces.length; i++) {
        hd_cli_page_trace *item = page->traces.data[i];
        if (written)
            hd_report_page_trace(&page->page, NULL, &item->trace);
        hd_trace_release(&item->trace);
        free(item->path);
        free(item);
    }
    if (written && page->traces.length)
        hd_json_close(&page->page.json);
    hd_vec_release(&page->traces);
}
