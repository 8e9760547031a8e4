/*
 * What heddle cc and heddle c++ include before every file.  -fno-builtin-memcpy makes memcpy an
 * ordinary call, which the runtime sees; but a program, or a header of the C++ library, may write
 * __builtin_memcpy, and then the compiler may use instructions of its own without announcing them.
 * Here these names are macros that call the functions of the C library.
 *
 * What is constant stays so: the length of a literal may be the size of an array, and functions of
 * C++ may be constexpr.
 *
 * -DHEDDLE_NO_BUILTINS leaves all as it is.
 */

/* Functions whose accesses are not announced, as heddle cc found them, for heddle explore. */
#if defined HEDDLE_UNSEEN && !defined __ASSEMBLER__
__asm__(".pushsection .heddle.unseen,\"\",%progbits\n\t.ascii \"" HEDDLE_UNSEEN
        "\"\n\t.popsection");
#endif
#if !defined __ASSEMBLER__ && !defined HEDDLE_NO_BUILTINS && !defined HEDDLE_BUILTINS_H
#define HEDDLE_BUILTINS_H
#pragma GCC system_header

#if !defined __cplusplus
#define HEDDLE_CALLS 1
#define HEDDLE_EITHER(constant, builtin, call) __builtin_choose_expr(constant, builtin, call)
#define HEDDLE_IF_CONSTANT(builtin, call)                                                          \
    HEDDLE_EITHER(__builtin_constant_p(builtin), builtin, call)
#define HEDDLE_EFFECT(builtin, call) call
#elif (defined __clang__ && __clang_major__ >= 9) || (!defined __clang__ && __GNUC__ >= 9)
#define HEDDLE_CALLS 1
#define HEDDLE_IF_CONSTANT(builtin, call)                                                          \
    (__builtin_is_constant_evaluated() || __builtin_constant_p(builtin) ? builtin : call)
#define HEDDLE_EFFECT(builtin, call) (__builtin_is_constant_evaluated() ? builtin : call)
#endif

#if defined HEDDLE_CALLS

#if defined __cplusplus
extern "C" {
#define HEDDLE_NAME(name) ::heddle_##name
#else
#define HEDDLE_NAME(name) heddle_##name
#endif

#define HEDDLE_DECLARE(result, name, parameters)                                                   \
    extern result heddle_##name parameters __asm__(#name) __attribute__((__nothrow__));

typedef __SIZE_TYPE__ heddle_size;

HEDDLE_DECLARE(void *, memcpy, (void *, const void *, heddle_size))
HEDDLE_DECLARE(void *, memmove, (void *, const void *, heddle_size))
HEDDLE_DECLARE(void *, mempcpy, (void *, const void *, heddle_size))
HEDDLE_DECLARE(void *, memset, (void *, int, heddle_size))
HEDDLE_DECLARE(int, memcmp, (const void *, const void *, heddle_size))
HEDDLE_DECLARE(void *, memchr, (const void *, int, heddle_size))
HEDDLE_DECLARE(int, bcmp, (const void *, const void *, heddle_size))
HEDDLE_DECLARE(void, bcopy, (const void *, void *, heddle_size))
HEDDLE_DECLARE(void, bzero, (void *, heddle_size))
HEDDLE_DECLARE(char *, strcpy, (char *, const char *))
HEDDLE_DECLARE(char *, strncpy, (char *, const char *, heddle_size))
HEDDLE_DECLARE(char *, strcat, (char *, const char *))
HEDDLE_DECLARE(char *, strncat, (char *, const char *, heddle_size))
HEDDLE_DECLARE(char *, stpcpy, (char *, const char *))
HEDDLE_DECLARE(char *, stpncpy, (char *, const char *, heddle_size))
HEDDLE_DECLARE(heddle_size, strlen, (const char *))
HEDDLE_DECLARE(heddle_size, strnlen, (const char *, heddle_size))
HEDDLE_DECLARE(int, strcmp, (const char *, const char *))
HEDDLE_DECLARE(int, strncmp, (const char *, const char *, heddle_size))
HEDDLE_DECLARE(int, strcasecmp, (const char *, const char *))
HEDDLE_DECLARE(int, strncasecmp, (const char *, const char *, heddle_size))
HEDDLE_DECLARE(char *, strchr, (const char *, int))
HEDDLE_DECLARE(char *, strrchr, (const char *, int))
HEDDLE_DECLARE(char *, index, (const char *, int))
HEDDLE_DECLARE(char *, rindex, (const char *, int))
HEDDLE_DECLARE(char *, strstr, (const char *, const char *))
HEDDLE_DECLARE(char *, strpbrk, (const char *, const char *))
HEDDLE_DECLARE(heddle_size, strspn, (const char *, const char *))
HEDDLE_DECLARE(heddle_size, strcspn, (const char *, const char *))
HEDDLE_DECLARE(char *, strdup, (const char *))
HEDDLE_DECLARE(char *, strndup, (const char *, heddle_size))
HEDDLE_DECLARE(void *, __memcpy_chk, (void *, const void *, heddle_size, heddle_size))
HEDDLE_DECLARE(void *, __memmove_chk, (void *, const void *, heddle_size, heddle_size))
HEDDLE_DECLARE(void *, __mempcpy_chk, (void *, const void *, heddle_size, heddle_size))
HEDDLE_DECLARE(void *, __memset_chk, (void *, int, heddle_size, heddle_size))
HEDDLE_DECLARE(char *, __strcpy_chk, (char *, const char *, heddle_size))
HEDDLE_DECLARE(char *, __strncpy_chk, (char *, const char *, heddle_size, heddle_size))
HEDDLE_DECLARE(char *, __strcat_chk, (char *, const char *, heddle_size))
HEDDLE_DECLARE(char *, __strncat_chk, (char *, const char *, heddle_size, heddle_size))
HEDDLE_DECLARE(char *, __stpcpy_chk, (char *, const char *, heddle_size))
extern int heddle_sprintf(char *, const char *, ...) __asm__("sprintf")
    __attribute__((__nothrow__, __format__(__printf__, 2, 3)));
extern int heddle_snprintf(char *, heddle_size, const char *, ...) __asm__("snprintf")
    __attribute__((__nothrow__, __format__(__printf__, 3, 4)));
extern int heddle_vsprintf(char *, const char *, __builtin_va_list) __asm__("vsprintf")
    __attribute__((__nothrow__, __format__(__printf__, 2, 0)));
extern int heddle_vsnprintf(char *, heddle_size, const char *,
                            __builtin_va_list) __asm__("vsnprintf")
    __attribute__((__nothrow__, __format__(__printf__, 3, 0)));

#if defined __cplusplus
}
#endif

#define __builtin_memcpy(...)                                                                      \
    HEDDLE_EFFECT(__builtin_memcpy(__VA_ARGS__), HEDDLE_NAME(memcpy)(__VA_ARGS__))
#define __builtin_memmove(...)                                                                     \
    HEDDLE_EFFECT(__builtin_memmove(__VA_ARGS__), HEDDLE_NAME(memmove)(__VA_ARGS__))
#define __builtin_mempcpy(...) HEDDLE_NAME(mempcpy)(__VA_ARGS__)
#define __builtin_memset(...)                                                                      \
    HEDDLE_EFFECT(__builtin_memset(__VA_ARGS__), HEDDLE_NAME(memset)(__VA_ARGS__))
#define __builtin_bcopy(...) HEDDLE_NAME(bcopy)(__VA_ARGS__)
#define __builtin_bzero(...) HEDDLE_NAME(bzero)(__VA_ARGS__)
#define __builtin_strcpy(...) HEDDLE_NAME(strcpy)(__VA_ARGS__)
#define __builtin_strncpy(...) HEDDLE_NAME(strncpy)(__VA_ARGS__)
#define __builtin_strcat(...) HEDDLE_NAME(strcat)(__VA_ARGS__)
#define __builtin_strncat(...) HEDDLE_NAME(strncat)(__VA_ARGS__)
#define __builtin_stpcpy(...) HEDDLE_NAME(stpcpy)(__VA_ARGS__)
#define __builtin_stpncpy(...) HEDDLE_NAME(stpncpy)(__VA_ARGS__)
#define __builtin_strdup(...) HEDDLE_NAME(strdup)(__VA_ARGS__)
#define __builtin_strndup(...) HEDDLE_NAME(strndup)(__VA_ARGS__)
#define __builtin___memcpy_chk(...) HEDDLE_NAME(__memcpy_chk)(__VA_ARGS__)
#define __builtin___memmove_chk(...) HEDDLE_NAME(__memmove_chk)(__VA_ARGS__)
#define __builtin___mempcpy_chk(...) HEDDLE_NAME(__mempcpy_chk)(__VA_ARGS__)
#define __builtin___memset_chk(...) HEDDLE_NAME(__memset_chk)(__VA_ARGS__)
#define __builtin___strcpy_chk(...) HEDDLE_NAME(__strcpy_chk)(__VA_ARGS__)
#define __builtin___strncpy_chk(...) HEDDLE_NAME(__strncpy_chk)(__VA_ARGS__)
#define __builtin___strcat_chk(...) HEDDLE_NAME(__strcat_chk)(__VA_ARGS__)
#define __builtin___strncat_chk(...) HEDDLE_NAME(__strncat_chk)(__VA_ARGS__)
#define __builtin___stpcpy_chk(...) HEDDLE_NAME(__stpcpy_chk)(__VA_ARGS__)
#define __builtin_sprintf(...) HEDDLE_NAME(sprintf)(__VA_ARGS__)
#define __builtin_snprintf(...) HEDDLE_NAME(snprintf)(__VA_ARGS__)
#define __builtin_vsprintf(...) HEDDLE_NAME(vsprintf)(__VA_ARGS__)
#define __builtin_vsnprintf(...) HEDDLE_NAME(vsnprintf)(__VA_ARGS__)

#define __builtin_memcmp(...)                                                                      \
    HEDDLE_IF_CONSTANT(__builtin_memcmp(__VA_ARGS__), HEDDLE_NAME(memcmp)(__VA_ARGS__))
#define __builtin_bcmp(...)                                                                        \
    HEDDLE_IF_CONSTANT(__builtin_bcmp(__VA_ARGS__), HEDDLE_NAME(bcmp)(__VA_ARGS__))
#define __builtin_memchr(...)                                                                      \
    HEDDLE_EFFECT(__builtin_memchr(__VA_ARGS__), HEDDLE_NAME(memchr)(__VA_ARGS__))
#define __builtin_strlen(...)                                                                      \
    HEDDLE_IF_CONSTANT(__builtin_strlen(__VA_ARGS__), HEDDLE_NAME(strlen)(__VA_ARGS__))
#define __builtin_strnlen(...) HEDDLE_NAME(strnlen)(__VA_ARGS__)
#define __builtin_strcmp(...)                                                                      \
    HEDDLE_IF_CONSTANT(__builtin_strcmp(__VA_ARGS__), HEDDLE_NAME(strcmp)(__VA_ARGS__))
#define __builtin_strncmp(...)                                                                     \
    HEDDLE_IF_CONSTANT(__builtin_strncmp(__VA_ARGS__), HEDDLE_NAME(strncmp)(__VA_ARGS__))
#define __builtin_strcasecmp(...) HEDDLE_NAME(strcasecmp)(__VA_ARGS__)
#define __builtin_strncasecmp(...) HEDDLE_NAME(strncasecmp)(__VA_ARGS__)
#define __builtin_strchr(...)                                                                      \
    HEDDLE_EFFECT(__builtin_strchr(__VA_ARGS__), HEDDLE_NAME(strchr)(__VA_ARGS__))
#define __builtin_strrchr(...) HEDDLE_NAME(strrchr)(__VA_ARGS__)
#define __builtin_index(...) HEDDLE_NAME(index)(__VA_ARGS__)
#define __builtin_rindex(...) HEDDLE_NAME(rindex)(__VA_ARGS__)
#define __builtin_strstr(...) HEDDLE_NAME(strstr)(__VA_ARGS__)
#define __builtin_strpbrk(...) HEDDLE_NAME(strpbrk)(__VA_ARGS__)
#define __builtin_strspn(...)                                                                      \
    HEDDLE_IF_CONSTANT(__builtin_strspn(__VA_ARGS__), HEDDLE_NAME(strspn)(__VA_ARGS__))
#define __builtin_strcspn(...)                                                                     \
    HEDDLE_IF_CONSTANT(__builtin_strcspn(__VA_ARGS__), HEDDLE_NAME(strcspn)(__VA_ARGS__))

#undef HEDDLE_DECLARE
#endif
#endif
