/*
 * The source files that a program and its own libraries were built from, and which of them are
 * instrumented, by their debugging information.  Libraries of the system do not count.
 *
 *     hd_native_files files = {0};
 *     hd_native_files_find(&files, "./server");
 *     ... files.blind
 *     hd_native_files_release(&files);
 */
#ifndef HD_NATIVE_FILES_H
#define HD_NATIVE_FILES_H

#include "base/base.h"

/* Paths from the root, without links; a file that was compiled both ways is in both. */
typedef struct hd_native_files {
    hd_names seen;  /* instrumented */
    hd_names blind; /* not; and modules of which the source is not known */
    hd_names bare;  /* instrumented modules with code that has no debugging information */
} hd_native_files;

void hd_native_files_find(hd_native_files *files, const char *program);
void hd_native_files_release(hd_native_files *files);

/* A path, of a file in a folder if it is not one from the root, in that form.  The file need not
 * exist; the folder may be NULL. */
void hd_native_files_path(const char *folder, const char *name, hd_vec_char *to);

#endif
