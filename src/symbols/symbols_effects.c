#include "symbols_effects.h"

static bool has(const uint16_t *list, uint8_t count, unsigned name) {
    for (uint8_t i = 0; i < count; i++)
        if (list[i] == name)
            return true;
    return false;
}

/* --- x86_64 --------------------------------------------------------------------------------- */

static bool is_vector_x86(unsigned name) {
    switch (name) {
    case X86_INS_MOVSS:
    case X86_INS_MOVSD:
    case X86_INS_MOVAPS:
    case X86_INS_MOVAPD:
    case X86_INS_MOVUPS:
    case X86_INS_MOVUPD:
    case X86_INS_MOVDQA:
    case X86_INS_MOVDQU:
    case X86_INS_MOVD:
    case X86_INS_MOVQ:
    case X86_INS_MOVLPS:
    case X86_INS_MOVHPS:
    case X86_INS_PXOR:
    case X86_INS_XORPS:
    case X86_INS_XORPD:
    case X86_INS_ANDPS:
    case X86_INS_ANDPD:
    case X86_INS_ADDSS:
    case X86_INS_ADDSD:
    case X86_INS_SUBSS:
    case X86_INS_SUBSD:
    case X86_INS_MULSS:
    case X86_INS_MULSD:
    case X86_INS_DIVSS:
    case X86_INS_DIVSD:
    case X86_INS_SQRTSD:
    case X86_INS_CVTSI2SS:
    case X86_INS_CVTSI2SD:
    case X86_INS_CVTTSS2SI:
    case X86_INS_CVTTSD2SI:
    case X86_INS_CVTSS2SD:
    case X86_INS_CVTSD2SS:
    case X86_INS_UCOMISS:
    case X86_INS_UCOMISD:
    case X86_INS_COMISS:
    case X86_INS_COMISD:
    case X86_INS_UNPCKLPS:
    case X86_INS_UNPCKLPD:
    case X86_INS_PUNPCKLQDQ:
    case X86_INS_PUNPCKLDQ:
    case X86_INS_PSHUFD:
    case X86_INS_PADDD:
    case X86_INS_PADDQ:
    case X86_INS_CVTPS2PD:
    case X86_INS_CVTDQ2PD:
        return true;
    default:
        return false;
    }
}

static bool is_vector_register_x86(unsigned name) {
    return (name >= X86_REG_XMM0 && name <= X86_REG_XMM31) ||
           (name >= X86_REG_YMM0 && name <= X86_REG_YMM31) ||
           (name >= X86_REG_ZMM0 && name <= X86_REG_ZMM31) ||
           (name >= X86_REG_MM0 && name <= X86_REG_MM7);
}

/* `movsd` is the name of a string instruction, too. */
bool hd_symbols_is_vector_x86(unsigned name, const cs_x86 *x86) {
    unsigned memories = 0;
    bool vector = false;
    for (uint8_t i = 0; i < x86->op_count; i++) {
        memories += x86->operands[i].type == X86_OP_MEM;
        vector |=
            x86->operands[i].type == X86_OP_REG && is_vector_register_x86(x86->operands[i].reg);
    }
    return vector && memories < 2 && is_vector_x86(name);
}

/* Writes every flag that a branch may look at. */
static bool sets_flags_x86(unsigned name) {
    return name == X86_INS_CMP || name == X86_INS_TEST || name == X86_INS_ADD ||
           name == X86_INS_SUB || name == X86_INS_AND || name == X86_INS_OR || name == X86_INS_XOR;
}

/* The first operand is only read. */
static bool only_reads_x86(unsigned name) {
    return name == X86_INS_CMP || name == X86_INS_TEST || name == X86_INS_PUSH ||
           name == X86_INS_UCOMISS || name == X86_INS_UCOMISD || name == X86_INS_COMISS ||
           name == X86_INS_COMISD || name == X86_INS_NOP || name == X86_INS_CALL ||
           name == X86_INS_JMP;
}

/* Is all that it does in its operands, or in the registers that calls change? */
static bool is_described_x86(unsigned name) {
    switch (name) {
    case X86_INS_NOP:
    case X86_INS_ENDBR64:
    case X86_INS_PAUSE:
    case X86_INS_MFENCE:
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
    case X86_INS_LEA:
    case X86_INS_ADD:
    case X86_INS_SUB:
    case X86_INS_PUSH:
    case X86_INS_POP:
    case X86_INS_LEAVE:
    case X86_INS_RET:
    case X86_INS_UD2:
    case X86_INS_HLT:
    case X86_INS_JMP:
    case X86_INS_CALL:
    case X86_INS_CBW:
    case X86_INS_CWDE:
    case X86_INS_CDQE:
    case X86_INS_CWD:
    case X86_INS_CDQ:
    case X86_INS_CQO:
    case X86_INS_MUL:
    case X86_INS_IMUL:
    case X86_INS_DIV:
    case X86_INS_IDIV:
        return true;
    default:
        return false;
    }
}

void hd_symbols_effects_x86(const cs_insn *from, hd_symbols_instruction *to) {
    const cs_detail *detail = from->detail;
    const cs_x86 *x86 = &detail->x86;
    for (uint8_t i = 0; i < x86->op_count; i++)
        to->vector |=
            x86->operands[i].type == X86_OP_REG && is_vector_register_x86(x86->operands[i].reg);
    to->reads_flags = to->flow == HD_SYMBOLS_BRANCH ||
                      has(detail->regs_read, detail->regs_read_count, X86_REG_EFLAGS);
    to->sets_flags = sets_flags_x86(from->id);
    to->faults = from->id == X86_INS_DIV || from->id == X86_INS_IDIV;
    to->odd = !(to->plain || to->flow == HD_SYMBOLS_BRANCH || is_described_x86(from->id) ||
                hd_symbols_is_vector_x86(from->id, x86));
    if (to->memories && x86->operands[0].type == X86_OP_MEM && !only_reads_x86(from->id))
        to->memory[0].may_write = true;
}

/* --- aarch64 -------------------------------------------------------------------------------- */

static bool is_vector_register_arm(unsigned name) {
    return (name >= ARM64_REG_B0 && name <= ARM64_REG_B31) ||
           (name >= ARM64_REG_D0 && name <= ARM64_REG_D31) ||
           (name >= ARM64_REG_H0 && name <= ARM64_REG_H31) ||
           (name >= ARM64_REG_Q0 && name <= ARM64_REG_Q31) ||
           (name >= ARM64_REG_S0 && name <= ARM64_REG_S31) ||
           (name >= ARM64_REG_V0 && name <= ARM64_REG_V31);
}

/* Those that symbols_code.c does not describe, and whose effects are in their operands. */
static bool is_described_arm(unsigned name) {
    switch (name) {
    case ARM64_INS_CMP:
    case ARM64_INS_CMN:
    case ARM64_INS_TST:
    case ARM64_INS_CCMP:
    case ARM64_INS_MOVK:
    case ARM64_INS_CSINV:
    case ARM64_INS_CSNEG:
    case ARM64_INS_CSETM:
    case ARM64_INS_CINV:
    case ARM64_INS_CNEG:
    case ARM64_INS_MSUB:
    case ARM64_INS_MNEG:
    case ARM64_INS_SMULL:
    case ARM64_INS_UMULL:
    case ARM64_INS_SDIV:
    case ARM64_INS_UDIV:
    case ARM64_INS_UXTH:
    case ARM64_INS_SXTH:
    case ARM64_INS_UBFIZ:
    case ARM64_INS_SBFIZ:
    case ARM64_INS_SBFX:
    case ARM64_INS_BFI:
    case ARM64_INS_BFXIL:
    case ARM64_INS_ROR:
    case ARM64_INS_EON:
    case ARM64_INS_ORN:
    case ARM64_INS_REV:
    case ARM64_INS_CLZ:
    case ARM64_INS_FMOV:
    case ARM64_INS_FADD:
    case ARM64_INS_FSUB:
    case ARM64_INS_FMUL:
    case ARM64_INS_FDIV:
    case ARM64_INS_FNEG:
    case ARM64_INS_FCMP:
    case ARM64_INS_FCMPE:
    case ARM64_INS_FCVT:
    case ARM64_INS_SCVTF:
    case ARM64_INS_UCVTF:
    case ARM64_INS_FCVTZS:
    case ARM64_INS_FCVTZU:
    case ARM64_INS_MOVI:
        return true;
    default:
        return false;
    }
}

void hd_symbols_effects_arm(const cs_insn *from, hd_symbols_instruction *to) {
    const cs_detail *detail = from->detail;
    const cs_arm64 *arm = &detail->arm64;
    for (uint8_t i = 0; i < arm->op_count; i++) {
        const cs_arm64_op *operand = &arm->operands[i];
        to->vector |= operand->type == ARM64_OP_REG && is_vector_register_arm(operand->reg);
    }
    bool condition = arm->cc != ARM64_CC_INVALID && arm->cc != ARM64_CC_AL;
    to->reads_flags = condition || has(detail->regs_read, detail->regs_read_count, ARM64_REG_NZCV);
    bool compares = from->id == ARM64_INS_CMP || from->id == ARM64_INS_CMN ||
                    from->id == ARM64_INS_TST || from->id == ARM64_INS_FCMP;
    to->sets_flags = compares || (arm->update_flags && !to->reads_flags);
    to->odd = !(to->plain || is_described_arm(from->id));
    for (unsigned i = 0; i < to->memories; i++)
        to->memory[i].may_write = to->odd || to->memory[i].writes;
}
