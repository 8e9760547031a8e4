#include "symbols_shorten.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);

static demangler *demangle;

/* A program in C++ comes with the library, so heddle need not be linked to it. */
static void find_demangler(void) {
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
        *(void **)&demangle = dlsym(library, "__cxa_demangle");
}

void hd_symbols_demangle(const char *name, hd_vec_char *to) {
    enum { LONGEST = 2000 }; /* it recurses */
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *plain = NULL;
    int status = 0;
    if (strncmp(name, "_Z", 2) == 0 && strlen(name) <= LONGEST) {
        pthread_once(&once, find_demangler);
        plain = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    }
    hd_text_append_text(to, plain ? plain : name);
    free(plain);
}

/* Where the template argument that begins there ends: at its comma, or the bracket after it. */
static const char *argument_end(const char *at) {
    int depth = 0;
    for (; *at; at++) {
        depth += *at == '<' || *at == '(';
        depth -= *at == '>' || *at == ')';
        if (depth < 0 || (!depth && *at == ','))
            return at;
    }
    return at;
}

static bool begins(const char *at, const char *text) {
    return strncmp(at, text, strlen(text)) == 0;
}

/* A template argument after a comma that only the library gives. */
static bool is_default(const char *at) {
    static const char *const names[] = {
        "std::allocator<",  "std::char_traits<", "std::less<",
        "std::hash<",       "std::equal_to<",    "std::default_delete<",
        "std::_Select1st<", "std::_Identity<",   "(__gnu_cxx::_Lock_policy)"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(at, names[i]))
            return true;
    return false;
}

static const struct {
    const char *text, *instead;
} aliases[] = {
    {"std::__cxx11::basic_string<char>", "std::string"},
    {"std::basic_string<char>", "std::string"},
    {"std::__cxx11::", "std::"},
};

/* One pass: what is copied is at most as long as what was read. */
static void drop_defaults(char *to, const char *from) {
    int depth = 0; /* of template arguments */
    while (*from) {
        depth += *from == '<';
        depth -= *from == '>';
        const char *argument = from + 1 + (from[0] == ',' && from[1] == ' ');
        if (*from == ',' && depth > 0 && is_default(argument)) {
            from = argument_end(argument);
            while (*from == '>' && to[-1] == ' ')
                to--;
            continue;
        }
        /* "> >", as compilers printed it once */
        if (from[0] == ' ' && from[1] == '>' && to[-1] != '-' && depth > 0) {
            from++;
            continue;
        }
        *to++ = *from++;
    }
    *to = '\0';
}

static void use_aliases(char *to, const char *from) {
    while (*from) {
        size_t i = 0, count = sizeof aliases / sizeof *aliases;
        while (i < count && !begins(from, aliases[i].text))
            i++;
        if (i == count) {
            *to++ = *from++;
            continue;
        }
        memcpy(to, aliases[i].instead, strlen(aliases[i].instead));
        to += strlen(aliases[i].instead);
        from += strlen(aliases[i].text);
    }
    *to = '\0';
}

void hd_symbols_shorten(hd_vec_char *text, size_t from) {
    if (text->length <= from || !memchr(text->data + from, '<', text->length - from))
        return;
    char *begin = text->data + from;
    drop_defaults(begin, begin);
    use_aliases(begin, begin);
    text->length = from + strlen(begin);
}
