/*
 * Typed growable arrays.
 *
 *     HD_VEC(uint32_t) numbers = {0};
 *     hd_vec_push(&numbers, 7);
 *     for (size_t i = 0; i < numbers.length; i++) use(numbers.data[i]);
 *     hd_vec_release(&numbers);
 *
 * A zeroed vector is empty.  `clear` keeps the memory, `release` gives it back
 * and leaves the vector empty and usable.  Growing moves the elements.
 */
#ifndef HD_BASE_VEC_H
#define HD_BASE_VEC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HD_VEC(type)                                                                               \
    struct {                                                                                       \
        type *data;                                                                                \
        size_t length, capacity;                                                                   \
    }

typedef HD_VEC(uint32_t) hd_vec_u32;
typedef HD_VEC(uint64_t) hd_vec_u64;
typedef HD_VEC(char) hd_vec_char;

/* Sets `at` to the first element whose field is not less than the key, or is greater; they are
 * sorted by it. */
#define hd_vec_lower(at, v, field, key) hd_vec_first_not(at, v, field, <, key)
#define hd_vec_upper(at, v, field, key) hd_vec_first_not(at, v, field, <=, key)

#define hd_vec_first_not(at, v, field, is, key)                                                    \
    do {                                                                                           \
        size_t hd_to_ = (v)->length;                                                               \
        for ((at) = 0; (at) < hd_to_;) {                                                           \
            size_t hd_middle_ = (at) + (hd_to_ - (at)) / 2;                                        \
            if ((v)->data[hd_middle_].field is(key))                                               \
                (at) = hd_middle_ + 1;                                                             \
            else                                                                                   \
                hd_to_ = hd_middle_;                                                               \
        }                                                                                          \
    } while (0)

/* The allocation of hd_vec_reserve: room for at least `wanted` elements. */
void *hd_vec_grow(void *data, size_t *capacity, size_t wanted, size_t size);

#define hd_vec_reserve(v, wanted)                                                                  \
    ((wanted) > (v)->capacity                                                                      \
         ? (void)((v)->data = hd_vec_grow((v)->data, &(v)->capacity, (wanted), sizeof *(v)->data)) \
         : (void)0)

#define hd_vec_push(v, ...)                                                                        \
    (hd_vec_reserve(v, (v)->length + 1), (void)((v)->data[(v)->length] = (__VA_ARGS__)),           \
     (void)(v)->length++) /* then: what makes the element may end here for lack of memory */

#define hd_vec_pop(v) (assert((v)->length > 0), (v)->data[--(v)->length])
#define hd_vec_last(v) (assert((v)->length > 0), &(v)->data[(v)->length - 1])
#define hd_vec_clear(v) ((void)((v)->length = 0))

/* Makes the vector `wanted` long; new elements are zero. */
#define hd_vec_resize(v, wanted)                                                                   \
    do {                                                                                           \
        size_t hd_wanted_ = (wanted);                                                              \
        hd_vec_reserve(v, hd_wanted_);                                                             \
        for (size_t hd_i_ = (v)->length; hd_i_ < hd_wanted_; hd_i_++)                              \
            memset(&(v)->data[hd_i_], 0, sizeof *(v)->data);                                       \
        (v)->length = hd_wanted_;                                                                  \
    } while (0)

#define hd_vec_release(v)                                                                          \
    do {                                                                                           \
        free((v)->data);                                                                           \
        (v)->data = NULL;                                                                          \
        (v)->length = (v)->capacity = 0;                                                           \
    } while (0)

#endif
