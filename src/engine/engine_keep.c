#include "engine_keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/launch.h"
#include "team/team.h"

static const char magic[] = "heddle checkpoint 1\n";
enum { MAGIC = sizeof magic - 1, SUM = 8, MOST_FILE = 1 << 30 };

/* ---- Writing ---- */

static void put_sum(hd_vec_char *file) {
    uint64_t sum = hd_bytes_sum(file->data, file->length);
    for (int i = 0; i < SUM; i++)
        hd_vec_push(file, (char)(unsigned char)(sum >> 8 * i));
}

void hd_engine_keep_write(hd_engine_keep *keep, const hd_vec_char *state,
                          const hd_vec_char *frontier) {
    enum { MILLISECONDS = 1000 };
    double now = hd_progress_clock();
    hd_vec_char file = {0};
    hd_error error = {""};
    for (int i = 0; i < MAGIC; i++)
        hd_vec_push(&file, magic[i]);
    hd_bytes_put_string(&file, keep->build);
    hd_bytes_put_string(&file, keep->asked);
    hd_bytes_put(&file, keep->input);
    hd_bytes_put(&file, (uint64_t)((keep->before + now - keep->began) * MILLISECONDS));
    hd_bytes_put_text(&file, state->data, state->length);
    hd_bytes_put_text(&file, frontier->data, frontier->length);
    hd_bytes_put_text(&file, keep->prior.data, keep->prior.length);
    put_sum(&file);
    hd_file *to = hd_file_create(keep->to, &error);
    if (to)
        hd_file_write(to, file.data, file.length);
    if ((!to || !hd_file_commit_now(to, &error)) && !keep->failed) {
        keep->failed = true;
        hd_log_write(HD_LOG_ERROR, "the search goes on without a checkpoint: %s", error.text);
    }
    keep->times++;
    keep->bytes = file.length;
    keep->seconds += hd_progress_clock() - now;
    hd_vec_release(&file);
}

/* ---- Reading ---- */

static bool has_sum(const hd_vec_char *file) {
    uint64_t sum = 0;
    if (file->length < MAGIC + SUM)
        return false;
    for (int i = 0; i < SUM; i++)
        sum |= (uint64_t)(unsigned char)file->data[file->length - SUM + (size_t)i] << 8 * i;
    return sum == hd_bytes_sum(file->data, file->length - SUM);
}

static void get_part(hd_bytes *from, hd_vec_char *to) {
    size_t length;
    const char *text = hd_bytes_get_text(from, &length);
    hd_vec_clear(to);
    hd_vec_reserve(to, length + 1);
    memcpy(to->data, text, length);
    to->length = length;
}

static bool is_same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

bool hd_engine_keep_parse(hd_engine_keep *keep, const hd_vec_char *file, hd_error *error) {
    enum { MILLISECONDS = 1000 };
    if (file->length < MAGIC || memcmp(file->data, magic, MAGIC) != 0)
        return hd_error_set(error, "not a checkpoint of heddle");
    if (!has_sum(file))
        return hd_error_set(error, "a checkpoint that is damaged or cut off");
    hd_bytes from = {file->data + MAGIC, file->data + file->length - SUM, false};
    char *build = hd_bytes_get_string(&from), *asked = hd_bytes_get_string(&from);
    uint64_t input = hd_bytes_get(&from, UINT64_MAX);
    keep->before = (double)hd_bytes_get(&from, UINT64_MAX / 2) / MILLISECONDS;
    get_part(&from, &keep->state);
    get_part(&from, &keep->frontier);
    get_part(&from, &keep->prior);
    bool good = false;
    if (!hd_bytes_done(&from))
        hd_error_set(error, "a checkpoint that is not well-formed");
    else if (!is_same(build, keep->build))
        hd_error_set(error, "a checkpoint of another build of heddle");
    else if (!is_same(asked, keep->asked))
        hd_error_set(error, "a checkpoint of another question: %s", asked ? asked : "none");
    else if (input != keep->input)
        hd_error_set(error, "a checkpoint of another input, or of what it was before it changed");
    else
        good = true;
    free(build);
    free(asked);
    return good;
}

static bool read_file(hd_engine_keep *keep, hd_error *error) {
    hd_vec_char file = {0};
    int cause = hd_file_read(keep->from, MOST_FILE, &file);
    bool good = false;
    if (cause)
        hd_error_set(error, "%s", hd_file_error(cause));
    else
        good = hd_engine_keep_parse(keep, &file, error);
    if (!good)
        hd_error_prefix(error, "%s: ", hd_text_name(keep->from));
    hd_vec_release(&file);
    return good;
}

/* A file, if something is there, or /dev/null. */
static bool is_file(const char *path, hd_error *error) {
    struct stat state;
    return stat(path, &state) != 0 || S_ISREG(state.st_mode) || S_ISCHR(state.st_mode) ||
           hd_error_set(error, "%s: not a file to keep a search in", hd_text_name(path));
}

/* It will be written after a minute: that it cannot be should be said before. */
static bool can_write(const char *path, hd_error *error) {
    struct stat state;
    if (stat(path, &state) == 0 && !S_ISREG(state.st_mode)) /* it is written in place */
        return access(path, W_OK) == 0 || hd_error_set(error, "%s: cannot write there: %s",
                                                       hd_text_name(path), strerror(errno));
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    char *folder = !slash ? hd_mem_string(".", 1) : hd_mem_string(path, length ? length : 1);
    bool good = *path && access(folder, W_OK | X_OK) == 0;
    int cause = errno;
    free(folder);
    if (!*path)
        return hd_error_set(error, "--checkpoint takes the name of a file");
    return good ||
           hd_error_set(error, "%s: cannot write there: %s", hd_text_name(path), strerror(cause));
}

bool hd_engine_keep_begin(hd_engine_keep *keep, uint64_t input, hd_error *error) {
    const hd_team *team = hd_team_current();
    bool writes = keep->to && (!team || !team->rank);
    if ((keep->from && !is_file(keep->from, error)) ||
        (writes && (!is_file(keep->to, error) || !can_write(keep->to, error))))
        return false;
    keep->began = hd_progress_clock();
    keep->input = input;
    if (!keep->build[0]) {
        char build[HD_LAUNCH_BUILD] = "unknown";
        hd_launch_build("/proc/self/exe", build);
        snprintf(keep->build, sizeof keep->build, "%s %.40s", HEDDLE_VERSION, build);
    }
    return !keep->from || read_file(keep, error);
}

bool hd_engine_keep_sum(const char *path, uint64_t *sum, hd_error *error) {
    hd_vec_char text = {0};
    bool good = strcmp(path, "-") != 0
                    ? hd_file_load(path, &text, error)
                    : hd_error_set(error, "a checkpoint needs a file, not standard input");
    *sum = good ? hd_bytes_sum(text.data, text.length) : 0;
    hd_vec_release(&text);
    return good;
}

const char *hd_engine_keep_constant(hd_engine_keep *keep, char *text) {
    for (size_t i = 0; text && i < keep->constants.length; i++)
        if (strcmp(keep->constants.data[i], text) == 0) {
            free(text);
            return keep->constants.data[i];
        }
    if (text)
        hd_vec_push(&keep->constants, text);
    return text;
}

void hd_engine_keep_release(hd_engine_keep *keep) {
    for (size_t i = 0; i < keep->constants.length; i++)
        free(keep->constants.data[i]);
    hd_vec_release(&keep->constants);
    hd_vec_release(&keep->state);
    hd_vec_release(&keep->frontier);
    hd_vec_release(&keep->prior);
    hd_vec_release(&keep->read);
    free(keep->asked);
}
