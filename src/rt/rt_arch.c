#include "rt_arch.h"

#include <sys/auxv.h>
#if defined __x86_64__
#include <cpuid.h>
#endif
#include <sys/syscall.h>
#include <unistd.h>

#include "rt.h"
#include "rt_string.h"

uint32_t hd_rt_arch_fast;
uint32_t hd_rt_arch_vectors;

#if defined __x86_64__

enum { SAVED_WORDS = 8 }; /* hd_rt_arch_modes, r15 r14 r13 r12 rbx rbp, return address */

/* Bytes that xsave needs for what the system has switched on; 0: the processor has no xsave. */
static uint32_t vector_bytes(void) {
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX) ||
        !__get_cpuid_count(0xd, 0, &a, &b, &c, &d))
        return 0;
    return b + 64;
}

/* push number; jmp *to */
void hd_rt_arch_stub(uint32_t *code, uint32_t number, const uintptr_t *to) {
    unsigned char *at = (unsigned char *)code;
    int64_t away = (intptr_t)to - ((intptr_t)at + 11);
    at[0] = 0x68;
    __builtin_memcpy(at + 1, &number, 4);
    at[5] = 0xff;
    at[6] = 0x25;
    __builtin_memcpy(at + 7, &away, 4);
}

void hd_rt_arch_init(void) {
    hd_rt_arch_vectors = vector_bytes();
    hd_rt_arch_fast = (getauxval(AT_HWCAP2) & 2) != 0;
    /* A shadow stack cannot follow a change of stacks; switch it off, where it is on. */
    hd_rt_syscall(SYS_arch_prctl, 0x5002, 1, 0, 0, 0, 0);
}

uintptr_t hd_rt_arch_prepare(uintptr_t stack_top, void (*entry)(void *), void *argument) {
    /* enter is reached by `ret` with the stack aligned, so that its own call is right. */
    uintptr_t *stack = (uintptr_t *)(stack_top & ~(uintptr_t)15) - SAVED_WORDS;
    hd_rt_zero(stack, SAVED_WORDS * sizeof *stack);
    hd_rt_arch_modes(stack);
    stack[3] = (uintptr_t)argument; /* r13 */
    stack[4] = (uintptr_t)entry;    /* r12 */
    stack[7] = (uintptr_t)hd_rt_arch_enter;
    return (uintptr_t)stack;
}

#elif defined __aarch64__

enum { SAVED_WORDS = 22 };

/* mov w16, number; ldr x17, to; br x17 */
void hd_rt_arch_stub(uint32_t *code, uint32_t number, const uintptr_t *to) {
    int64_t away = ((intptr_t)to - (intptr_t)(code + 1)) / 4;
    code[0] = 0x52800010 | number << 5;
    code[1] = 0x58000011 | ((uint32_t)away & 0x7ffff) << 5;
    code[2] = 0xd61f0220;
    __builtin___clear_cache((char *)code, (char *)(code + 3));
}

void hd_rt_arch_init(void) {
    hd_rt_arch_fast = 1;
}

uintptr_t hd_rt_arch_prepare(uintptr_t stack_top, void (*entry)(void *), void *argument) {
    uintptr_t *stack = (uintptr_t *)(stack_top & ~(uintptr_t)15) - SAVED_WORDS;
    hd_rt_zero(stack, SAVED_WORDS * sizeof *stack);
    stack[1] = (uintptr_t)hd_rt_arch_enter; /* x30 */
    stack[2] = (uintptr_t)entry;            /* x19 */
    stack[3] = (uintptr_t)argument;         /* x20 */
    hd_rt_arch_modes(stack + 20);
    return (uintptr_t)stack;
}

#endif

long hd_rt_syscall(long number, long a, long b, long c, long d, long e, long f) {
#if defined __x86_64__
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#endif
}
