/*
 * The functions of the Competition on Software Verification (SV-COMP), for programs that are
 * written for it: under heddle they do what its rules say (doc/sv-comp.md).  Programs may also
 * declare them themselves, as most do.
 */
#ifndef HEDDLE_SVCOMP_H
#define HEDDLE_SVCOMP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void reach_error(void); /* a program that calls it is wrong */
void __VERIFIER_error(void);
void __VERIFIER_assert(int condition);

/* Runs where this does not hold do not count. */
void __VERIFIER_assume(int condition);
void assume_abort_if_not(int condition);

/* No other thread runs in between.  A function whose name begins with __VERIFIER_atomic_ is such a
 * section as a whole. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Inputs: choices of the search among a few values, or as heddle's option --inputs says. */
#ifndef __cplusplus
_Bool __VERIFIER_nondet_bool(void);
#else
bool __VERIFIER_nondet_bool(void);
#endif
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
size_t __VERIFIER_nondet_size_t(void);
void *__VERIFIER_nondet_pointer(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

#ifdef __cplusplus
}
#endif
#endif
