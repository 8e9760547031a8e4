#include "native_files.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols/symbols.h"

/* --- paths ---------------------------------------------------------------------------------- */

/* Takes out "//", "/./" and "/../", for files that are not there any more. */
static void simplify(hd_vec_char *path) {
    size_t length = 0;
    for (size_t at = 0; at < path->length;) {
        size_t end = at + 1;
        while (end < path->length && path->data[end] != '/')
            end++;
        const char *part = path->data + at;
        size_t size = end - at;
        if (size == 3 && memcmp(part, "/..", 3) == 0) {
            while (length && path->data[--length] != '/')
                ;
        } else if (size > 1 && !(size == 2 && part[1] == '.')) {
            memmove(path->data + length, part, size);
            length += size;
        }
        at = end;
    }
    path->length = length;
}

void hd_native_files_path(const char *folder, const char *name, hd_vec_char *to) {
    char here[PATH_MAX], real[PATH_MAX];
    hd_vec_clear(to);
    if (*name != '/' && (!folder || *folder != '/')) {
        if (!getcwd(here, sizeof here))
            here[0] = '\0';
        hd_text_append(to, "%s/", here);
    }
    if (*name != '/' && folder)
        hd_text_append(to, "%s/", folder);
    hd_text_append(to, "%s", name);
    if (realpath(to->data, real)) {
        hd_vec_clear(to);
        hd_text_append(to, "%s", real);
        return;
    }
    simplify(to);
    hd_vec_push(to, '\0');
    to->length--;
}

/* --- modules -------------------------------------------------------------------------------- */

static void add(hd_names *names, const char *folder, const char *name) {
    hd_vec_char path = {0};
    hd_native_files_path(folder, name, &path);
    hd_names_add(names, path.data, path.length);
    hd_vec_release(&path);
}

static void see_unit(void *context, Dwarf_Die *unit, const char *made, bool instrumented,
                     bool x86) {
    hd_native_files *files = context;
    Dwarf_Attribute attribute;
    const char *name = dwarf_diename(unit);
    (void)made;
    (void)x86;
    if (name && *name && *name != '<') /* <artificial> */
        add(instrumented ? &files->seen : &files->blind,
            dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)), name);
}

static void see_bare(void *context, const char *module) {
    add(&((hd_native_files *)context)->bare, NULL, module);
}

static void see_mute(void *context, const char *module, bool instrumented) {
    if (instrumented)
        see_bare(context, module);
    else
        add(&((hd_native_files *)context)->blind, NULL, module);
}

static void see_loose(void *context, const char *module, const char *function) {
    (void)function;
    add(&((hd_native_files *)context)->blind, NULL, module);
}

static void see_listed(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

static void see_module(hd_native_files *files, const char *path) {
    hd_symbols_hidden_find(path, &(hd_symbols_hidden){.context = files,
                                                      .unit = see_unit,
                                                      .mute = see_mute,
                                                      .loose = see_loose,
                                                      .bare = see_bare,
                                                      .function = see_listed,
                                                      .all = true});
}

/* --- libraries ------------------------------------------------------------------------------ */

/* Programs that the dynamic linker starts; others would run if they were asked. */
static bool is_linked(const char *path) {
    bool found = false;
    elf_version(EV_CURRENT);
    int number = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = number >= 0 ? elf_begin(number, ELF_C_READ, NULL) : NULL;
    size_t count;
    for (size_t i = 0; elf && elf_getphdrnum(elf, &count) == 0 && i < count; i++) {
        GElf_Phdr header;
        found |= gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP;
    }
    if (elf)
        elf_end(elf);
    if (number >= 0)
        close(number);
    return found;
}

/* Starts the dynamic linker for the list that ldd prints. */
static pid_t list_libraries(const char *program, FILE **from) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *from = child > 0 ? fdopen(ends[0], "r") : NULL;
    if (!*from)
        close(ends[0]);
    return child;
}

/* "	libz.so.1 => /lib/libz.so.1 (0x0000ffff)" */
static void see_library(hd_native_files *files, char *line) {
    char *path = strchr(line, '/'), *end = path ? strstr(path, " (0x") : NULL;
    if (!end)
        return;
    *end = '\0';
    if (!hd_symbols_is_of_system(path))
        see_module(files, path);
}

void hd_native_files_find(hd_native_files *files, const char *program) {
    char *line = NULL;
    size_t size = 0;
    FILE *from = NULL;
    see_module(files, program);
    pid_t child = is_linked(program) ? list_libraries(program, &from) : -1;
    while (from && getline(&line, &size, from) > 0)
        see_library(files, line);
    free(line);
    if (from)
        fclose(from);
    if (child > 0)
        waitpid(child, NULL, 0);
}

void hd_native_files_release(hd_native_files *files) {
    hd_names_release(&files->seen);
    hd_names_release(&files->blind);
    hd_names_release(&files->bare);
}
