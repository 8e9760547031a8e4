/*
 * The compiler with our runtime: the command that `heddle cc` runs, and running it.
 */
#ifndef HD_LAUNCH_COMPILER_H
#define HD_LAUNCH_COMPILER_H

#include <stdio.h>

#include "base/base.h"

typedef struct hd_launch_command {
    HD_VEC(char *) words; /* NULL at the end */
} hd_launch_command;

/* The compiler is `compiler`; NULL: $HEDDLE_CC or else gcc ($HEDDLE_CXX, g++ for C++).  `arguments`
 * are passed on unchanged.  False if the runtime is not found. */
bool hd_launch_command_make(hd_launch_command *command, const char *compiler, bool cxx,
                            char **arguments, int count, hd_error *error);
void hd_launch_command_release(hd_launch_command *command);

/* The word for a source: one whose name would be an option, or a file of options (@file), has its
 * folder before it.  To be freed. */
char *hd_launch_command_source(const char *path);

/* Runs it and waits; it ends early if the tool does, or if the clock is over.  What it says goes to
 * the file; NULL: to the tool's own output.  False if it fails. */
bool hd_launch_command_run(const hd_launch_command *command, FILE *said);

/* Runs a program as it is, without its input and without heddle, for at most so many seconds; what
 * it prints to standard output goes to the file.  False if it fails. */
bool hd_launch_command_read(char **words, unsigned seconds, FILE *said);

/* Of what it said: the first line with an error of the system, such as a full disk; else the first
 * that speaks of an error, else the first line. */
void hd_launch_command_reason(FILE *said, char *why, size_t size);

/* Adds to the error how little room there is where the output is written, or temporary files are: a
 * linker that has none may end without a word about that. */
void hd_launch_command_room(const char *output, hd_error *error);

/* True after setting the error, if it was the clock that ended it. */
bool hd_launch_command_cut(const char *source, hd_error *error);

#endif
