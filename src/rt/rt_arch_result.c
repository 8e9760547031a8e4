/*
 * The instructions after a call, one by one, on both ways where they branch, until each way has
 * overwritten the register with the result, or called a function that may do so.  Only the plain
 * ones are understood; at any other the result counts as used.
 */
#include "rt_arch_result.h"

#include <stddef.h>
#include <stdint.h>

/* Instructions that are looked at, at most, on all ways together. */
enum { MOST = 64 };

/* What an instruction means for the result. */
enum meaning {
    NOTHING, /* the next one decides */
    USED,    /* or not understood */
    LOST,    /* the register has another value */
    JUMP,    /* `target` is next */
    BRANCH   /* `target` or what comes after it */
};

typedef struct instruction {
    enum meaning meaning;
    size_t length;
    const unsigned char *target;
} instruction;

typedef instruction decoder(const unsigned char *code);

static bool is_unused(const unsigned char *code, decoder *decode, unsigned *left) {
    while (*left) {
        --*left;
        instruction it = decode(code);
        if (it.meaning == USED || it.meaning == LOST)
            return it.meaning == LOST;
        if (it.meaning == BRANCH && !is_unused(it.target, decode, left))
            return false;
        code = it.meaning == JUMP ? it.target : code + it.length;
    }
    return false;
}

static uint32_t word_at(const unsigned char *code) {
    return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
           (uint32_t)code[3] << 24;
}

/* --- x86_64: the result is in eax ----------------------------------------------------------- */

/* An instruction with a ModRM byte. */
typedef struct operands {
    unsigned reg, rm;    /* registers; rm is one only if it is not memory */
    bool memory, by_rax; /* by_rax: its address has rax in it */
    size_t length;       /* with SIB and displacement */
} operands;

static operands take_operands(const unsigned char *at, unsigned rex) {
    unsigned mod = at[0] >> 6, rm = at[0] & 7;
    operands it = {.reg = (at[0] >> 3 & 7) | (rex & 4) << 1,
                   .rm = rm | (rex & 1) << 3,
                   .memory = mod != 3,
                   .length = 1};
    if (mod == 3)
        return it;
    size_t displacement = mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0;
    if (rm == 4) {
        unsigned base = at[1] & 7, index = at[1] >> 3 & 7;
        it.length++;
        if (mod == 0 && base == 5)
            displacement = 4;
        it.by_rax = (base == 0 && !(rex & 1)) || (index == 0 && !(rex & 2));
    } else
        it.by_rax = rm == 0 && !(rex & 1);
    it.length += displacement;
    return it;
}

/* A call through a pointer, or of a stub that jumps through one, is of a function that the
 * compiler did not see: it may change the register. */
static bool is_stub(const unsigned char *code) {
    if (word_at(code) == 0xfa1e0ff3) /* endbr64 */
        code += 4;
    if (code[0] == 0xf2) /* bnd */
        code++;
    return code[0] == 0xff && code[1] == 0x25;
}

static instruction here(enum meaning meaning, size_t length) {
    return (instruction){.meaning = meaning, .length = length};
}

static instruction jump(enum meaning meaning, const unsigned char *end, int32_t distance) {
    return (instruction){.meaning = meaning, .target = end + distance};
}

/* One that writes its register and reads the other operand. */
static enum meaning loads(const operands *it) {
    if (it->by_rax || (!it->memory && it->rm == 0))
        return USED;
    return it->reg == 0 ? LOST : NOTHING;
}

static enum meaning stores(const operands *it) {
    if (it->by_rax || it->reg == 0)
        return USED;
    return !it->memory && it->rm == 0 ? LOST : NOTHING;
}

/* One that reads both. */
static enum meaning computes(const operands *it) {
    return it->by_rax || it->reg == 0 || (!it->memory && it->rm == 0) ? USED : NOTHING;
}

/* One with an immediate value. */
static enum meaning changes(const operands *it, bool overwrites) {
    bool rax = !it->memory && it->rm == 0;
    return it->by_rax || (rax && !overwrites) ? USED : rax ? LOST : NOTHING;
}

static instruction decode_two(const unsigned char *code, const unsigned char *at, unsigned rex) {
    unsigned opcode = *at++;
    if ((opcode & 0xf0) == 0x80) /* jcc */
        return (instruction){BRANCH, (size_t)(at + 4 - code), at + 4 + (int32_t)word_at(at)};
    operands it = take_operands(at, rex);
    size_t length = (size_t)(at - code) + it.length;
    switch (opcode) {
    case 0x1f: /* nop */
        return here(NOTHING, length);
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf: /* movzx, movsx */
        return here(loads(&it), length);
    default:
        return here(USED, 0);
    }
}

static instruction decode_group(const unsigned char *code, const unsigned char *at, unsigned opcode,
                                unsigned rex) {
    operands it = take_operands(at, rex);
    size_t length = (size_t)(at - code) + it.length;
    switch (opcode) {
    case 0x01: /* add, or, and, sub, cmp, test */
    case 0x03:
    case 0x09:
    case 0x0b:
    case 0x21:
    case 0x23:
    case 0x29:
    case 0x2b:
    case 0x39:
    case 0x3b:
    case 0x85:
        return here(computes(&it), length);
    case 0x31: /* xor, which with itself is 0 */
    case 0x33:
        if (!it.memory && it.reg == it.rm)
            return here(it.reg == 0 ? LOST : NOTHING, length);
        return here(computes(&it), length);
    case 0x89:
        return here(stores(&it), length);
    case 0x63: /* movsxd */
    case 0x8b:
    case 0x8d: /* lea */
        return here(loads(&it), length);
    case 0x83:
    case 0xc1:
        return here(changes(&it, false), length + 1);
    case 0x81:
        return here(changes(&it, false), length + 4);
    case 0xc7:
        return here(changes(&it, true), length + 4);
    case 0xff: /* a call through a pointer */
        if ((it.reg & 7) == 2)
            return here(it.by_rax || (!it.memory && it.rm == 0) ? USED : LOST, length);
        return here(USED, 0);
    default:
        return here(USED, 0);
    }
}

static instruction decode_x86(const unsigned char *code) {
    const unsigned char *at = code;
    unsigned rex = 0;
    if (word_at(code) == 0xfa1e0ff3) /* endbr64 */
        return here(NOTHING, 4);
    if (at[0] == 0x66 && at[1] == 0x90)
        return here(NOTHING, 2);
    if ((*at & 0xf0) == 0x40)
        rex = *at++;
    unsigned opcode = *at++, low = (opcode & 7) | (rex & 1) << 3;
    size_t length = (size_t)(at - code);
    if (opcode == 0x0f)
        return decode_two(code, at, rex);
    if ((opcode & 0xf8) == 0x50) /* push */
        return here(low == 0 ? USED : NOTHING, length);
    if ((opcode & 0xf8) == 0x58) /* pop */
        return here(low == 0 ? LOST : NOTHING, length);
    if ((opcode & 0xf8) == 0xb8) /* mov of an immediate value */
        return here(low == 0 ? LOST : NOTHING, length + (rex & 8 ? 8 : 4));
    if ((opcode & 0xf0) == 0x70) /* jcc */
        return (instruction){BRANCH, length + 1, at + 1 + (int8_t)*at};
    switch (opcode) {
    case 0x90:
        return here(NOTHING, length);
    case 0xe8:
        return here(is_stub(at + 4 + (int32_t)word_at(at)) ? LOST : USED, 0);
    case 0xe9:
        return jump(JUMP, at + 4, (int32_t)word_at(at));
    case 0xeb:
        return jump(JUMP, at + 1, (int8_t)*at);
    default:
        return decode_group(code, at, opcode, rex);
    }
}

bool hd_rt_arch_unused_x86_64(const unsigned char *code) {
    unsigned left = MOST;
    return is_unused(code, decode_x86, &left);
}

/* --- aarch64: the result is in w0 ----------------------------------------------------------- */

static const unsigned char *branch_target(const unsigned char *code, uint32_t word, unsigned low,
                                          unsigned bits) {
    uint32_t distance = word >> low & ((UINT32_C(1) << bits) - 1);
    int64_t words = (int64_t)distance - (distance >> (bits - 1) ? INT64_C(1) << bits : 0);
    return code + 4 * words;
}

/* As on x86_64: adrp x16 and on, after an optional bti. */
static bool is_aarch64_stub(const unsigned char *code) {
    if (word_at(code) == 0xd503245f)
        code += 4;
    return (word_at(code) & 0x9f00001f) == 0x90000010;
}

static enum meaning aarch64_memory(uint32_t word) {
    bool vector = word >> 26 & 1, load = (word >> 22 & 3) != 0;
    bool by_register = (word & 0x3b200c00) == 0x38200800;
    if ((word & 0x3b000000) == 0x38000000 && word >> 21 & 1 && !by_register)
        return USED; /* an atomic one */
    if ((word >> 5 & 31) == 0 || (by_register && (word >> 16 & 31) == 0))
        return USED;
    if (vector || (word & 31) != 0)
        return NOTHING;
    return load ? LOST : USED;
}

static enum meaning aarch64_pair(uint32_t word) {
    bool vector = word >> 26 & 1, zero = (word & 31) == 0 || (word >> 10 & 31) == 0;
    if ((word >> 5 & 31) == 0)
        return USED;
    return vector || !zero ? NOTHING : word >> 22 & 1 ? LOST : USED;
}

/* Of one that reads two registers, or one, and writes one. */
static enum meaning aarch64_computes(uint32_t word, bool two) {
    if ((word >> 5 & 31) == 0 || (two && (word >> 16 & 31) == 0))
        return USED;
    return (word & 31) == 0 ? LOST : NOTHING;
}

static enum meaning aarch64_meaning(uint32_t word) {
    if ((word & 0xfffff01f) == 0xd503201f) /* nop, bti, paciasp */
        return NOTHING;
    if ((word & 0x1f000000) == 0x10000000) /* adr, adrp */
        return (word & 31) == 0 ? LOST : NOTHING;
    if ((word & 0x1f000000) == 0x11000000 || (word & 0x1f800000) == 0x12000000)
        return aarch64_computes(word, false); /* add, sub, logical, with an immediate value */
    if ((word & 0x1f800000) == 0x12800000) {  /* movn, movz, movk */
        bool keeps = (word >> 29 & 3) == 3;
        return (word & 31) != 0 ? NOTHING : keeps ? USED : LOST;
    }
    if ((word & 0x1f000000) == 0x0a000000 || (word & 0x1f000000) == 0x0b000000)
        return aarch64_computes(word, true);
    if ((word & 0x3b000000) == 0x39000000 || (word & 0x3b000000) == 0x38000000)
        return aarch64_memory(word);
    if ((word & 0x3a000000) == 0x28000000)
        return aarch64_pair(word);
    if ((word & 0xfffffc1f) == 0xd63f0000) /* blr */
        return (word >> 5 & 31) == 0 ? USED : LOST;
    return USED;
}

static instruction decode_aarch64(const unsigned char *code) {
    uint32_t word = word_at(code);
    if ((word & 0xfc000000) == 0x14000000) /* b */
        return (instruction){JUMP, 4, branch_target(code, word, 0, 26)};
    if ((word & 0xfc000000) == 0x94000000) /* bl */
        return here(is_aarch64_stub(branch_target(code, word, 0, 26)) ? LOST : USED, 4);
    if ((word & 0xff000010) == 0x54000000) /* b.cond */
        return (instruction){BRANCH, 4, branch_target(code, word, 5, 19)};
    if ((word & 0x7e000000) == 0x34000000 && (word & 31) != 0) /* cbz, cbnz */
        return (instruction){BRANCH, 4, branch_target(code, word, 5, 19)};
    if ((word & 0x7e000000) == 0x36000000 && (word & 31) != 0) /* tbz, tbnz */
        return (instruction){BRANCH, 4, branch_target(code, word, 5, 14)};
    return here(aarch64_meaning(word), 4);
}

bool hd_rt_arch_unused_aarch64(const unsigned char *code) {
    unsigned left = MOST;
    return is_unused(code, decode_aarch64, &left);
}
