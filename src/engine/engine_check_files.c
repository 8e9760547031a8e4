/*
 * Which source files of a program are instrumented; and of the files that a compilation database
 * lists, which of them are in the program at all.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "engine_check.h"

/* Below the folder that heddle runs in, without that folder. */
static const char *shown(const char *path) {
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

static bool has(const hd_names *names, const hd_vec_char *path) {
    return hd_names_find(names, path->data, path->length) != HD_NAMES_NONE;
}

/* The database is an array of objects with a folder and a file in it. */
static bool read_commands(hd_engine_check *check, const hd_native_files *files, hd_error *error) {
    hd_json_document document;
    hd_names once = {0};
    hd_vec_char path = {0};
    if (!hd_json_load(&document, check->commands, error))
        return false;
    bool good = document.root->kind == HD_JSON_ARRAY;
    if (!good)
        hd_error_set(error, "%s: is no compilation database: it is not an array",
                     hd_text_name(check->commands));
    for (const hd_json_value *it = good ? hd_json_first(document.root) : NULL; it; it = it->next) {
        const char *name = hd_json_text_of(it, "file");
        if (!name)
            continue;
        hd_native_files_path(hd_json_text_of(it, "directory"), name, &path);
        if (has(&files->seen, &path) || has(&files->blind, &path) || has(&once, &path))
            continue;
        hd_names_add(&once, path.data, path.length);
        hd_vec_push(&check->report.files.absent, hd_report_keep(&check->report, shown(path.data)));
    }
    hd_json_release(&document);
    hd_names_release(&once);
    hd_vec_release(&path);
    return good;
}

bool hd_engine_check_files(hd_engine_check *check, hd_error *error) {
    hd_report_files *to = &check->report.files;
    hd_native_files files = {0};
    hd_native_files_find(&files, check->program);
    to->known = true;
    to->asked = check->commands != NULL;
    to->seen = files.seen.length;
    for (uint32_t i = 0; i < files.blind.length; i++) {
        const char *path = hd_names_text(&files.blind, i);
        /* Compiled both ways, for two modules: one of them is enough to be blind. */
        to->seen -= hd_names_find(&files.seen, path, strlen(path)) != HD_NAMES_NONE;
        hd_vec_push(&to->blind, hd_report_keep(&check->report, shown(path)));
    }
    for (uint32_t i = 0; i < files.bare.length; i++)
        hd_vec_push(&to->bare,
                    hd_report_keep(&check->report, shown(hd_names_text(&files.bare, i))));
    bool good = !check->commands || read_commands(check, &files, error);
    hd_native_files_release(&files);
    return good;
}
