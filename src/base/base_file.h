/*
 * Output files that appear whole or not at all: what is written goes to a file
 * beside the wanted one, which takes its name only when every write and the
 * close went well and the bytes are on the disk.  A path of "-" is standard output.
 *
 *     hd_file *file = hd_file_create(path, &error);
 *     hd_file_write(file, data, size) ...            errors are kept
 *     if (!hd_file_commit(file, &error)) ...         or hd_file_abandon(file)
 *
 * What is not a regular file (a pipe, /dev/null) is written directly.  A file that a command reads
 * is not replaced by one that it writes (hd_file_protect).
 *
 * And input files that are read whole.
 */
#ifndef HD_BASE_FILE_H
#define HD_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base_error.h"
#include "base_vec.h"

typedef struct hd_file hd_file;

hd_file *hd_file_create(const char *path, hd_error *error);

/* The same for a file that is read and written by design: a baseline, a checkpoint. */
hd_file *hd_file_renew(const char *path, hd_error *error);

/* The regular file at this path, if there is one, is an input: from now on hd_file_create refuses
 * to replace it, by whatever path it is called.  Not to be called by two threads at once. */
void hd_file_protect(const char *path);

/* Is it such a file?  False with an error. */
bool hd_file_may_replace(const char *path, hd_error *error);
void hd_file_write(hd_file *file, const void *data, size_t size);
void hd_file_print(hd_file *file, const char *format, ...) HD_PRINTF(2, 3);

/* Room for `size` bytes (at most 128 KiB) to write in place; hd_file_advance says
 * how many of them were used. */
char *hd_file_reserve(hd_file *file, size_t size);
void hd_file_advance(hd_file *file, size_t size);

uint64_t hd_file_offset(const hd_file *file); /* bytes written so far */
bool hd_file_failed(const hd_file *file);     /* stop early on a full disk */
bool hd_file_commit(hd_file *file, hd_error *error);

/* The same at once, though others are put in place together: what must be there if heddle is
 * killed. */
bool hd_file_commit_now(hd_file *file, hd_error *error);
void hd_file_abandon(hd_file *file);

/* Between the two, files that this thread commits take their names some at a time, and all by the
 * end; an error may be that of an earlier file.  For many small files: a sync of each and of its
 * folder takes tens of milliseconds, those of many together little more.  They may nest. */
void hd_file_batch_begin(void);
bool hd_file_batch_end(hd_error *error);

/* Could a file not be written, for another reason than the clock? */
bool hd_file_unwritten(void);

/* A file to read from, so that neither this nor hd_file_wait and read(2) after it wait beyond the
 * clock; -1 and errno. */
int hd_file_open(const char *path);

/* The same to have a look at what will be read again: a regular file only (else -1), as what is
 * read of a pipe is gone.  "-" counts as a
 * pipe. */
int hd_file_peek(const char *path);

/* Waits until a byte can be read, or the end.  False: the clock (base_clock.h) was over before, or
 * it was `until` by hd_progress_clock (0: no such time). */
bool hd_file_wait(int fd, double until);

/* What an errno means; of ETIME, that the limit on time came before the end of the file; of EFBIG,
 * that it is a device which gave so much that it has no end. */
const char *hd_file_error(int number);

/* Adds the whole of a file ("-": of standard input); of one with more than `limit` bytes only so
 * much that the caller sees it: `limit` + 1.  A NUL follows, which does not count.  The cause of a
 * failure (errno; ETIME: the clock was over; EFBIG: a device without an end), or 0. */
int hd_file_read(const char *path, size_t limit, hd_vec_char *to);

/* The same without a limit but the memory budget, and with an error that names the file. */
bool hd_file_load(const char *path, hd_vec_char *to, hd_error *error);

/* The folder for temporary files. */
const char *hd_file_temporary(void);

#endif
