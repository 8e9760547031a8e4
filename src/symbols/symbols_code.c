#include "symbols_code.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <string.h>

#include "base/base.h"
#include "symbols_effects.h"

struct hd_symbols_decoder {
    csh capstone;
    cs_insn *instruction;
    const hd_symbols_arch *arch;
};

typedef hd_symbols_instruction instruction;

enum { NO = HD_SYMBOLS_NO_REGISTER };

static uint32_t bit(uint8_t number) {
    return number < HD_SYMBOLS_REGISTERS ? UINT32_C(1) << number : 0;
}

/* It goes into an operand, and the operand is read for something that is not known. */
static void use(instruction *to, uint8_t number) {
    to->uses |= bit(number);
}

/* --- x86_64 --------------------------------------------------------------------------------- */

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const hd_symbols_arch x86_64 = {
    .stack = RSP,
    .argument = {RDI, RSI, RDX, RCX, R8, R9, NO, NO},
    .result = {RAX, RDX},
    .kept = {RBX, RBP, R12, R13, R14, R15, NO, NO, NO, NO, NO, NO},
    .lost = 1U << RAX | 1U << RCX | 1U << RDX | 1U << RSI | 1U << RDI | 1U << R8 | 1U << R9 |
            1U << R10 | 1U << R11,
};

/* A register, and how many of its bytes. */
typedef struct part {
    uint8_t number, size;
} part;

static part part_of_x86(x86_reg name) {
    static const x86_reg names[16][5] = {
        {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
        {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
        {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
        {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
        {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_INVALID},
        {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_INVALID},
        {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_INVALID},
        {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_INVALID},
        {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B, X86_REG_INVALID},
        {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B, X86_REG_INVALID},
        {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B, X86_REG_INVALID},
        {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B, X86_REG_INVALID},
        {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B, X86_REG_INVALID},
        {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B, X86_REG_INVALID},
        {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B, X86_REG_INVALID},
        {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B, X86_REG_INVALID},
    };
    static const uint8_t sizes[5] = {8, 4, 2, 1, 1};
    if (name != X86_REG_INVALID)
        for (uint8_t i = 0; i < 16; i++)
            for (unsigned k = 0; k < 5; k++)
                if (names[i][k] == name)
                    return (part){i, sizes[k]};
    return (part){NO, 0};
}

static hd_symbols_memory memory_of_x86(const cs_x86_op *operand, uint64_t next) {
    const x86_op_mem *mem = &operand->mem;
    hd_symbols_memory it = {.base = part_of_x86(mem->base).number,
                            .index = part_of_x86(mem->index).number,
                            .offset = mem->disp,
                            .size = operand->size,
                            .reads = true};
    if (mem->base == X86_REG_RIP) {
        it.fixed = true;
        it.offset = (int64_t)next + mem->disp;
    } else if (mem->segment != X86_REG_INVALID) { /* thread-local memory */
        it.fixed = it.base == NO && it.index == NO;
    }
    return it;
}

/* An operand that is read; memory that may also be written. */
static bool take_x86(instruction *to, const cs_x86_op *operand, bool writes) {
    if (operand->type == X86_OP_REG) {
        use(to, part_of_x86(operand->reg).number);
        return true;
    }
    if (operand->type != X86_OP_MEM)
        return true;
    if (to->memories == 2)
        return false;
    to->memory[to->memories] = memory_of_x86(operand, to->next);
    if (writes) {
        to->memory[to->memories].reads = false;
        to->memory[to->memories].writes = true;
    }
    to->memories++;
    return true;
}

/* A register that gets another value, whole unless only a part of it is written. */
static void write_x86(instruction *to, const cs_x86_op *operand) {
    part it = part_of_x86(operand->reg);
    to->changed |= bit(it.number);
    if (it.size >= 4)
        to->written |= bit(it.number);
    else
        use(to, it.number);
}

static bool move_x86(instruction *to, const cs_x86 *x86) {
    const cs_x86_op *target = &x86->operands[0], *source = &x86->operands[1];
    if (target->type == X86_OP_MEM)
        return take_x86(to, target, true) && take_x86(to, source, false);
    if (target->type != X86_OP_REG || !take_x86(to, source, false))
        return false;
    write_x86(to, target);
    part it = part_of_x86(target->reg);
    if (it.size != 8)
        return true;
    to->to = it.number;
    if (source->type == X86_OP_REG && part_of_x86(source->reg).size == 8) {
        to->move = HD_SYMBOLS_SUM;
        to->from = part_of_x86(source->reg).number;
        to->uses &= ~bit(to->from);
    } else if (source->type == X86_OP_MEM && source->mem.segment == X86_REG_INVALID)
        to->move = HD_SYMBOLS_LOAD;
    return true;
}

static bool lea_x86(instruction *to, const cs_x86 *x86) {
    hd_symbols_memory at = memory_of_x86(&x86->operands[1], to->next);
    part it = part_of_x86(x86->operands[0].reg);
    write_x86(to, &x86->operands[0]);
    if (it.size == 8 && at.fixed) {
        to->move = HD_SYMBOLS_NUMBER;
        to->to = it.number;
        to->number = at.offset;
    } else if (it.size == 8 && at.base != NO && at.index == NO) {
        to->move = HD_SYMBOLS_SUM;
        to->to = it.number;
        to->from = at.base;
        to->number = at.offset;
    } else {
        use(to, at.base);
        use(to, at.index);
    }
    return true;
}

/* add, sub */
static bool add_x86(instruction *to, const cs_x86 *x86, int64_t sign) {
    const cs_x86_op *target = &x86->operands[0], *source = &x86->operands[1];
    part it = target->type == X86_OP_REG ? part_of_x86(target->reg) : (part){NO, 0};
    if (it.size == 8 && source->type == X86_OP_IMM) {
        to->move = HD_SYMBOLS_SUM;
        to->to = to->from = it.number;
        to->number = sign * source->imm;
        to->changed |= bit(it.number);
        return true;
    }
    to->changed |= bit(it.number);
    return take_x86(to, target, false) && take_x86(to, source, false);
}

/* xor and sub of a register with itself write it and read nothing. */
static bool is_zero_x86(const cs_x86 *x86) {
    return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG &&
           x86->operands[1].type == X86_OP_REG && x86->operands[0].reg == x86->operands[1].reg &&
           part_of_x86(x86->operands[0].reg).size >= 4;
}

static bool push_x86(instruction *to, const cs_x86 *x86) {
    if (x86->op_count != 1 || !take_x86(to, &x86->operands[0], false) || to->memories == 2 ||
        (x86->operands[0].type != X86_OP_IMM && x86->operands[0].size != 8))
        return false;
    to->memory[to->memories++] =
        (hd_symbols_memory){.base = RSP, .index = NO, .offset = -8, .size = 8, .writes = true};
    to->moved = RSP;
    to->by_how_much = -8;
    return true;
}

static bool pop_x86(instruction *to, const cs_x86 *x86) {
    if (x86->op_count != 1 || x86->operands[0].type != X86_OP_REG || x86->operands[0].size != 8)
        return false;
    write_x86(to, &x86->operands[0]);
    to->memory[to->memories++] =
        (hd_symbols_memory){.base = RSP, .index = NO, .size = 8, .reads = true};
    to->moved = RSP;
    to->by_how_much = 8;
    return true;
}

/* mov rsp, rbp; pop rbp */
static bool leave_x86(instruction *to) {
    to->memory[to->memories++] =
        (hd_symbols_memory){.base = RBP, .index = NO, .size = 8, .reads = true};
    to->move = HD_SYMBOLS_SUM;
    to->to = RSP;
    to->from = RBP;
    to->number = 8;
    to->changed |= bit(RSP) | bit(RBP);
    to->written |= bit(RBP);
    return true;
}

static bool jump_x86(instruction *to, const cs_x86 *x86, bool branch) {
    if (x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM) {
        to->flow = branch ? HD_SYMBOLS_BRANCH : HD_SYMBOLS_JUMP;
        to->target = (uint64_t)x86->operands[0].imm;
        return true;
    }
    bool table = x86->operands[0].type != X86_OP_MEM || x86->operands[0].mem.base != X86_REG_RIP;
    to->flow = table ? HD_SYMBOLS_AWAY : HD_SYMBOLS_TAIL;
    if (!table)
        to->through = (uint64_t)memory_of_x86(&x86->operands[0], to->next).offset;
    return !table || take_x86(to, &x86->operands[0], false);
}

static bool call_x86(instruction *to, const cs_x86 *x86) {
    const cs_x86_op *what = &x86->operands[0];
    to->flow = HD_SYMBOLS_CALL;
    if (what->type == X86_OP_IMM)
        to->target = (uint64_t)what->imm;
    else if (what->type == X86_OP_MEM && what->mem.base == X86_REG_RIP)
        to->through = (uint64_t)memory_of_x86(what, to->next).offset;
    else if (what->type == X86_OP_REG)
        to->by = part_of_x86(what->reg).number;
    else
        return take_x86(to, what, false);
    use(to, to->by);
    return true;
}

/* An instruction whose operands are all read, of which the first may be written, and that does
 * nothing else with the registers that are looked at. */
static bool is_plain_x86(unsigned name) {
    switch (name) {
    case X86_INS_CMP:
    case X86_INS_TEST:
    case X86_INS_AND:
    case X86_INS_OR:
    case X86_INS_XOR:
    case X86_INS_SHL:
    case X86_INS_SHR:
    case X86_INS_SAR:
    case X86_INS_ROL:
    case X86_INS_ROR:
    case X86_INS_INC:
    case X86_INS_DEC:
    case X86_INS_NEG:
    case X86_INS_NOT:
    case X86_INS_ADC:
    case X86_INS_SBB:
    case X86_INS_BT:
    case X86_INS_BSWAP:
    case X86_INS_CMOVA:
    case X86_INS_CMOVAE:
    case X86_INS_CMOVB:
    case X86_INS_CMOVBE:
    case X86_INS_CMOVE:
    case X86_INS_CMOVG:
    case X86_INS_CMOVGE:
    case X86_INS_CMOVL:
    case X86_INS_CMOVLE:
    case X86_INS_CMOVNE:
    case X86_INS_CMOVNS:
    case X86_INS_CMOVS:
    case X86_INS_SETA:
    case X86_INS_SETAE:
    case X86_INS_SETB:
    case X86_INS_SETBE:
    case X86_INS_SETE:
    case X86_INS_SETG:
    case X86_INS_SETGE:
    case X86_INS_SETL:
    case X86_INS_SETLE:
    case X86_INS_SETNE:
    case X86_INS_SETNS:
    case X86_INS_SETS:
    case X86_INS_IMUL:
        return true;
    default:
        return false;
    }
}

/* All others: every operand is read, and registers that they read or write without saying so may
 * hold anything afterwards. */
static bool take_other_x86(instruction *to, unsigned name, const cs_x86 *x86) {
    bool plain = is_plain_x86(name) && !(name == X86_INS_IMUL && x86->op_count == 1);
    to->plain = plain;
    for (unsigned i = 0; i < x86->op_count; i++) {
        if (!take_x86(to, &x86->operands[i], false))
            return false;
        if (x86->operands[i].type == X86_OP_REG)
            to->changed |= bit(part_of_x86(x86->operands[i].reg).number);
    }
    if (name == X86_INS_CWDE || name == X86_INS_CDQE || name == X86_INS_CDQ ||
        name == X86_INS_CQO) {
        to->uses |= bit(RAX);
        to->changed |= bit(RAX) | bit(RDX);
    } else if (!plain && !hd_symbols_is_vector_x86(name, x86)) {
        to->uses |= x86_64.lost | bit(RBX);
        to->changed |= x86_64.lost | bit(RBX);
    }
    return true;
}

static bool decode_x86(const cs_insn *from, instruction *to) {
    const cs_x86 *x86 = &from->detail->x86;
    switch (from->id) {
    case X86_INS_NOP:
    case X86_INS_ENDBR64:
    case X86_INS_PAUSE:
    case X86_INS_MFENCE:
        return true;
    case X86_INS_MOV:
    case X86_INS_MOVABS:
        return move_x86(to, x86);
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
        if (!take_x86(to, &x86->operands[1], false))
            return false;
        write_x86(to, &x86->operands[0]);
        return true;
    case X86_INS_LEA:
        return lea_x86(to, x86);
    case X86_INS_ADD:
        return add_x86(to, x86, 1);
    case X86_INS_XOR:
    case X86_INS_SUB:
        if (is_zero_x86(x86)) {
            write_x86(to, &x86->operands[0]);
            return true;
        }
        return from->id == X86_INS_SUB ? add_x86(to, x86, -1) : take_other_x86(to, from->id, x86);
    case X86_INS_PUSH:
        return push_x86(to, x86);
    case X86_INS_POP:
        return pop_x86(to, x86);
    case X86_INS_LEAVE:
        return leave_x86(to);
    case X86_INS_RET:
        to->flow = HD_SYMBOLS_RETURN;
        return true;
    case X86_INS_UD2:
    case X86_INS_HLT:
        to->flow = HD_SYMBOLS_END;
        return true;
    case X86_INS_JMP:
        return jump_x86(to, x86, false);
    case X86_INS_CALL:
        return call_x86(to, x86);
    case X86_INS_JRCXZ:
    case X86_INS_JECXZ:
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
        return false;
    default:
        break;
    }
    for (uint8_t i = 0; i < from->detail->groups_count; i++)
        if (from->detail->groups[i] == CS_GRP_JUMP)
            return jump_x86(to, x86, true);
        else if (from->detail->groups[i] == CS_GRP_CALL || from->detail->groups[i] == CS_GRP_RET ||
                 from->detail->groups[i] == CS_GRP_IRET)
            return false;
    return take_other_x86(to, from->id, x86);
}

/* --- aarch64 -------------------------------------------------------------------------------- */

enum { SP = 31, LINK = 30, FRAME = 29 };

static const hd_symbols_arch aarch64 = {
    .stack = SP,
    .argument = {0, 1, 2, 3, 4, 5, 6, 7},
    .result = {0, 1},
    .keeps_vectors = true,
    .kept = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FRAME, NO},
    .lost = ((UINT32_C(1) << 19) - 1) | UINT32_C(1) << LINK,
};

static part part_of_arm(unsigned name) {
    if (name >= ARM64_REG_X0 && name <= ARM64_REG_X28)
        return (part){(uint8_t)(name - ARM64_REG_X0), 8};
    if (name >= ARM64_REG_W0 && name <= ARM64_REG_W30)
        return (part){(uint8_t)(name - ARM64_REG_W0), 4};
    if (name == ARM64_REG_X29 || name == ARM64_REG_X30)
        return (part){name == ARM64_REG_X29 ? FRAME : LINK, 8};
    if (name == ARM64_REG_SP || name == ARM64_REG_WSP)
        return (part){SP, name == ARM64_REG_SP ? 8 : 4};
    return (part){NO, 0};
}

static bool is_float_arm(unsigned name) {
    return (name >= ARM64_REG_B0 && name <= ARM64_REG_B31) ||
           (name >= ARM64_REG_D0 && name <= ARM64_REG_D31) ||
           (name >= ARM64_REG_H0 && name <= ARM64_REG_H31) ||
           (name >= ARM64_REG_Q0 && name <= ARM64_REG_Q31) ||
           (name >= ARM64_REG_S0 && name <= ARM64_REG_S31) ||
           (name >= ARM64_REG_V0 && name <= ARM64_REG_V31);
}

static uint8_t register_of_arm(const cs_arm64_op *operand) {
    return operand->type == ARM64_OP_REG ? part_of_arm(operand->reg).number : NO;
}

static void write_arm(instruction *to, const cs_arm64_op *operand) {
    uint8_t number = register_of_arm(operand);
    to->changed |= bit(number);
    to->written |= bit(number);
}

/* The memory operand, of so many bytes, and what is added to its base. */
static bool memory_arm(instruction *to, const cs_arm64 *arm, unsigned first, uint32_t size,
                       bool writes) {
    const cs_arm64_op *at = &arm->operands[first];
    if (first >= arm->op_count || at->type != ARM64_OP_MEM)
        return false;
    hd_symbols_memory it = {.base = part_of_arm(at->mem.base).number,
                            .index = part_of_arm(at->mem.index).number,
                            .offset = at->mem.disp,
                            .size = size,
                            .reads = !writes,
                            .writes = writes};
    if (arm->writeback) {
        bool after = first + 1 < arm->op_count && arm->operands[first + 1].type == ARM64_OP_IMM;
        to->moved = it.base;
        to->by_how_much = after ? arm->operands[first + 1].imm : it.offset;
        if (after)
            it.offset = 0;
    }
    to->memory[to->memories++] = it;
    return true;
}

static uint32_t size_of_arm(const cs_arm64_op *operand) {
    unsigned name = operand->reg;
    if (name >= ARM64_REG_Q0 && name <= ARM64_REG_Q31)
        return 16;
    if (name >= ARM64_REG_D0 && name <= ARM64_REG_D31)
        return 8;
    if (is_float_arm(name))
        return 4;
    if (name == ARM64_REG_XZR)
        return 8;
    if (name == ARM64_REG_WZR)
        return 4;
    return part_of_arm(name).size;
}

/* Loads of `count` registers; size 0: as large as the register. */
static bool load_arm(instruction *to, const cs_arm64 *arm, unsigned count, uint32_t size) {
    uint32_t each = size ? size : size_of_arm(&arm->operands[0]);
    if (arm->op_count > count && arm->operands[count].type == ARM64_OP_IMM && count == 1) {
        write_arm(to, &arm->operands[0]); /* of a constant beside the code */
        return true;
    }
    if (!memory_arm(to, arm, count, each * count, false))
        return false;
    for (unsigned i = 0; i < count; i++)
        write_arm(to, &arm->operands[i]);
    if (count == 1 && !size && part_of_arm(arm->operands[0].reg).size == 8 && !arm->writeback) {
        to->move = HD_SYMBOLS_LOAD;
        to->to = register_of_arm(&arm->operands[0]);
    }
    return true;
}

static bool store_arm(instruction *to, const cs_arm64 *arm, unsigned count, uint32_t size) {
    uint32_t each = size ? size : size_of_arm(&arm->operands[0]);
    for (unsigned i = 0; i < count; i++)
        use(to, register_of_arm(&arm->operands[i]));
    return memory_arm(to, arm, count, each * count, true);
}

/* mov, add and sub with a number. */
static bool sum_arm(instruction *to, const cs_arm64 *arm, int64_t sign) {
    const cs_arm64_op *target = &arm->operands[0], *source = &arm->operands[1];
    write_arm(to, target);
    bool whole = part_of_arm(target->reg).size == 8 && register_of_arm(source) != NO;
    to->to = register_of_arm(target);
    if (whole && arm->op_count == 2 && part_of_arm(source->reg).size == 8) {
        to->move = HD_SYMBOLS_SUM;
        to->from = register_of_arm(source);
    } else if (whole && arm->op_count == 3 && arm->operands[2].type == ARM64_OP_IMM) {
        int64_t number = arm->operands[2].imm;
        if (arm->operands[2].shift.type == ARM64_SFT_LSL)
            number <<= arm->operands[2].shift.value;
        to->move = HD_SYMBOLS_SUM;
        to->from = register_of_arm(source);
        to->number = sign * number;
    }
    if (to->move)
        return true;
    for (unsigned i = 1; i < arm->op_count; i++)
        use(to, register_of_arm(&arm->operands[i]));
    return true;
}

/* Written: the first operand; read: the others. */
static bool compute_arm(instruction *to, const cs_arm64 *arm) {
    for (unsigned i = 1; i < arm->op_count; i++) {
        if (arm->operands[i].type == ARM64_OP_MEM)
            return false;
        use(to, register_of_arm(&arm->operands[i]));
    }
    write_arm(to, &arm->operands[0]);
    return true;
}

static bool is_computed_arm(unsigned name) {
    switch (name) {
    case ARM64_INS_MOVZ:
    case ARM64_INS_MOVN:
    case ARM64_INS_AND:
    case ARM64_INS_ORR:
    case ARM64_INS_EOR:
    case ARM64_INS_BIC:
    case ARM64_INS_LSL:
    case ARM64_INS_LSR:
    case ARM64_INS_ASR:
    case ARM64_INS_CSET:
    case ARM64_INS_CSEL:
    case ARM64_INS_CSINC:
    case ARM64_INS_CINC:
    case ARM64_INS_MUL:
    case ARM64_INS_MADD:
    case ARM64_INS_SXTW:
    case ARM64_INS_UXTW:
    case ARM64_INS_UXTB:
    case ARM64_INS_SXTB:
    case ARM64_INS_UBFX:
    case ARM64_INS_NEG:
    case ARM64_INS_MVN:
        return true;
    default:
        return false;
    }
}

static bool branch_arm(instruction *to, const cs_arm64 *arm) {
    const cs_arm64_op *last = &arm->operands[arm->op_count - 1];
    if (!arm->op_count || last->type != ARM64_OP_IMM)
        return false;
    for (unsigned i = 0; i + 1 < arm->op_count; i++)
        use(to, register_of_arm(&arm->operands[i]));
    to->flow = HD_SYMBOLS_BRANCH;
    to->target = (uint64_t)last->imm;
    return true;
}

static bool take_other_arm(instruction *to, const cs_arm64 *arm) {
    for (unsigned i = 0; i < arm->op_count; i++) {
        uint8_t number = register_of_arm(&arm->operands[i]);
        use(to, number);
        to->changed |= bit(number);
        if (arm->operands[i].type == ARM64_OP_MEM &&
            (to->memories == 2 || arm->writeback || !memory_arm(to, arm, i, 16, false)))
            return false;
    }
    return true;
}

static bool decode_arm(const cs_insn *from, instruction *to) {
    const cs_arm64 *arm = &from->detail->arm64;
    to->plain = true;
    switch (from->id) {
    case ARM64_INS_NOP:
    case ARM64_INS_HINT:
    case ARM64_INS_YIELD:
    case ARM64_INS_DMB:
        return true;
    case ARM64_INS_MOV:
    case ARM64_INS_ADD:
        return sum_arm(to, arm, 1);
    case ARM64_INS_SUB:
        return sum_arm(to, arm, -1);
    case ARM64_INS_ADR:
    case ARM64_INS_ADRP:
        write_arm(to, &arm->operands[0]);
        to->move = HD_SYMBOLS_NUMBER;
        to->to = register_of_arm(&arm->operands[0]);
        to->number = arm->operands[1].imm;
        return true;
    case ARM64_INS_LDR:
    case ARM64_INS_LDUR:
        return load_arm(to, arm, 1, 0);
    case ARM64_INS_LDRB:
    case ARM64_INS_LDURB:
    case ARM64_INS_LDRSB:
        return load_arm(to, arm, 1, 1);
    case ARM64_INS_LDRH:
    case ARM64_INS_LDURH:
    case ARM64_INS_LDRSH:
        return load_arm(to, arm, 1, 2);
    case ARM64_INS_LDRSW:
    case ARM64_INS_LDURSW:
        return load_arm(to, arm, 1, 4);
    case ARM64_INS_LDP:
        return load_arm(to, arm, 2, 0);
    case ARM64_INS_STR:
    case ARM64_INS_STUR:
        return store_arm(to, arm, 1, 0);
    case ARM64_INS_STRB:
    case ARM64_INS_STURB:
        return store_arm(to, arm, 1, 1);
    case ARM64_INS_STRH:
    case ARM64_INS_STURH:
        return store_arm(to, arm, 1, 2);
    case ARM64_INS_STP:
        return store_arm(to, arm, 2, 0);
    case ARM64_INS_B:
        if (arm->op_count != 1 || arm->operands[0].type != ARM64_OP_IMM)
            return false;
        to->target = (uint64_t)arm->operands[0].imm;
        to->flow = arm->cc == ARM64_CC_INVALID || arm->cc == ARM64_CC_AL ? HD_SYMBOLS_JUMP
                                                                         : HD_SYMBOLS_BRANCH;
        return true;
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
        return branch_arm(to, arm);
    case ARM64_INS_BL:
        to->flow = HD_SYMBOLS_CALL;
        to->target = (uint64_t)arm->operands[0].imm;
        return true;
    case ARM64_INS_BLR:
        to->flow = HD_SYMBOLS_CALL;
        to->by = register_of_arm(&arm->operands[0]);
        use(to, to->by);
        return true;
    case ARM64_INS_RET:
        to->flow = HD_SYMBOLS_RETURN;
        return true;
    case ARM64_INS_BRK:
        to->flow = HD_SYMBOLS_END;
        return true;
    case ARM64_INS_BR:
        to->flow = HD_SYMBOLS_AWAY;
        return true;
    default:
        break;
    }
    for (uint8_t i = 0; i < from->detail->groups_count; i++)
        if (from->detail->groups[i] == CS_GRP_JUMP || from->detail->groups[i] == CS_GRP_CALL ||
            from->detail->groups[i] == CS_GRP_RET)
            return false;
    to->plain = is_computed_arm(from->id);
    return to->plain ? compute_arm(to, arm) : take_other_arm(to, arm);
}

/* --- both ----------------------------------------------------------------------------------- */

/* The library's tables are a megabyte of addresses, which would be relocated at every start of
 * heddle.  Few programs have loops that are looked at, so it is loaded for the first of those. */
static struct {
    __typeof__(cs_open) *open;
    __typeof__(cs_close) *close;
    __typeof__(cs_option) *option;
    __typeof__(cs_malloc) *malloc;
    __typeof__(cs_free) *free;
    __typeof__(cs_disasm_iter) *disasm_iter;
} library;

static void load_library(void) {
    void *capstone = dlopen(HD_SYMBOLS_CAPSTONE, RTLD_NOW | RTLD_LOCAL);
    if (!capstone) {
        hd_log_write(HD_LOG_WARNING, "loops that wait may take more executions: %s", dlerror());
        return;
    }
    *(void **)&library.close = dlsym(capstone, "cs_close");
    *(void **)&library.option = dlsym(capstone, "cs_option");
    *(void **)&library.malloc = dlsym(capstone, "cs_malloc");
    *(void **)&library.free = dlsym(capstone, "cs_free");
    *(void **)&library.disasm_iter = dlsym(capstone, "cs_disasm_iter");
    if (library.close && library.option && library.malloc && library.free && library.disasm_iter)
        *(void **)&library.open = dlsym(capstone, "cs_open");
}

hd_symbols_decoder *hd_symbols_decoder_create(unsigned machine) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    csh capstone;
    bool arm = machine == EM_AARCH64;
    if (!arm && machine != EM_X86_64)
        return NULL;
    pthread_once(&once, load_library);
    if (!library.open || library.open(arm ? CS_ARCH_ARM64 : CS_ARCH_X86,
                                      arm ? CS_MODE_ARM : CS_MODE_64, &capstone) != CS_ERR_OK)
        return NULL;
    library.option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
    hd_symbols_decoder *decoder = HD_NEW(hd_symbols_decoder);
    decoder->capstone = capstone;
    decoder->arch = arm ? &aarch64 : &x86_64;
    decoder->instruction = hd_mem_made(library.malloc(capstone));
    return decoder;
}

void hd_symbols_decoder_free(hd_symbols_decoder *decoder) {
    if (!decoder)
        return;
    library.free(decoder->instruction, 1);
    library.close(&decoder->capstone);
    free(decoder);
}

const hd_symbols_arch *hd_symbols_decoder_arch(const hd_symbols_decoder *decoder) {
    return decoder->arch;
}

bool hd_symbols_decode(hd_symbols_decoder *decoder, const unsigned char *code, size_t size,
                       uint64_t address, hd_symbols_instruction *to) {
    if (!library.disasm_iter(decoder->capstone, &code, &size, &address, decoder->instruction))
        return false;
    *to = (hd_symbols_instruction){.next = address, .by = NO, .moved = NO};
    bool arm = decoder->arch == &aarch64;
    bool known = arm ? decode_arm(decoder->instruction, to) : decode_x86(decoder->instruction, to);
    to->changed |= to->written;
    if (known && arm)
        hd_symbols_effects_arm(decoder->instruction, to);
    else if (known)
        hd_symbols_effects_x86(decoder->instruction, to);
    return known;
}
