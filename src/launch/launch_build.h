/*
 * Which build of a program this is.
 */
#ifndef HD_LAUNCH_BUILD_H
#define HD_LAUNCH_BUILD_H

#include "launch_run.h"

/* Identifies this build of a program, as text of at most 2 * 32 digits: the linker's build id, else
 * a checksum of the file.  False if the file cannot be read. */
enum { HD_LAUNCH_BUILD = 65 };
bool hd_launch_build(const char *path, char *to);
bool hd_launch_run_build(const hd_launch_run *run, char *to); /* of the program that ran */

#endif
