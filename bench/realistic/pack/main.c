/*
 *   pack [-w WORKERS] [-n BLOCKS] [-b SIZE] [-c BLOCK] [-o FILE] [-v] [FILE]
 *
 * Compresses FILE, or BLOCKS blocks of text that it makes up, and expands the result to see
 * whether it is right.  -c: the program asks itself to stop at that block.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pack.h"

static const char *const words[] = {"warp ", "weft ",   "shed ", "reed ",
                                    "loom ", "thread ", "beat "};

/* Text that compresses, different in each block. */
static void make_up(unsigned char *text, size_t size) {
    uint32_t state = 1;
    size_t at = 0;
    while (at < size) {
        const char *word;
        state = state * UINT32_C(1103515245) + 12345;
        word = words[(state >> 16) % (sizeof words / sizeof words[0])];
        for (; *word && at < size; word++)
            text[at++] = (unsigned char)*word;
    }
}

static unsigned char *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0, got;
    *size = 0;
    if (!file) {
        perror(name);
        exit(2);
    }
    do {
        if (*size == room) {
            room = 2 * room + 4096;
            bytes = realloc(bytes, room);
            if (!bytes)
                abort();
        }
        got = fread(bytes + *size, 1, room - *size, file);
        *size += got;
    } while (got > 0);
    fclose(file);
    return bytes;
}

static void write_file(const char *name, const output *o) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(o->bytes, 1, o->size, file) != o->size || fclose(file)) {
        perror(name);
        exit(2);
    }
}

/* Expands what was written: all of the input, or its beginning if the work was cancelled. */
static void verify(const job *j) {
    unsigned char expanded[MOST_BLOCK];
    size_t at = 0, done = 0;
    while (at < j->output.size) {
        size_t size = j->size - done < j->block_size ? j->size - done : j->block_size;
        size_t used = codec_unpack(j->output.bytes + at, j->output.size - at, expanded, size);
        assert(used > 0 && "a block can be expanded");
        assert(memcmp(expanded, j->input + done, size) == 0);
        at += used;
        done += size;
    }
    assert((done == j->size || j->cancel_at >= 0) && "every block was written");
}

static long number(const char *text, long least, long most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        fprintf(stderr, "pack: %s: not a number from %ld to %ld\n", text, least, most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    job j = {.block_size = 32, .cancel_at = -1, .workers = 2};
    size_t blocks = 4;
    const char *out = NULL;
    unsigned char *input;
    progress *p;
    bool verbose = false;
    int option;
    while ((option = getopt(argc, argv, "w:n:b:c:o:v")) >= 0)
        switch (option) {
        case 'w':
            j.workers = (int)number(optarg, 1, MOST_WORKERS);
            break;
        case 'n':
            blocks = (size_t)number(optarg, 0, 1000000);
            break;
        case 'b':
            j.block_size = (size_t)number(optarg, 1, MOST_BLOCK);
            break;
        case 'c':
            j.cancel_at = number(optarg, 0, 1000000);
            break;
        case 'o':
            out = optarg;
            break;
        case 'v':
            verbose = true;
            break;
        default:
            return 2;
        }
    if (optind < argc) {
        input = read_file(argv[optind], &j.size);
    } else {
        j.size = blocks * j.block_size;
        input = malloc(j.size + 1);
        if (!input)
            abort();
        make_up(input, j.size);
    }
    j.input = input;

    pool_open(WINDOW);
    order_open();
    queue_init(&j.queue);
    cancel_start(&j.queue);
    p = progress_start(&j.queue, verbose);
    run_job(&j);
    assert(progress_bytes_packed() >= j.output.size);
    progress_stop(p);
    cancel_stop();
    verify(&j);
    if (verbose)
        printf("%zu bytes to %zu%s\n", j.size, j.output.size, cancelled() ? ", cancelled" : "");
    if (out)
        write_file(out, &j.output);
    queue_release(&j.queue);
    pool_free();
    free(j.output.bytes);
    free(input);
    return 0;
}
