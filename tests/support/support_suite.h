/*
 * A suite of tests is a function with the arguments of main.  A program has many of them, since
 * linking one takes longer than running it:
 *
 *     SUPPORT_SUITE(test_witness) { ... return cmocka_run_group_tests(tests, NULL, NULL); }
 *
 * The program is made of such files and of support_suites.c, which runs the suite that is named on
 * the command line, with the words after its name.
 */
#ifndef SUPPORT_SUITE_H
#define SUPPORT_SUITE_H

#define SUPPORT_SUITE(name)                                                                        \
    int name(int argc, char **argv);                                                               \
    int name(__attribute__((unused)) int argc, __attribute__((unused)) char **argv)

/* Whether the build has a sanitizer, which makes everything several times as slow and memory
 * larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUPPORT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SUPPORT_SANITIZED 1
#endif
#endif
#ifndef SUPPORT_SANITIZED
#define SUPPORT_SANITIZED 0
#endif

#endif
