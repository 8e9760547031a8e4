#include "trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 20 };

bool hd_trace_input_open(hd_trace_input *input, const char *path, hd_error *error) {
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? dup(STDIN_FILENO) : hd_file_open(path);
    const char *name = standard ? "standard input" : path;
    if (fd < 0)
        return hd_error_set(error, "%s: %s", *name ? name : "''", strerror(errno));
    *input = (hd_trace_input){.fd = fd, .name = hd_mem_string(name, strlen(name))};
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        input->size = (uint64_t)status.st_size;
    return true;
}

void hd_trace_input_memory(hd_trace_input *input, const void *data, size_t size, const char *name) {
    *input = (hd_trace_input){.fd = -1,
                              .at = data,
                              .end = (const char *)data + size,
                              .window = data,
                              .finished = true,
                              .size = size,
                              .name = hd_mem_string(name, strlen(name))};
}

void hd_trace_input_close(hd_trace_input *input) {
    if (input->fd >= 0)
        close(input->fd);
    free(input->buffer);
    free(input->name);
}

static void slide(hd_trace_input *input, size_t wanted) {
    size_t left = hd_trace_input_left(input);
    if (input->window)
        input->consumed += (uint64_t)(input->at - input->window);
    if (left)
        memmove(input->buffer, input->at, left);
    if (input->capacity < wanted + READ_SIZE) {
        input->capacity = wanted + READ_SIZE;
        input->buffer = hd_mem_resize(input->buffer, input->capacity, 1);
    }
    input->window = input->at = input->buffer;
    input->end = input->buffer + left;
}

bool hd_trace_input_fill(hd_trace_input *input, size_t wanted, hd_error *error) {
    if (input->finished || hd_trace_input_left(input) >= wanted)
        return true;
    slide(input, wanted);
    while (!input->finished && hd_trace_input_left(input) < wanted) {
        bool came = input->consumed || input->end > input->window;
        if (!hd_file_wait(input->fd, came ? input->until : 0)) {
            input->finished = input->late = true;
            return input->timed || hd_error_set(error, "%s: %s", input->name, hd_file_error(ETIME));
        }
        size_t used = (size_t)(input->end - input->buffer);
        ssize_t got = read(input->fd, input->buffer + used, input->capacity - used);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got < 0)
            return hd_error_set(error, "%s: %s", input->name, strerror(errno));
        input->finished = got == 0;
        input->end += got;
    }
    return true;
}
