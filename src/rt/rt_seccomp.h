/*
 * Filters of system calls, as programs for the kernel: what rt_filter.c and rt_world.c share.
 */
#ifndef HD_RT_SECCOMP_H
#define HD_RT_SECCOMP_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { CODE_ROOM = 256 }; /* bytes of hd_rt_syscall, at most */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define IF(comparison, with, yes, no) BPF_JUMP(BPF_JMP | (comparison) | BPF_K, with, yes, no)

/* Calls of another architecture are answered so; those by code from low to high are allowed; of the
 * others the number is loaded.  The address is little-endian: its low half comes first. */
#define OTHERS_THAN_OWN(answer, low, high)                                                         \
    LOAD(arch), IF(BPF_JEQ, ARCHITECTURE, 1, 0), RETURN(answer),                                   \
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                                                         \
                 offsetof(struct seccomp_data, instruction_pointer) + 4),                          \
        IF(BPF_JEQ, (uint32_t)((low) >> 32), 0, 4), LOAD(instruction_pointer),                     \
        IF(BPF_JGE, (uint32_t)(low), 0, 2), IF(BPF_JGE, (uint32_t)(high), 1, 0),                   \
        RETURN(SECCOMP_RET_ALLOW), LOAD(nr)

#endif
