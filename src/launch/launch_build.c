#include "launch_build.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <unistd.h>

#include <xxhash.h>

static bool linked_build(Elf *elf, char *to) {
    const void *bytes;
    ssize_t length = elf ? dwelf_elf_gnu_build_id(elf, &bytes) : 0;
    if (length <= 0 || length > (HD_LAUNCH_BUILD - 1) / 2)
        return false;
    for (ssize_t i = 0; i < length; i++)
        snprintf(to + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
    return true;
}

/* Of what is in memory when the program runs: the rest names files that the compiler made. */
static bool sum_sections(Elf *elf, XXH3_state_t *state) {
    bool any = false;
    Elf_Scn *section = NULL;
    while (elf && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        Elf_Data *data = NULL;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
            header.sh_type == SHT_NOBITS)
            continue;
        while ((data = elf_rawdata(section, data))) {
            if (data->d_buf)
                XXH3_64bits_update(state, data->d_buf, data->d_size);
            any = true;
        }
    }
    return any;
}

static void sum_build(Elf *elf, int file, char *to) {
    XXH3_state_t *state = hd_mem_made(XXH3_createState());
    char part[1 << 16];
    ssize_t length;
    XXH3_64bits_reset(state);
    lseek(file, 0, SEEK_SET);
    if (!sum_sections(elf, state))
        while ((length = read(file, part, sizeof part)) > 0)
            XXH3_64bits_update(state, part, (size_t)length);
    snprintf(to, HD_LAUNCH_BUILD, "sum-%016llx", (unsigned long long)XXH3_64bits_digest(state));
    XXH3_freeState(state);
}

bool hd_launch_build(const char *path, char *to) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    if (!linked_build(elf, to))
        sum_build(elf, file, to);
    if (elf)
        elf_end(elf);
    close(file);
    return true;
}

bool hd_launch_run_build(const hd_launch_run *run, char *to) {
    heddle_wire_module program = run->wire->module[0];
    program.path[sizeof program.path - 1] = '\0';
    return run->wire->modules && program.path[0] == '/' && hd_launch_build(program.path, to);
}
