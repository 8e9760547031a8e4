/*
 * What operations are to a loop that may only wait (rt_spin.c).
 */
#ifndef HD_RT_SPIN_KINDS_H
#define HD_RT_SPIN_KINDS_H

#include "rt.h"

static inline uint64_t value_at(uint64_t address, uint32_t size) {
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)(uintptr_t)address;
    case 2:
        return *(const volatile uint16_t *)(uintptr_t)address;
    case 4:
        return *(const volatile uint32_t *)(uintptr_t)address;
    default:
        return *(const volatile uint64_t *)(uintptr_t)address;
    }
}

static inline bool is_word(uint32_t size, uint64_t address) {
    return (size == 1 || size == 2 || size == 4 || size == 8) && !(address & (size - 1));
}

static inline bool reads(unsigned kind, uint32_t size, uint64_t address) {
    return (kind == HEDDLE_READ + 1 || kind == HEDDLE_ATOMIC_READ + 1 ||
            kind == HEDDLE_ATOMIC_RMW + 1) &&
           is_word(size, address);
}

static inline bool writes(unsigned kind, uint32_t size, uint64_t address) {
    return (kind == HEDDLE_WRITE + 1 || kind == HEDDLE_ATOMIC_WRITE + 1) && is_word(size, address);
}

static inline bool tells(const heddle_wire_operation *it) {
    return writes(it->kind, it->size, it->address) && it->flags & HEDDLE_WIRE_TELLS;
}

static inline bool tries(unsigned kind, unsigned flags) {
    return flags & HEDDLE_WIRE_TRY && !(flags & HEDDLE_WIRE_LOOKS) &&
           (kind == HEDDLE_ACQUIRE + 1 || kind == HEDDLE_READ_ACQUIRE + 1 ||
            kind == HEDDLE_RECV + 1);
}

static inline bool takes(unsigned kind) {
    return kind == HEDDLE_ACQUIRE + 1 || kind == HEDDLE_READ_ACQUIRE + 1;
}

/* A lock that is waited for and that only locking and unlocking changes. */
static inline bool locks(const heddle_wire_operation *it) {
    enum {
        OTHERWISE = HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED | HEDDLE_WIRE_WATCHED | HEDDLE_WIRE_ODD
    };
    return (takes(it->kind) || it->kind == HEDDLE_RELEASE + 1 ||
            it->kind == HEDDLE_READ_RELEASE + 1) &&
           it->size != HEDDLE_WIRE_STREAM && it->size != HEDDLE_WIRE_ANNOTATED &&
           !(it->flags & OTHERWISE);
}

/* Can a round begin with it? */
static inline bool begins(const heddle_wire_operation *it) {
    return reads(it->kind, it->size, it->address) || tries(it->kind, it->flags) ||
           (it->kind == HEDDLE_ACQUIRE + 1 && locks(it));
}

/* Does it change nothing, and read nothing? */
static inline bool is_idle(unsigned kind, uint64_t address) {
    return kind == HEDDLE_WIRE_YIELD || kind == HEDDLE_WIRE_SLEEP ||
           (kind == HEDDLE_WIRE_FENCE && !address);
}

#endif
