#include "rt_free.h"

#include <errno.h>

#include "rt_real.h"

void hd_rt_free_init(void) {
}

void hd_rt_free_access(unsigned kind, unsigned size, const volatile void *address, uintptr_t code) {
    (void)kind, (void)size, (void)address, (void)code;
}

void hd_rt_free_record(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                       uint32_t value, bool more, uint64_t word) {
    (void)op, (void)flags, (void)address, (void)code, (void)value, (void)more, (void)word;
}

void hd_rt_free_label(uint32_t number, const char *text, size_t length) {
    (void)number, (void)text, (void)length;
}

int hd_rt_free_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                      void *argument, uintptr_t code) {
    (void)code;
    return hd_rt_real.pthread_create(handle, attributes, start, argument);
}

int hd_rt_free_join(pthread_t handle, void **result, uintptr_t code) {
    (void)code;
    return hd_rt_real.pthread_join(handle, result);
}

int hd_rt_free_taken(unsigned kind, void *lock, int error, uintptr_t code) {
    (void)kind, (void)lock, (void)code;
    return error;
}

void hd_rt_free_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t code) {
    (void)condition, (void)mutex, (void)code;
}

int hd_rt_free_woken(pthread_cond_t *condition, pthread_mutex_t *mutex, int error, uintptr_t code) {
    (void)condition, (void)mutex, (void)code;
    return error;
}
