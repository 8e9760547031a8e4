#include "launch_compiler.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launch_blind.h"
#include "launch_make.h"
#include "launch_run.h"

static void add_word(hd_launch_command *command, const char *word) {
    hd_vec_push(&command->words, hd_mem_string(word, strlen(word)));
}

/* "clang-14" and "/usr/bin/clang++" are clang. */
static bool is_clang(const char *compiler) {
    const char *slash = strrchr(compiler, '/');
    return strstr(slash ? slash : compiler, "clang") != NULL;
}

/* The C++ compiler that belongs to the C compiler, for gcc and clang with any version and path. */
static void add_compiler(hd_launch_command *command, const char *compiler, bool cxx) {
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
    add_word(command, compiler);
}

/* If the command only compiles or prints something, nothing is linked, and an option for the linker
 * would cause a warning. */
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

/* An option that needs none of our flags: --version and the like. */
static bool only_asks(char **arguments, int count) {
    for (int i = 0; i < count; i++)
        if (strncmp(arguments[i], "--version", 9) == 0 || strncmp(arguments[i], "-dump", 5) == 0 ||
            strncmp(arguments[i], "-print-", 7) == 0 || strcmp(arguments[i], "-v") == 0 ||
            strncmp(arguments[i], "--print-", 8) == 0)
            return count == 1;
    return false;
}

/* If the compiler replaced a call of one of these by instructions, the runtime would not see it. */
static void add_plain_calls(hd_launch_command *command) {
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
        add_word(command, text);
    }
}

static void add_gcc(hd_launch_command *command, const char *runtime, bool linking) {
    /* gcc links -ltsan where -fsanitize=thread is given; the folder has our runtime under
     * that name. */
    add_word(command, "-fsanitize=thread");
    add_word(command, "-fno-plt"); /* a jump less on the way to the runtime */
    add_word(command, "--param=tsan-distinguish-volatile=1");
    add_word(command, "-fno-tree-reassoc"); /* it reads what the program would not have read */
    add_word(command, "-Wno-tsan"); /* it says that fences are not seen; this runtime sees them */
    char text[PATH_MAX + 32];
    if (linking) {
        snprintf(text, sizeof text, "-L%s/link", runtime);
        add_word(command, text);
    }
}

static void add_clang(hd_launch_command *command, bool linking) {
    static const char *const words[] = {
        "-fsanitize=thread",
        "-fno-plt",
        "-grecord-command-line", /* it tells later what was instrumented */
        "-fno-sanitize-link-runtime",
        "-mllvm",
        "-tsan-instrument-read-before-write=1",
        "-mllvm",
        "-tsan-distinguish-volatile=1",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add_word(command, words[i]);
    if (linking)
        add_word(command, "-Wno-unused-command-line-argument");
}

/* Accesses of more than 16 bytes are not announced.  After the program's own words: -O2 turns the
 * vectoriser on again, and a pragma does. */
static void add_narrow(hd_launch_command *command) {
    add_word(command, "-fno-vectorize");
    add_word(command, "-fno-slp-vectorize");
    add_word(command, "-mprefer-vector-width=128");
}

/* By types in the debugging information unseen accesses are known: all of them are needed, in the
 * unit that uses them.  clang leaves out classes whose constructor is in another one. */
static void add_types(hd_launch_command *command, bool clang, char **arguments, int count) {
    static const char *const lines[] = {"-g1", "-ggdb1", "-gline-tables-only", "-gmlt",
                                        "-gline-directives-only"};
    bool few = false, apart = false;
    for (int i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
            few |= strcmp(arguments[i], lines[k]) == 0;
        apart |= strcmp(arguments[i], "-fdebug-types-section") == 0;
    }
    if (few)
        add_word(command, "-g2");
    if (apart)
        add_word(command, "-fno-debug-types-section");
    if (clang)
        add_word(command, "-fstandalone-debug");
}

/* Included before the file: rt_builtins.h. */
static void add_builtins(hd_launch_command *command, const char *runtime) {
    char text[PATH_MAX + 32];
    snprintf(text, sizeof text, "%s/heddle-builtins.h", runtime);
    if (access(text, R_OK) != 0)
        return;
    add_word(command, "-include");
    add_word(command, text);
}

/* Headers that are found before those of others. */
static void add_folder(hd_launch_command *command, const char *runtime, const char *name) {
    char text[PATH_MAX + 32];
    snprintf(text, sizeof text, "-I%s/%s", runtime, name);
    if (access(text + 2, R_OK) == 0)
        add_word(command, text);
}

/* Options that keep functions, or some of their accesses, from being instrumented. */
static bool hides(const char *word) {
    return strncmp(word, "-fsanitize-ignorelist", 21) == 0 ||
           strncmp(word, "-fsanitize-blacklist", 20) == 0 ||
           strcmp(word, "-fno-sanitize-thread-memory-access") == 0 ||
           strcmp(word, "-fno-sanitize-thread-atomics") == 0 ||
           strncmp(word, "-tsan-instrument-", 17) == 0 ||
           (strncmp(word, "-fno-sanitize=", 14) == 0 &&
            (strstr(word, "thread") || strstr(word, "all")));
}

static void append(hd_vec_char *to, const char *text) {
    for (; *text; text++)
        hd_vec_push(to, *text);
}

static bool has_coverage(char **arguments, int count) {
    static const char word[] = "-fsanitize-coverage";
    for (int i = 0; i < count; i++)
        if (strncmp(arguments[i], word, strlen(word)) == 0)
            return true;
    return false;
}

/* As if the option were a function at the beginning of the first source. */
static void add_hiding(hd_vec_char *lines, const char *option, char **arguments, int count) {
    const char *source = NULL;
    for (int i = 0; i < count && !source; i++)
        source = hd_launch_is_source(arguments[i]) ? arguments[i] : NULL;
    if (!source)
        return;
    const char *slash = strrchr(source, '/');
    append(lines, option);
    append(lines, " ");
    append(lines, slash ? slash + 1 : source);
    append(lines, ":1\n");
}

/* Functions whose accesses are not announced are listed in the object.  The words are complete but
 * for the NULL. */
static void add_blind(hd_launch_command *command, char **arguments, int count) {
    hd_vec_char lines = {0}, macro = {0};
    hd_launch_named named = {0};
    hd_vec_push(&command->words, NULL);
    hd_launch_blind_ask(command->words.data, &lines, &named);
    command->words.length--;
    if (named.inputs && !has_coverage(arguments, count)) /* constants that they are compared with */
        add_word(command, is_clang(command->words.data[0])
                              ? "-fsanitize-coverage=func,trace-pc,trace-cmp"
                              : "-fsanitize-coverage=trace-cmp");
    if (named.defines) /* sections that are functions, and errors, are known by where they begin */
        add_word(command, "-finstrument-functions");
    for (int i = 0; i < count; i++)
        if (hides(arguments[i]))
            add_hiding(&lines, arguments[i], arguments, count);
    append(&macro, "-D" HD_LAUNCH_BLIND_MACRO "=\"");
    for (size_t i = 0; i < lines.length; i++) {
        char character = lines.data[i];
        bool fits = isalnum((unsigned char)character) || strchr("_./:-?= ", character);
        hd_vec_push(&macro, (char)(character == '\n' ? '|' : fits ? character : '_'));
    }
    append(&macro, "\"");
    if (lines.length) /* before the files: macros come in the order of words */
        hd_vec_push(&command->words, hd_mem_string(macro.data, macro.length));
    hd_vec_release(&lines);
    hd_vec_release(&macro);
}

/* <heddle/mark.h> and its like, after every folder of the program's own.  A folder that the
 * compiler searches anyway comes earlier, and is left where it is. */
static void add_headers(hd_launch_command *command) {
    const char *folder = hd_launch_headers();
    if (!folder)
        return;
    add_word(command, "-idirafter");
    add_word(command, folder);
}

/* Is the folder one that the compiler may look in for <valgrind/helgrind.h>, and is that there? */
static bool has_valgrind(const char *folder, size_t length) {
    char text[PATH_MAX];
    int size = snprintf(text, sizeof text, "%.*s/valgrind/helgrind.h", (int)length, folder);
    return length && (size_t)size < sizeof text && access(text, R_OK) == 0;
}

/* The folders of words such as -Ifolder, -I folder. */
static bool names_valgrind(char **arguments, int count) {
    static const char *const names[] = {"-I", "-isystem", "-idirafter"};
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            size_t length = strlen(names[k]);
            if (strncmp(arguments[i], names[k], length) != 0)
                continue;
            const char *folder = arguments[i][length] ? arguments[i] + length
                                 : i + 1 < count      ? arguments[i + 1]
                                                      : "";
            if (has_valgrind(folder, strlen(folder)))
                return true;
        }
    return false;
}

/* Client requests of Helgrind and DRD become calls, where Valgrind's own headers are found: their
 * absence is something that programs look for. */
static void add_requests(hd_launch_command *command, const char *runtime, char **arguments,
                         int count) {
    static const char *const usual[] = {"/usr/include", "/usr/local/include"};
    bool found = names_valgrind(arguments, count);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        found |= has_valgrind(usual[i], strlen(usual[i]));
    if (found)
        add_folder(command, runtime, "requests");
}

bool hd_launch_command_make(hd_launch_command *command, const char *compiler, bool cxx,
                            char **arguments, int count, hd_error *error) {
    const char *runtime = hd_launch_runtime(error);
    if (!runtime)
        return false;
    *command = (hd_launch_command){0};
    if (!compiler)
        compiler = getenv(cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
    if (!compiler || !*compiler)
        compiler = cxx ? "g++" : "gcc";
    bool clang = is_clang(compiler), linking = links(arguments, count);
    add_compiler(command, compiler, cxx);
    if (!only_asks(arguments, count)) {
        add_word(command, "-g");
        add_word(command, "-fno-omit-frame-pointer");
        add_plain_calls(command);
        if (clang)
            add_clang(command, linking);
        else
            add_gcc(command, runtime, linking);
        add_builtins(command, runtime);
        if (cxx)
            add_folder(command, runtime, "cxx");
        add_requests(command, runtime, arguments, count);
        add_headers(command);
    }
    for (int i = 0; i < count; i++)
        add_word(command, arguments[i]);
    if (clang && !only_asks(arguments, count))
        add_narrow(command);
    if (!only_asks(arguments, count))
        add_types(command, clang, arguments, count);
    if (!only_asks(arguments, count))
        add_blind(command, arguments, count);
    if (!only_asks(arguments, count))
        add_word(command,
                 "-U_FORTIFY_SOURCE"); /* its inline functions have no lines of the program's */
    if (linking && !only_asks(arguments, count)) {
        char text[PATH_MAX + 32];
        snprintf(text, sizeof text, "-L%s", runtime);
        add_word(command, text);
        add_word(command, "-Wl,--push-state,--no-as-needed");
        add_word(command, "-lheddle-rt");
        add_word(command, "-Wl,--pop-state");
        snprintf(text, sizeof text, "-Wl,-rpath,%s", runtime);
        add_word(command, text);
        add_word(command, "-pthread");
    }
    hd_vec_push(&command->words, NULL);
    return true;
}

char *hd_launch_command_source(const char *path) {
    char *word = NULL;
    if (asprintf(&word, "%s%s", strchr("-@", path[0]) ? "./" : "", path) < 0)
        hd_mem_made(NULL);
    return word;
}

void hd_launch_command_release(hd_launch_command *command) {
    for (size_t i = 0; i < command->words.length; i++)
        free(command->words.data[i]);
    hd_vec_release(&command->words);
}
