/*
 * The text of inline assembly, as far as it says whether memory is used that no operand tells of.
 * Both architectures: x86_64 in AT&T syntax, and aarch64.
 */
#ifndef HD_LAUNCH_ASSEMBLY_H
#define HD_LAUNCH_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

/* True only if every instruction is a barrier, a hint, or works on registers: it then changes
 * nothing that another thread can see, and sees nothing of others.  `lock; addl $0, (%rsp)` is a
 * barrier, too.  The text is as in the source, with \n as two characters. */
bool hd_launch_assembly_is_harmless(const char *text, size_t length);

#endif
