/*
 * Uninstrumented functions that instrumented code calls while a program is explored.  They keep
 * state that threads share and that is not seen; so a call is a step on that state.  rt_foreign.def
 * says what the state of functions of well-known libraries is; others have one state for the whole
 * module.  As with memory, a call is a step only if more than one thread uses that state, and one
 * of them changes it (rt_shadow.c finds out).
 *
 * The calls are caught where instrumented modules have the addresses of such functions: rt_got.c
 * puts stubs there.
 */
#ifndef HD_RT_FOREIGN_H
#define HD_RT_FOREIGN_H

#include <stdio.h>

#include "rt.h"

/* --- rt_foreign.c --------------------------------------------------------------------------- */

/* The number of a function; HD_RT_ARCH_STUBS if there is no place.  `wide`: it may take wide
 * vectors. */
uint32_t hd_rt_foreign_number(const char *name, uintptr_t address, uint32_t module, bool *wide);

/* Does the table say that it accesses memory of the program, or not say what it does? */
bool hd_rt_foreign_accesses(const char *name, uint32_t module);

bool hd_rt_foreign_listed(uint32_t module); /* does the table have functions of that module? */

extern uint32_t hd_rt_foreign_on;              /* calls are looked at */
extern const uintptr_t *hd_rt_foreign_targets; /* by number */

void hd_rt_foreign_begin(void); /* of a run */

/* A program is recorded: what calls access is. */
void hd_rt_foreign_record(void);

/* The function is about to be called, with these arguments; where it is. */
uintptr_t hd_rt_foreign_call(uint32_t number, uintptr_t *arguments, uintptr_t code);

/* The thread, whose `callee` is set, has reached a point: is it a lock inside that function? */
void hd_rt_foreign_inside(const hd_rt_thread *thread);

/* The places of the program's memory that it uses, as `text` says (rt_foreign_memory.c).  How many
 * of them were steps. */
unsigned hd_rt_foreign_memory(const char *text, const uintptr_t *arguments, uint32_t number,
                              bool stateful, uintptr_t code);

/* Does it point into a module, as to a table of virtual functions? */
bool hd_rt_foreign_in_module(uintptr_t at);

/* --- rt_foreign_within.c --------------------------------------------------------------------- */

/* A call begins; its steps are about that memory, and about what is printed; they have been taken,
 * and the function is called. */
void hd_rt_foreign_enter(void);
void hd_rt_foreign_cover(uintptr_t at, size_t size);
void hd_rt_foreign_cover_output(void);
void hd_rt_foreign_stay(const uintptr_t *arguments, uintptr_t code);

/* What an access is, by the code that does it. */
enum hd_rt_within {
    HD_RT_APART,   /* the program's, or that of a library that has no steps for it */
    HD_RT_PRIVATE, /* a known library's, to its own data */
    HD_RT_COVERED, /* a step stands for it */
    HD_RT_AMIDST   /* in the middle of a call, and none does */
};
enum hd_rt_within hd_rt_foreign_access(const volatile void *address, size_t size, uintptr_t code);

/* A block, perhaps by such a function. */
void hd_rt_foreign_allocated(const void *block, size_t size);

/* Does the step of a call stand for the output to that file? */
bool hd_rt_foreign_printed(int file, uintptr_t code);

/* Is it an initialisation by a known library? */
bool hd_rt_foreign_initialises(uintptr_t code);

/* All of this, as a part of the state of a run. */
char *hd_rt_foreign_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* The table does not have the function, which is recorded. */
void hd_rt_foreign_unknown(uint32_t number);

/* It is not known what a call of the function does to memory: the answer says so. */
void hd_rt_foreign_lost(const char *name);

/* How large a type of that name is (rt_foreign_sizes.c). */
size_t hd_rt_foreign_size(const char *name, size_t length);

/* A function that the runtime interposes, and that has state as the table says: the same, at the
 * state itself.  `name` is that of the function, a constant. */
enum hd_rt_use { HD_RT_LOOKS, HD_RT_CHANGES };
void hd_rt_foreign_use(const char *name, const void *object, enum hd_rt_use use, uintptr_t code);

/* The same, at state of include/heddle/state.def. */
void hd_rt_foreign_state(const char *name, enum heddle_wire_kept which, enum hd_rt_use use,
                         uintptr_t code);

/* The first for a call that the runtime does itself: no answer rests on what is known of the C
 * library's. */
void hd_rt_foreign_instead(const char *name, const void *object, enum hd_rt_use use,
                           uintptr_t code);

/* A call makes that descriptor one of another file.  True if that was a step: it is one if it was
 * where standard output or standard error goes, and others write there. */
bool hd_rt_foreign_redirects(uint32_t number, int file, uintptr_t code);

/* A call sets that limit of the process.  True if that was a step on the state of all files, where
 * others meet it; what else is limited is not looked at, and said so. */
bool hd_rt_foreign_limits(uint32_t number, int resource, uintptr_t code);

/* A call makes the process one of another user or group. */
void hd_rt_foreign_identity(const char *name, uintptr_t code);

/* A call closes the file. */
void hd_rt_foreign_end(const char *name, int file, uintptr_t code);

/* A call reads from or writes to a file that is open, which has no variable (rt_file.h). */
void hd_rt_foreign_file(const char *name, int file, uintptr_t code);

/* The state of an ordinary file; 0: that of all of them (rt_ordinary.c). */
uint64_t hd_rt_ordinary(int file);

/* It is about to map other memory there, or none (`moves`), or to protect it. */
void hd_rt_foreign_remap(const char *name, const void *low, size_t size, bool moves,
                         uintptr_t code);

/* The same memory is at two places from now on. */
void hd_rt_foreign_twins(void);

/* Output to a stream: if that is standard output or standard error, and not one of the program's
 * own files, it matters only to a thread that does something else there. */
void hd_rt_foreign_print(const char *name, const void *stream, uintptr_t code);

/* The stream is flushed; NULL: all of them are. */
void hd_rt_foreign_flush(const char *name, const FILE *stream, uintptr_t code);

/* Those that were caught since the last run have other state from now on. */
void hd_rt_foreign_renew(void);

/* --- rt_kept.c ------------------------------------------------------------------------------ */

/* Has it memory of the program? */
bool hd_rt_kept(const FILE *stream);

/* A call uses the stream: what memory of the program that is.  True if that was a step. */
bool hd_rt_kept_use(const FILE *stream, uintptr_t code);
void hd_rt_kept_close(const FILE *stream);

/* --- rt_given.c ----------------------------------------------------------------------------- */

/* Does what is written to the stream go where standard output or standard error went at the start,
 * through memory of the C library alone? */
bool hd_rt_given_output(const FILE *stream);

/* Is the file what standard output was at the start, whatever its number is? */
bool hd_rt_given_is_output(int file);

/* And what comes out there is compared? */
bool hd_rt_given_is_compared(int file);

/* A file is opened to be written to.  If that is standard output under a name, such as /dev/stdout,
 * it is to be written on where the others are, as to a pipe: a duplicate of it, or a negative
 * number. */
int hd_rt_given_duplicate(int folder, const char *name, bool closes);

/* The number will be that of another file, after threads were made: what they printed, and is in a
 * buffer, goes there. */
void hd_rt_given_replaced(int file);

/* --- rt_globals.c --------------------------------------------------------------------------- */

/* Where the variable of the C library is, and its size; 0: the program has none such. */
void hd_rt_globals_find(void); /* first, when the modules are there */
uintptr_t hd_rt_global(const char *name, size_t length, size_t *size);
bool hd_rt_global_at(uintptr_t address); /* is one in the word there? */

/* --- rt_input.c ----------------------------------------------------------------------------- */

/* The program reads something that is not the same twice; or it reads that file, which may be. */
void hd_rt_input(const char *what);
void hd_rt_input_file(int file);
void hd_rt_input_stream(const FILE *stream);

/* A call may write to the file: what that changes, if /proc has it, is the state of no call. */
void hd_rt_input_changed(int file);

/* --- rt_audit.c ----------------------------------------------------------------------------- */

extern bool hd_rt_audit_on;   /* in the current run; else none of these may be called */
void hd_rt_audit_begin(void); /* of a run; always */
void hd_rt_audit_call(uint32_t number, bool stateless);
void hd_rt_audit_own(void);   /* always: the runtime itself calls what may change that memory */
void hd_rt_audit_end(void);   /* always: from now on it does so whenever it likes */
void hd_rt_audit_point(void); /* the current thread has reached one */
void hd_rt_audit_leave(const hd_rt_thread *thread); /* it goes on from one */

/* --- rt_got.c ------------------------------------------------------------------------------- */

/* All modules that are there now; again when there may be more. */
void hd_rt_got_patch(void);

/* The program has closed a library: modules that are not there any more are forgotten. */
void hd_rt_got_closed(void);

/* The number of the C library's module; and where std::cout, cerr and clog are, 0: nowhere. */
enum { HD_RT_STREAMS = 3 };
uint32_t hd_rt_got_libc(void);
extern uintptr_t hd_rt_got_streams[HD_RT_STREAMS];

/* Is the module that was loaded there without instrumentation, and not the runtime? */
bool hd_rt_got_foreign(uintptr_t base);

/* Is that data of a module whose functions are known, that the program may have a pointer to:
 * what such a function returned? */
bool hd_rt_got_private(uintptr_t address);

/* Is that one of the standard streams of C++? */
bool hd_rt_got_standard(uintptr_t address);

/* Is that in a part of a module that is never written? */
bool hd_rt_got_constant(uintptr_t address);

/* What the program is to get instead of a function's address. */
void *hd_rt_got_stub(const char *name, void *function);

/* Is that the code of an uninstrumented module? */
bool hd_rt_got_known(uintptr_t code);

/* Is that the code of an uninstrumented module whose functions are not all known?  Its number in
 * the list of modules, else HEDDLE_WIRE_MODULES. */
uint32_t hd_rt_got_inside(uintptr_t code);

#endif
