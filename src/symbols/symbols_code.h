/*
 * Machine instructions of x86_64 and aarch64, as far as symbols_frame.h and its users ask: where
 * they lead, which registers and memory they read and write, and what they do with addresses.
 * Capstone decodes them.  Of an instruction that is not in the lists of symbols_code.c all operands
 * count as read, and none as written over.
 */
#ifndef HD_SYMBOLS_CODE_H
#define HD_SYMBOLS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HD_SYMBOLS_REGISTERS = 32, /* x86_64: as instructions number them; aarch64: 31 is sp */
    HD_SYMBOLS_NO_REGISTER = 255
};

/* What differs between architectures. */
typedef struct hd_symbols_arch {
    uint8_t stack;       /* the register */
    uint8_t argument[8]; /* registers of the first arguments; HD_SYMBOLS_NO_REGISTER: no more */
    uint8_t kept[12];    /* registers that functions keep, likewise */
    uint8_t result[2];   /* registers of what a function returns */
    bool keeps_vectors;  /* functions keep a part of the vector registers */
    uint32_t lost;       /* registers that a call changes */
} hd_symbols_arch;

enum hd_symbols_flow {
    HD_SYMBOLS_ON,     /* the next instruction comes next */
    HD_SYMBOLS_JUMP,   /* to `target` */
    HD_SYMBOLS_BRANCH, /* there, or on */
    HD_SYMBOLS_CALL,   /* of `target`, or of what `through` or `by` has */
    HD_SYMBOLS_RETURN,
    HD_SYMBOLS_END,  /* of the process */
    HD_SYMBOLS_TAIL, /* to another function, by its address in memory */
    HD_SYMBOLS_AWAY  /* it is not known where to */
};

/* What an instruction makes of addresses: the value of `to`. */
enum hd_symbols_move {
    HD_SYMBOLS_NO_MOVE,
    HD_SYMBOLS_SUM,    /* `from` + `number` */
    HD_SYMBOLS_NUMBER, /* `number` */
    HD_SYMBOLS_LOAD    /* what is in the memory operand, of eight bytes */
};

typedef struct hd_symbols_memory {
    uint8_t base, index; /* HD_SYMBOLS_NO_REGISTER: it has no such register */
    bool reads, writes;  /* writes: all of it, for sure */
    bool may_write;      /* some of it, perhaps */
    bool fixed;          /* it is at `offset`, whatever registers have */
    int64_t offset;
    uint32_t size;
} hd_symbols_memory;

typedef struct hd_symbols_instruction {
    uint64_t next, target;
    enum hd_symbols_flow flow;
    uint64_t through; /* the address of a pointer that is called, or jumped to */
    uint8_t by;       /* a register that is called */
    uint32_t uses;    /* registers whose value is read other than as an address or by the move */
    uint32_t written; /* registers that are written over whole */
    uint32_t changed; /* registers that have another value afterwards, or may have */
    enum hd_symbols_move move;
    uint8_t to, from;
    int64_t number;
    uint8_t moved; /* a register to which `by_how_much` is added at the end, as push does */
    int64_t by_how_much;
    unsigned memories;
    hd_symbols_memory memory[2];
    bool plain;       /* all of its operands, and nothing else, are here */
    bool odd;         /* it may do what is not described here, or in its operands; */
    bool faults;      /* it may end the program, if its operands are not right */
    bool vector;      /* it reads or writes registers of vectors and floating-point numbers */
    bool reads_flags; /* it depends on the flags, as a branch does; */
    bool sets_flags;  /* and all of them have another value afterwards */
} hd_symbols_instruction;

typedef struct hd_symbols_decoder hd_symbols_decoder;

/* For the machine of an ELF header; NULL: it is another one. */
hd_symbols_decoder *hd_symbols_decoder_create(unsigned machine);
void hd_symbols_decoder_free(hd_symbols_decoder *decoder);
const hd_symbols_arch *hd_symbols_decoder_arch(const hd_symbols_decoder *decoder);

/* False if it is not an instruction that is known. */
bool hd_symbols_decode(hd_symbols_decoder *decoder, const unsigned char *code, size_t size,
                       uint64_t address, hd_symbols_instruction *to);

#endif
