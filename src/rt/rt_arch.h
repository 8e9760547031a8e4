/*
 * Code that depends on the processor: switching from one thread's stack and thread pointer to
 * another's, and the registers of a signal's context.  The code is in rt_arch.S.
 */
#ifndef HD_RT_ARCH_H
#define HD_RT_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* Keeps the registers that a call preserves on this stack, its address in *save,
 * and goes on where `to` was saved, with that thread's pointer. */
void hd_rt_arch_switch(uintptr_t *save, uintptr_t to, uintptr_t thread_pointer);

/* Non-zero: user code may write the FS base (x86_64). */
extern uint32_t hd_rt_arch_fast;

/* Calls r12(r13) (x19(x20)) at the bottom of a new stack. */
void hd_rt_arch_enter(void);

void hd_rt_arch_init(void);

/* A stub for the function with that number: HD_RT_ARCH_STUB bytes of code, in a page whose first
 * two words are the addresses of the next two, the second for what may take wide vectors (of more
 * than 128 bits).  They ask hd_rt_foreign_call (rt_foreign.c) before the function is called; or,
 * if hd_rt_foreign_on is 0, they just go to hd_rt_foreign_targets[number].  The first arguments
 * that it gets were in registers; the words from HD_RT_ARCH_STACKED on are the others. */
enum { HD_RT_ARCH_STUB = 16, HD_RT_ARCH_STUBS = 1 << 16 /* at most */ };
#if defined __x86_64__
enum { HD_RT_ARCH_REGISTERS = 6, HD_RT_ARCH_STACKED = 10 };
#else
enum { HD_RT_ARCH_REGISTERS = 8, HD_RT_ARCH_STACKED = 26 };
#endif
void hd_rt_arch_foreign(void);
void hd_rt_arch_foreign_wide(void);
void hd_rt_arch_stub(uint32_t *code, uint32_t number, const uintptr_t *to);
extern uint32_t hd_rt_arch_vectors; /* bytes to keep all vector registers in; 0: 128 bits do */

/* A stack as hd_rt_arch_switch leaves it, that goes on by calling entry(argument). */
uintptr_t hd_rt_arch_prepare(uintptr_t stack_top, void (*entry)(void *), void *argument);

/* Calls work(argument) with another stack, below `top`. */
void hd_rt_arch_on_stack(uintptr_t top, void (*work)(void *), void *argument);

/* A stack for handlers must have as many bytes, says the kernel. */
#if defined __x86_64__
#define HD_RT_ARCH_LEAST_STACK 2048
#else
#define HD_RT_ARCH_LEAST_STACK 5120
#endif

static inline uintptr_t hd_rt_arch_thread_pointer(void) {
#if defined __x86_64__
    uintptr_t pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* How floating-point numbers are computed, and what flags are set: each thread has its own, a new
 * one what its creator has then, as on Linux.  x86_64: MXCSR, and the control and the status word
 * of the x87.  aarch64: FPCR and FPSR. */
#if defined __x86_64__
#define HD_RT_ARCH_MODES 1

static inline void hd_rt_arch_modes(uint64_t *to) {
    uint32_t mxcsr;
    uint16_t control, status;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2"
                     : "=m"(mxcsr), "=m"(control), "=m"(status));
    to[0] = mxcsr | (uint64_t)control << 32 | (uint64_t)(status & 0x7f) << 48;
}

static inline void hd_rt_arch_set_modes(const uint64_t *modes) {
    uint32_t mxcsr = (uint32_t)modes[0];
    uint16_t environment[14]; /* words 0 and 2: control and status */
    __asm__ volatile("fnstenv %0" : "=m"(environment));
    environment[0] = (uint16_t)(modes[0] >> 32);
    environment[2] = (uint16_t)((environment[2] & 0x3800) | modes[0] >> 48);
    __asm__ volatile("fldenv %0\n\tldmxcsr %1" : : "m"(environment), "m"(mxcsr));
}

/* What a handler of a signal begins with. */
static inline void hd_rt_arch_usual_modes(void) {
    hd_rt_arch_set_modes(&(const uint64_t){0x037f00001f80});
}
#else
#define HD_RT_ARCH_MODES 2

static inline void hd_rt_arch_modes(uint64_t *to) {
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=&r"(to[0]), "=r"(to[1]));
}

static inline void hd_rt_arch_set_modes(const uint64_t *modes) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(modes[0]), "r"(modes[1]));
}

/* A handler of a signal begins with those of what it interrupts. */
static inline void hd_rt_arch_usual_modes(void) {
}
#endif

/* Floating-point registers that a call preserves, as they are now, and the modes. */
#if defined __x86_64__
#define HD_RT_ARCH_FLOATS HD_RT_ARCH_MODES

static inline void hd_rt_arch_floats(uint64_t *to) {
    hd_rt_arch_modes(to);
}
#else
#define HD_RT_ARCH_FLOATS (8 + HD_RT_ARCH_MODES)

static inline void hd_rt_arch_floats(uint64_t *to) {
    __asm__ volatile("stp d8, d9, [%0]\n\t"
                     "stp d10, d11, [%0, #16]\n\t"
                     "stp d12, d13, [%0, #32]\n\t"
                     "stp d14, d15, [%0, #48]"
                     :
                     : "r"(to)
                     : "memory");
    hd_rt_arch_modes(to + 8);
}
#endif

/* How the compiler reads the guard of a static object of C++: 1 or 8 bytes, as a power of two. */
#if defined __x86_64__
#define HD_RT_ARCH_GUARD 0
#else
#define HD_RT_ARCH_GUARD 3
#endif

/* Of a system call that a signal stopped, by the signal handler's context: its arguments, and
 * what it is to return. */
static inline uintptr_t hd_rt_arch_argument(const void *context, unsigned number) {
    const ucontext_t *at = context;
#if defined __x86_64__
    static const uint8_t places[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    return (uintptr_t)at->uc_mcontext.gregs[places[number]];
#else
    return (uintptr_t)at->uc_mcontext.regs[number];
#endif
}

/* The instruction that it stopped at. */
static inline uintptr_t hd_rt_arch_code(const void *context) {
    const ucontext_t *at = context;
#if defined __x86_64__
    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)at->uc_mcontext.pc;
#endif
}

static inline void hd_rt_arch_result(void *context, long result) {
    ucontext_t *at = context;
#if defined __x86_64__
    at->uc_mcontext.gregs[REG_RAX] = result;
#else
    at->uc_mcontext.regs[0] = (uint64_t)result;
#endif
}

/* Pieces of memory from this size on, whole words, are copied by this: unseen, and as fast as
 * the processor can. */
#if defined __x86_64__
#define HD_RT_ARCH_LARGE 1024

static inline void hd_rt_arch_copy(void *to, const void *from, size_t size) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
}
#else
#define HD_RT_ARCH_LARGE 64

static inline void hd_rt_arch_copy(void *to, const void *from, size_t size) {
    for (; size >= 64; size -= 64)
        __asm__ volatile("ldp q0, q1, [%1], #32\n\t"
                         "ldp q2, q3, [%1], #32\n\t"
                         "stp q0, q1, [%0], #32\n\t"
                         "stp q2, q3, [%0], #32"
                         : "+r"(to), "+r"(from)
                         :
                         : "v0", "v1", "v2", "v3", "memory");
    for (; size; size -= 8)
        __asm__ volatile("ldr x9, [%1], #8\n\tstr x9, [%0], #8"
                         : "+r"(to), "+r"(from)
                         :
                         : "x9", "memory");
}
#endif

#endif
