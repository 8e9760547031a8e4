/*
 * The buffers that a program gives to streams of C++ (pubsetbuf).  The functions are virtual, so
 * the calls do not pass a table of addresses (rt_got.c), but the tables of virtual functions name
 * them.  What such a stream does to the buffer later is not looked at: the verdict says so.
 */
#include "rt_explore.h"
#include "rt_real.h"

static void *give_buffer(const char *name, void *self, void *buffer, intptr_t count) {
    void *(*real)(void *, void *, intptr_t);
    *(void **)&real = hd_rt_real_symbol(name);
    if (hd_rt.exploring && buffer && count > 0)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_BUFFERS;
    return real ? real(self, buffer, count) : self;
}

#define SETBUF(function, symbol)                                                                   \
    HD_RT_EXPORT void *function(void *self, void *buffer, intptr_t count) __asm__(symbol);         \
    void *function(void *self, void *buffer, intptr_t count) {                                     \
        return give_buffer(symbol, self, buffer, count);                                           \
    }

SETBUF(hd_rt_setbuf_file, "_ZNSt13basic_filebufIcSt11char_traitsIcEE6setbufEPcl")
SETBUF(hd_rt_setbuf_file_wide, "_ZNSt13basic_filebufIwSt11char_traitsIwEE6setbufEPwl")
SETBUF(hd_rt_setbuf_string, "_ZNSt15basic_stringbufIcSt11char_traitsIcESaIcEE6setbufEPcl")
SETBUF(hd_rt_setbuf_string_wide, "_ZNSt15basic_stringbufIwSt11char_traitsIwESaIwEE6setbufEPwl")
SETBUF(hd_rt_setbuf_text, "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE6setbufEPcl")
SETBUF(hd_rt_setbuf_text_wide,
       "_ZNSt7__cxx1115basic_stringbufIwSt11char_traitsIwESaIwEE6setbufEPwl")
