/*
 * Inline assembly: which text uses memory, and which functions are named for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "launch/launch_assembly.h"
#include "launch/launch_blind.h"
#include "support_suite.h"

static void expect(const char *text, bool harmless) {
    if (hd_launch_assembly_is_harmless(text, strlen(text)) != harmless)
        fail_msg("%s: %s", text, harmless ? "is harmless" : "uses memory");
}

static void barriers(void **state) {
    static const char *const texts[] = {"",
                                        "nop",
                                        "pause",
                                        "rep; nop",
                                        "rep nop",
                                        "mfence",
                                        "lfence\\n\\tsfence",
                                        "lock; addl $0,0(%%rsp)",
                                        "lock addl $0, -4(%%rsp)",
                                        "lock; orq $0x0, (%rsp)",
                                        "yield",
                                        "dmb ish",
                                        "dsb sy\\n\\tisb",
                                        "dmb ishld ;",
                                        "prefetcht0 (%0)",
                                        "prfm pldl1keep, [%0]",
                                        "wfe",
                                        "# a comment"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], true);
}

static void memory(void **state) {
    static const char *const texts[] = {"lock; incl (%0)",
                                        "lock xaddl %0, (%1)",
                                        "lock; addl $1,0(%%rsp)",
                                        "lock; addl $0,0(%%rdi)",
                                        "lock; addl $0,0(%%rsp,%%rax)",
                                        "lock; cmpxchg16b (%%rsi)",
                                        "1: movl (%1), %0",
                                        "1: 2: ldxr %w0, [%1]",
                                        "ldxr %w0, [%2]\\n\\tadd %w0, %w0, #1",
                                        "stxr %w1, %w0, [%2]",
                                        "ldadd %w0, %w1, [%2]",
                                        "casal %w0, %w1, [%2]",
                                        "swpal %w0, %w1, [%2]",
                                        "ldar %w0, [%[from]]",
                                        "rep movsb",
                                        "rep stosl",
                                        "rep; movsq",
                                        "xchgl %0, %a1",
                                        "movl counter(%%rip), %0",
                                        "incl counter",
                                        "call f",
                                        "push %0",
                                        ".byte 0xf0, 0xff, 0x07",
                                        ".inst 0xb8200020",
                                        ".pushsection .x\\n.popsection\\n.long 1",
                                        "mfence; movl %0, (%1)",
                                        "svc #0"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], false);
}

static void registers(void **state) {
    static const char *const texts[] = {"bsfq %1, %0",
                                        "mov %[out], %[in]",
                                        "addl %k[a], %k[b]",
                                        "1: subl $1, %0; jne 1b",
                                        "990: nop\\n.pushsection .note\\n.4byte 1\\n.popsection",
                                        "rolq $3, %%rdi; xchgq %%rbx, %%rbx",
                                        "cbnz %w1, 1b"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], true);
#if defined __aarch64__
    expect("mov x9, %0; orr x10, x10, x10", true);
    expect("cmp %w0, %w1\\n\\tcset %w2, eq", true);
    expect("add %0, %1, x3, lsl #2", true);
    expect("b.ne 1b", true);
    expect("mov %0, counter", false);
#endif
}

static void expect_names(const char *text, const char *names) {
    hd_vec_char lines = {0};
    hd_launch_blind_find(text, strlen(text), &lines);
    hd_vec_push(&lines, '\0');
    assert_string_equal(lines.data, names);
    hd_vec_release(&lines);
}

/* In the style of libck, liburcu and the Linux kernel. */
static void functions(void **state) {
    (void)state;
    expect_names("# 1 \"ck.h\"\n"
                 "static inline void ck_pr_inc_int(int *target) {\n"
                 "    __asm__ __volatile__(\"lock \" \"incl\" \" %0\"\n"
                 "                         : \"+m\" (*(int *)target) : : \"memory\", \"cc\");\n"
                 "}\n",
                 "ck_pr_inc_int ck.h:3\n");
    expect_names("# 1 \"ck.h\"\n"
                 "static inline unsigned ck_pr_md_load_uint(const unsigned *target) {\n"
                 "    long r = 0;\n"
                 "    __asm__ __volatile__(\"ldr\" \" %\" \"w\" \"0, [%1];\" : \"=r\" (r)"
                 " : \"r\" (target) : \"memory\"); return ((unsigned)r);\n"
                 "}\n",
                 "ck_pr_md_load_uint ck.h:3\n");
    expect_names("# 1 \"ck.h\"\n"
                 "static inline void ck_pr_stall(void) { __asm__ __volatile__(\"isb\" ::: "
                 "\"memory\"); return; }\n"
                 "static inline void ck_pr_fence_strict_load(void) { __asm__ __volatile__(\"dmb "
                 "ishld\" \"; isb\" ::: \"memory\"); }\n"
                 "static inline void ck_pr_barrier(void) { __asm__ __volatile__(\"\" ::: "
                 "\"memory\"); return; }\n"
                 "static inline void cmm_smp_mb(void) { __asm__ __volatile__ (\"lock; addl "
                 "$0,0(%%rsp)\":::\"memory\"); }\n",
                 "");
}

/* In the style of clang's headers, whose functions are inlined and not in the debugging
 * information. */
static void inlined(void **state) {
#define INLINED "static __inline__ void __attribute__((__always_inline__, __nodebug__)) "
    (void)state;
    expect_names("# 1 \"a.h\"\n" INLINED "_mm_put(char *p, __m128i a) {\n"
                 "    __builtin_ia32_maskmovdqu((__v16qi)a, (__v16qi)a, p);\n}\n" INLINED
                 "_mm_pass(char *p, __m128i a) {\n    _mm_put(p, a);\n}\n"
                 "# 1 \"b.c\"\nvoid one(void) {\n    _mm_put(v, w); _mm_put(v, u);\n}\n"
                 "void two(void) { _mm_pass(v, w); }\nvoid three(void) { v[0] = 1; }\n",
                 "one b.c:2\ntwo b.c:4\n");
    expect_names("# 1 \"a.h\"\n" INLINED "_mm256_put(__m256i *p, __m256i a) { *p = a; }\n" INLINED
                 "_mm256_pick(double const *p) { return *(const __v4df *)p; }\n" INLINED
                 "_mm_put(__m128i *p, __m128i a) { *p = a; }\n" INLINED
                 "_mm256_turn(__m256i a) { return (__m256i)((__v8si)a + (__v8si)a); }\n"
                 "# 1 \"b.c\"\nvoid one(void) { _mm256_put(v, w); }\n"
                 "void two(void) { _mm256_pick(v); }\nvoid three(void) { _mm_put(v, w); }\n"
                 "void four(void) { _mm256_turn(v); }\n",
                 "one b.c:1\ntwo b.c:2\n");
    expect_names("# 1 \"b.c\"\nvoid one(__m256i *p, __m256i a) { *p = a; }\n"
                 "void two(void) { w = __builtin_ia32_vbroadcastss_ps(v); }\n"
                 "void three(void) { w = __builtin_ia32_vbroadcastss(&v); }\n",
                 "three b.c:3\n");
#undef INLINED
}

SUPPORT_SUITE(test_launch_assembly) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers),  cmocka_unit_test(memory),  cmocka_unit_test(registers),
        cmocka_unit_test(functions), cmocka_unit_test(inlined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
