/*
 * The compiler with our runtime: the command that `heddle cc` runs.
 */
#ifndef HD_LAUNCH_COMPILER_H
#define HD_LAUNCH_COMPILER_H

#include "base/base.h"

typedef struct hd_launch_command {
    HD_VEC(char *) words; /* NULL at the end */
} hd_launch_command;

/* The compiler is `compiler` or else gcc (g++ for C++); `arguments` are passed on unchanged.  False
 * if the runtime is not found. */
bool hd_launch_command_make(hd_launch_command *command, const char *compiler, bool cxx,
                            char **arguments, int count, hd_error *error);
void hd_launch_command_release(hd_launch_command *command);

#endif
