/*
 * Instructions, as far as needed: how long they are, and which memory they load from or store to.
 * Two operands are the same memory if they are written the same way; a base register that was
 * changed in between makes that wrong, which is on the safe side.
 */
#include "rt_arch_update.h"

#include <stddef.h>
#include <stdint.h>

/* Instructions that are looked at, at most. */
enum { MOST = 48 };

enum sort {
    OTHER,    /* touches no memory */
    LOAD,     /* reads its operand */
    STORE,    /* writes it */
    UPDATE,   /* reads and writes it */
    BRANCH,   /* another place is next */
    NOT_KNOWN /* anything */
};

typedef struct instruction {
    enum sort sort;
    size_t length;
    uint64_t operand[2]; /* how the memory is written down; not 0 */
    bool in_frame;       /* by the stack pointer or the frame pointer */
} instruction;

typedef struct loads {
    uint64_t operand[2 * MOST][2];
    unsigned count;
} loads;

static void add(loads *seen, const instruction *it) {
    seen->operand[seen->count][0] = it->operand[0];
    seen->operand[seen->count++][1] = it->operand[1];
}

static bool has(const loads *seen, const instruction *it) {
    for (unsigned i = 0; i < seen->count; i++)
        if (seen->operand[i][0] == it->operand[0] && seen->operand[i][1] == it->operand[1])
            return true;
    return false;
}

static hd_rt_arch_store look(const unsigned char *code, bool on_stack,
                             instruction (*decode)(const unsigned char *)) {
    const hd_rt_arch_store plain = {false, NULL}, update = {true, NULL};
    loads seen;
    seen.count = 0; /* the rest would be a call of memset */
    bool stored = false;
    for (unsigned i = 0; i < MOST; i++) {
        instruction it = decode(code);
        code += it.length;
        if (it.in_frame && !on_stack && it.sort != BRANCH && it.sort != NOT_KNOWN)
            continue;
        switch (it.sort) {
        case LOAD:
            add(&seen, &it);
            break;
        case STORE: /* a field may be stored in pieces, of which only one is loaded first */
            if (has(&seen, &it))
                return update;
            stored = true;
            break;
        case UPDATE:
        case NOT_KNOWN:
            return update;
        case BRANCH:
            return stored ? plain : (hd_rt_arch_store){false, code};
        case OTHER:
            break;
        }
    }
    return update;
}

/* --- aarch64 -------------------------------------------------------------------------------- */

static uint32_t word_at(const unsigned char *code) {
    return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
           (uint32_t)code[3] << 24;
}

static bool is_aarch64_branch(uint32_t word) {
    return (word & 0x7c000000) == 0x14000000 || /* b, bl */
           (word & 0xff000010) == 0x54000000 || /* b.cond */
           (word & 0x7e000000) == 0x34000000 || /* cbz, cbnz */
           (word & 0x7e000000) == 0x36000000 || /* tbz, tbnz */
           (word & 0xfe000000) == 0xd6000000;   /* br, blr, ret */
}

/* What comes after the register that is loaded or stored: base, offset, index. */
static uint64_t aarch64_place(uint32_t word) {
    return (uint64_t)(word & 0x3b3ffc00) << 8 | (word >> 5 & 31) | (uint64_t)1 << 63;
}

static bool is_aarch64_frame(uint32_t word) {
    return (word >> 5 & 31) == 31 || (word >> 5 & 31) == 29;
}

static instruction decode_aarch64(const unsigned char *code) {
    uint32_t word = word_at(code);
    instruction it = {.sort = OTHER, .length = 4};
    if (is_aarch64_branch(word))
        it.sort = BRANCH;
    else if ((word & 0x3b000000) == 0x39000000 || (word & 0x3b000000) == 0x38000000) {
        /* One register, with an offset of whatever form.  Bit 22 is set in loads, bit 23 in those
         * that extend a sign, but for vectors, where it makes them 16 bytes. */
        bool vector = word >> 26 & 1, atomic = (word & 0x3b200c00) == 0x38200000;
        bool reads = vector ? word >> 22 & 1 : (word >> 22 & 3) != 0;
        it.sort = atomic ? UPDATE : reads ? LOAD : STORE;
        it.operand[0] = aarch64_place(word & ~(uint32_t)0x00c00000);
        it.in_frame = is_aarch64_frame(word);
    } else if ((word & 0x3a000000) == 0x28000000) { /* pairs */
        it.sort = word >> 22 & 1 ? LOAD : STORE;
        it.operand[0] = (uint64_t)(word & 0x383f8000) << 8 | (word >> 5 & 31) | (uint64_t)2 << 62;
        it.in_frame = is_aarch64_frame(word);
    } else if ((word & 0x3f000000) == 0x08000000) /* exclusive, ordered */
        it.sort = NOT_KNOWN;
    return it;
}

hd_rt_arch_store hd_rt_arch_store_aarch64(const unsigned char *code, bool on_stack) {
    return look(code, on_stack, decode_aarch64);
}

/* --- x86_64 --------------------------------------------------------------------------------- */

/* An instruction as it is taken apart. */
typedef struct parts {
    const unsigned char *begin, *at;
    unsigned map; /* of its opcode: 0, 1 for 0f, 2 for 0f 38, 3 for 0f 3a */
    unsigned opcode;
    bool wide, half; /* REX.W, an operand of 16 bits */
    unsigned rex;
    bool vex;
    bool has_memory, in_frame;
    unsigned reg; /* of the ModRM byte */
    uint64_t operand[2];
    const unsigned char *displacement; /* that is relative to the end, NULL: none */
} parts;

static bool is_prefix(unsigned byte) {
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
           byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
           byte == 0x65;
}

static void take_vex(parts *p) {
    bool shorter = *p->at++ == 0xc5;
    p->vex = true;
    p->map = shorter ? 1 : *p->at++ & 31;
    p->wide = !shorter && *p->at & 0x80;
    p->at++;
    p->opcode = *p->at++;
}

static void take_opcode(parts *p) {
    while (is_prefix(*p->at))
        p->half |= *p->at++ == 0x66;
    if ((*p->at & 0xf0) == 0x40) {
        p->rex = *p->at++;
        p->wide = p->rex & 8;
    }
    if (*p->at == 0xc4 || *p->at == 0xc5) {
        take_vex(p);
        return;
    }
    p->opcode = *p->at++;
    if (p->opcode != 0x0f)
        return;
    p->map = 1;
    p->opcode = *p->at++;
    if (p->opcode == 0x38 || p->opcode == 0x3a) {
        p->map = p->opcode == 0x38 ? 2 : 3;
        p->opcode = *p->at++;
    }
}

static bool has_modrm(const parts *p) {
    unsigned o = p->opcode;
    if (p->map == 1)
        return !(o == 0x05 || o == 0x0b || o == 0x31 || o == 0x77 || o == 0xa2 || o == 0xa0 ||
                 o == 0xa1 || o == 0xa8 || o == 0xa9 || (o & 0xf0) == 0x80 || (o & 0xf8) == 0xc8);
    if (p->map)
        return true;
    if (o < 0x40)
        return (o & 7) < 4;
    return o == 0x63 || o == 0x69 || o == 0x6b || (o >= 0x80 && o <= 0x8f) || o == 0xc0 ||
           o == 0xc1 || o == 0xc6 || o == 0xc7 || (o >= 0xd0 && o <= 0xd3) ||
           (o >= 0xd8 && o <= 0xdf) || o == 0xf6 || o == 0xf7 || o == 0xfe || o == 0xff;
}

static size_t immediate(const parts *p) {
    unsigned o = p->opcode;
    size_t usual = p->half ? 2 : 4;
    if (p->map == 1 && (o & 0xf0) == 0x80)
        return 4;
    if (!p->map && ((o & 0xf0) == 0x70 || (o >= 0xe0 && o <= 0xe3) || o == 0xeb))
        return 1;
    if (!p->map && (o == 0xe8 || o == 0xe9))
        return 4;
    if (p->map == 3)
        return 1;
    if (p->map == 2)
        return 0;
    if (p->map == 1)
        return (o >= 0x70 && o <= 0x73) || o == 0xa4 || o == 0xac || o == 0xba || o == 0xc2 ||
                       (o >= 0xc4 && o <= 0xc6)
                   ? 1
                   : 0;
    if (o < 0x40)
        return (o & 7) == 4 ? 1 : (o & 7) == 5 ? usual : 0;
    if (o == 0x6a || o == 0x6b || o == 0x80 || o == 0x83 || o == 0xa8 || o == 0xc0 || o == 0xc1 ||
        o == 0xc6 || (o & 0xf8) == 0xb0)
        return 1;
    if (o == 0x68 || o == 0x69 || o == 0x81 || o == 0xa9 || o == 0xc7)
        return usual;
    if ((o & 0xf8) == 0xb8)
        return p->wide ? 8 : usual;
    if (o == 0xf6)
        return p->reg < 2 ? 1 : 0;
    if (o == 0xf7)
        return p->reg < 2 ? usual : 0;
    return 0;
}

/* The bytes of the operand after the ModRM byte, and which registers are in it. */
static void take_operand(parts *p) {
    unsigned modrm = *p->at++, mod = modrm >> 6, rm = modrm & 7, sib = 0;
    p->reg = modrm >> 3 & 7;
    if (mod == 3)
        return;
    p->has_memory = true;
    if (rm == 4)
        sib = *p->at++;
    size_t length = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    if (mod == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5)))
        length = 4;
    if (mod == 0 && rm == 5)
        p->displacement = p->at;
    uint64_t offset = 0;
    for (size_t i = 0; i < length; i++)
        offset |= (uint64_t)p->at[i] << 8 * i;
    if (length == 1 && offset & 0x80)
        offset |= 0xffffff00;
    p->at += length;
    p->operand[0] = (uint64_t)1 << 63 | (uint64_t)(p->rex & 3) << 56 | (uint64_t)rm << 48 |
                    (uint64_t)sib << 40 | (uint64_t)(mod == 0 && rm == 5) << 39;
    p->operand[1] = offset;
    unsigned base = rm == 4 ? sib & 7 : rm;
    p->in_frame = !(p->rex & 1) && (base == 4 || (base == 5 && mod));
}

static bool is_x86_branch(const parts *p) {
    unsigned o = p->opcode;
    if (p->map == 1)
        return (o & 0xf0) == 0x80;
    return !p->map &&
           ((o & 0xf0) == 0x70 || (o >= 0xe0 && o <= 0xe3) || o == 0xe8 || o == 0xe9 || o == 0xeb ||
            o == 0xc2 || o == 0xc3 || o == 0xcc || (o == 0xff && (p->reg == 2 || p->reg == 4)));
}

static enum sort sort_two_bytes(unsigned o, unsigned reg) {
    switch (o) {
    case 0x11:
    case 0x13:
    case 0x17:
    case 0x29:
    case 0x2b:
    case 0x7e:
    case 0x7f:
    case 0xc3:
    case 0xd6:
    case 0xe7:
        return STORE;
    case 0xab:
    case 0xb3:
    case 0xbb:
    case 0xb0:
    case 0xb1:
    case 0xc0:
    case 0xc1:
        return UPDATE;
    case 0xba:
        return reg > 4 ? UPDATE : LOAD;
    case 0x1f: /* nop */
    case 0x18:
        return OTHER;
    default:
        return (o & 0xf0) == 0x90 ? STORE : LOAD; /* setcc */
    }
}

static enum sort sort_one_byte(unsigned o, unsigned reg) {
    if (o < 0x40)
        return (o & 7) < 2 && (o & 0x38) != 0x38 ? UPDATE : LOAD;
    switch (o) {
    case 0x88:
    case 0x89:
    case 0xc6:
    case 0xc7:
        return STORE;
    case 0x8d: /* lea */
        return OTHER;
    case 0x80:
    case 0x81:
    case 0x83:
        return reg == 7 ? LOAD : UPDATE;
    case 0x86:
    case 0x87:
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return UPDATE;
    case 0xf6:
    case 0xf7:
        return reg == 2 || reg == 3 ? UPDATE : LOAD;
    case 0xfe:
        return UPDATE;
    case 0xff:
        return reg < 2 ? UPDATE : LOAD;
    case 0xd9: /* the old floating point */
    case 0xdd:
        return reg == 2 || reg == 3 || reg > 5 ? STORE : LOAD;
    case 0xdb:
        return reg == 2 || reg == 3 || reg == 7 ? STORE : LOAD;
    case 0xdf:
        return reg == 2 || reg == 3 || reg == 7 ? STORE : LOAD;
    default:
        return LOAD;
    }
}

static enum sort sort_x86(const parts *p) {
    if (is_x86_branch(p))
        return BRANCH;
    if (!p->has_memory)
        return OTHER;
    if (p->map == 1)
        return sort_two_bytes(p->opcode, p->reg);
    if (p->map == 3) /* extracts */
        return p->opcode == 0x14 || p->opcode == 0x15 || p->opcode == 0x16 || p->opcode == 0x17 ||
                       p->opcode == 0x39 || p->opcode == 0x19
                   ? STORE
                   : LOAD;
    return p->map ? LOAD : sort_one_byte(p->opcode, p->reg);
}

/* Instructions that are not handled: string operations, and those of other modes. */
static bool is_strange(const parts *p) {
    unsigned o = p->opcode;
    if (p->vex && (p->map == 0 || p->map > 3))
        return true;
    return !p->map && !p->vex &&
           ((o >= 0xa0 && o <= 0xa7) || (o >= 0xaa && o <= 0xaf) || o == 0x62 || o == 0x60 ||
            o == 0x61 || o == 0xc8 || o == 0x9a || o == 0xea || (o >= 0x6c && o <= 0x6f));
}

static instruction decode_x86(const unsigned char *code) {
    parts p = {.begin = code, .at = code};
    take_opcode(&p);
    if (is_strange(&p))
        return (instruction){.sort = NOT_KNOWN};
    if (has_modrm(&p))
        take_operand(&p);
    p.at += immediate(&p);
    if (p.displacement) /* from the end of the instruction: made one from its beginning */
        p.operand[1] = (uint64_t)(uintptr_t)p.at + (uint64_t)(int64_t)(int32_t)p.operand[1];
    return (instruction){.sort = sort_x86(&p),
                         .length = (size_t)(p.at - code),
                         .operand = {p.operand[0], p.operand[1]},
                         .in_frame = p.in_frame};
}

hd_rt_arch_store hd_rt_arch_store_x86_64(const unsigned char *code, bool on_stack) {
    return look(code, on_stack, decode_x86);
}
