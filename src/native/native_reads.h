/*
 * The accesses of a program's operations as a search by reads-from needs them (native_reads.c).
 */
#ifndef HD_NATIVE_READS_H
#define HD_NATIVE_READS_H

#include "native_program.h"

/* As hd_native_locations_enter.  True, too, if the operation is not supported. */
bool hd_native_reads_enter(hd_native_program *m, uint32_t thread, const heddle_wire_next *next,
                           bool succeeds, hd_machine_operation *operation,
                           hd_native_accesses *accesses);

/* The lock is tried; true if that is new. */
bool hd_native_reads_try(hd_native_program *m, uint64_t lock);

/* A copy must know what the machine knows; and takes over what the copy has found out: what is
 * supported may depend on runs of both. */
void hd_native_reads_copy(hd_native_program *to, const hd_native_program *from);
void hd_native_reads_learn(hd_native_program *m, const hd_native_program *copy);

/* native_reads_alone.c: the machine is renewed. */
void hd_native_reads_alone_renew(hd_native_program *m);

/* A run was executed; is there something in it that is not supported? */
void hd_native_reads_alone(hd_native_program *m, const hd_launch_log *log,
                           const heddle_wire_looks *looks);

/* Likewise, of words that one thread alone looks at. */
void hd_native_reads_alone_learn(hd_native_program *m, const hd_native_program *copy);

/* hd_machine_type.by_reads, lock_is_read and print. */
bool hd_native_reads_all(const hd_machine *machine);
bool hd_native_reads_lock(const hd_machine *machine, uint32_t location);
uint64_t hd_native_reads_print(hd_machine *machine);

#endif
