#include "engine_world.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "heddle/wire.h"

void hd_engine_world_name(const char *trace, hd_vec_char *to) {
    hd_vec_clear(to);
    hd_text_append(to, "%s.outside", trace);
}

bool hd_engine_world_begin(const char *path, hd_error *error) {
    if (strlen(path) >= HEDDLE_WIRE_PATH)
        return hd_error_set(error, "%s: the name is too long", hd_text_name(path));
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return hd_error_set(error, "%s: cannot write: %s", hd_text_name(path), strerror(errno));
    close(file);
    return true;
}

void hd_engine_world_end(const char *path, const hd_launch_run *run) {
    heddle_world_head head = {0};
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool good = file >= 0 && pread(file, &head, sizeof head, 0) == sizeof head &&
                head.magic == HEDDLE_WORLD_MAGIC && run->wire->world_on &&
                ftruncate(file, (off_t)head.used) == 0;
    if (file >= 0)
        close(file);
    if (!good) {
        unlink(path);
        hd_log_write(HD_LOG_WARNING, "what came from outside could not be kept");
    } else if (run->wire->world_lost)
        hd_log_write(HD_LOG_WARNING, "%s: there was no room for all that came from outside",
                     hd_text_name(path));
}

bool hd_engine_world_is_there(const char *path) {
    return access(path, R_OK) == 0;
}
