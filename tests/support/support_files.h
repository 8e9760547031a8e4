/*
 * Where tests find their data, and put what they write.
 */
#ifndef SUPPORT_FILES_H
#define SUPPORT_FILES_H

#include <stddef.h>

/* The path of one of tests/data/examples: in HEDDLE_TEST_DATA, or beside the tests,
 * wherever they were compiled from. */
void support_example_path(char *to, size_t size, const char *name);

/* A new empty file in TMPDIR, or /tmp. */
void support_temporary(char *to, size_t size, const char *name);

#endif
