#include "native_compiler.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "native_blind.h"
#include "native_print.h"
#include "native_run.h"

static void add(hd_native_command *command, const char *word) {
    hd_vec_push(&command->words, hd_mem_string(word, strlen(word)));
}

/* "clang-14" and "/usr/bin/clang++" are clang. */
static bool is_clang(const char *compiler) {
    const char *slash = strrchr(compiler, '/');
    return strstr(slash ? slash : compiler, "clang") != NULL;
}

/* The C++ compiler of the same make, for gcc and clang with whatever version and path. */
static void add_compiler(hd_native_command *command, const char *compiler, bool cxx) {
    static const char *const plain[] = {"gcc", "clang"}, *const other[] = {"g++", "clang++"};
    char text[PATH_MAX];
    const char *slash = strrchr(compiler, '/'), *name = slash ? slash + 1 : compiler;
    for (int i = 0; cxx && i < 2; i++) {
        size_t length = strlen(plain[i]);
        bool is_that =
            strncmp(name, plain[i], length) == 0 && (!name[length] || name[length] == '-');
        if (!is_that)
            continue;
        snprintf(text, sizeof text, "%.*s%s%s", (int)(name - compiler), compiler, other[i],
                 name + length);
        compiler = text;
        break;
    }
    add(command, compiler);
}

/* Compiles only, or says something: then nothing is linked, and an option for the linker
 * would at best be a warning. */
static bool links(char **arguments, int count) {
    static const char *const not [] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"};
    bool inputs = false;
    for (int i = 0; i < count; i++) {
        for (size_t j = 0; j < sizeof not / sizeof *not ; j++)
            if (strcmp(arguments[i], not [j]) == 0)
                return false;
        inputs |= arguments[i][0] != '-';
    }
    return inputs;
}

/* Says by itself that no flags of ours belong to it: --version and the like. */
static bool only_asks(char **arguments, int count) {
    for (int i = 0; i < count; i++)
        if (strncmp(arguments[i], "--version", 9) == 0 || strncmp(arguments[i], "-dump", 5) == 0 ||
            strncmp(arguments[i], "-print-", 7) == 0 || strcmp(arguments[i], "-v") == 0 ||
            strncmp(arguments[i], "--print-", 8) == 0)
            return count == 1;
    return false;
}

/* A call of one of these that the compiler replaces by instructions is seen by nobody. */
static void add_plain_calls(hd_native_command *command) {
    static const char *const names[] = {
        "memcpy",  "memmove",  "memset",   "memcmp",      "memchr",  "mempcpy", "bcopy",
        "bzero",   "bcmp",     "strcpy",   "strncpy",     "strcat",  "strncat", "strlen",
        "strnlen", "strcmp",   "strncmp",  "strcasecmp",  "strchr",  "strrchr", "stpcpy",
        "stpncpy", "strspn",   "strcspn",  "strpbrk",     "strdup",  "strndup", "index",
        "rindex",  "sprintf",  "snprintf", "strncasecmp", "memrchr", "wcslen",  "wmemcpy",
        "wmemset", "vsprintf", "vsnprintf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[48];
        snprintf(text, sizeof text, "-fno-builtin-%s", names[i]);
        add(command, text);
    }
}

static void add_gcc(hd_native_command *command, const char *runtime, bool linking) {
    /* gcc links -ltsan where -fsanitize=thread is given; the folder has our runtime under
     * that name. */
    add(command, "-fsanitize=thread");
    add(command, "-fno-plt"); /* a jump less on the way to the runtime */
    add(command, "--param=tsan-distinguish-volatile=1");
    char text[PATH_MAX + 32];
    if (linking) {
        snprintf(text, sizeof text, "-L%s/link", runtime);
        add(command, text);
    }
}

static void add_clang(hd_native_command *command, bool linking) {
    static const char *const words[] = {
        "-fsanitize=thread",
        "-fno-plt",
        "-grecord-command-line", /* it tells later what was instrumented */
        "-fno-vectorize",        /* accesses of more than 16 bytes are not announced */
        "-fno-slp-vectorize",
        "-fno-sanitize-link-runtime",
        "-mllvm",
        "-tsan-instrument-read-before-write=1",
        "-mllvm",
        "-tsan-distinguish-volatile=1",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add(command, words[i]);
    if (linking)
        add(command, "-Wno-unused-command-line-argument");
}

/* Included before the file: rt_builtins.h, rt_cxx.h. */
static void add_header(hd_native_command *command, const char *runtime, const char *name) {
    char text[PATH_MAX + 32];
    snprintf(text, sizeof text, "%s/%s", runtime, name);
    if (access(text, R_OK) != 0)
        return;
    add(command, "-include");
    add(command, text);
}

/* Options that keep functions from being instrumented. */
static bool hides(const char *word) {
    return strncmp(word, "-fsanitize-ignorelist", 21) == 0 ||
           strncmp(word, "-fsanitize-blacklist", 20) == 0 ||
           (strncmp(word, "-fno-sanitize=", 14) == 0 &&
            (strstr(word, "thread") || strstr(word, "all")));
}

/* Functions whose accesses are not announced are listed in the object.  The words are complete but
 * for the NULL. */
static void add_blind(hd_native_command *command, char **arguments, int count) {
    hd_vec_char lines = {0}, macro = {0};
    hd_vec_push(&command->words, NULL);
    hd_native_blind_ask(command->words.data, &lines);
    command->words.length--;
    for (int i = 0; i < count; i++)
        if (hides(arguments[i]))
            hd_native_print(&lines, "? %s\n", arguments[i]);
    hd_native_print(&macro, "-D" HD_NATIVE_BLIND_MACRO "=\"");
    for (size_t i = 0; i < lines.length; i++) {
        char character = lines.data[i];
        hd_native_print(&macro, "%c",
                        character == '\n' ? '|'
                        : isalnum((unsigned char)character) || strchr("_./:-? ", character)
                            ? character
                            : '_');
    }
    hd_native_print(&macro, "\"");
    if (lines.length) /* before the files: macros come in the order of words */
        hd_vec_push(&command->words, hd_mem_string(macro.data, macro.length));
    hd_vec_release(&lines);
    hd_vec_release(&macro);
}

bool hd_native_command_make(hd_native_command *command, const char *compiler, bool cxx,
                            char **arguments, int count, hd_error *error) {
    const char *runtime = hd_native_runtime(error);
    if (!runtime)
        return false;
    *command = (hd_native_command){0};
    if (!compiler)
        compiler = cxx ? "g++" : "gcc";
    bool clang = is_clang(compiler), linking = links(arguments, count);
    add_compiler(command, compiler, cxx);
    if (!only_asks(arguments, count)) {
        add(command, "-g");
        add(command, "-fno-omit-frame-pointer");
        add_plain_calls(command);
        if (clang)
            add_clang(command, linking);
        else
            add_gcc(command, runtime, linking);
        add_header(command, runtime, "heddle-builtins.h");
        if (cxx)
            add_header(command, runtime, "heddle-cxx.h");
    }
    for (int i = 0; i < count; i++)
        add(command, arguments[i]);
    if (!only_asks(arguments, count))
        add_blind(command, arguments, count);
    if (!only_asks(arguments, count))
        add(command, "-U_FORTIFY_SOURCE"); /* its inline functions have no lines of the program's */
    if (linking && !only_asks(arguments, count)) {
        char text[PATH_MAX + 32];
        snprintf(text, sizeof text, "-L%s", runtime);
        add(command, text);
        add(command, "-Wl,--push-state,--no-as-needed");
        add(command, "-lheddle-rt");
        add(command, "-Wl,--pop-state");
        snprintf(text, sizeof text, "-Wl,-rpath,%s", runtime);
        add(command, text);
        add(command, "-pthread");
    }
    hd_vec_push(&command->words, NULL);
    return true;
}

void hd_native_command_release(hd_native_command *command) {
    for (size_t i = 0; i < command->words.length; i++)
        free(command->words.data[i]);
    hd_vec_release(&command->words);
}
