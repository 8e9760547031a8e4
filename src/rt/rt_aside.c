#include "rt_aside.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_explore.h"
#include "rt_freed.h"

static void access_stored(const void *to, size_t size, uintptr_t code) {
    if (hd_rt.ended)
        return;
    if (hd_rt.exploring)
        hd_rt_explore_access(HEDDLE_OP_WRITE, to, size, code);
    else if (size && hd_rt_controlled())
        hd_rt_freed_check(HEDDLE_OP_WRITE, to, size, code);
}

void hd_rt_deliver(void *to, const void *from, size_t size, uintptr_t code) {
    if (!to)
        return;
    access_stored(to, size, code);
    hd_rt_string_move(to, from, size);
    hd_rt_record_stored(to, size, code);
}

void hd_rt_fetch(const void *from, size_t size, uintptr_t code) {
    if (!from || !size || !hd_rt_string_on())
        return;
    if (hd_rt.exploring && hd_rt_explore_shares(from, size))
        hd_rt_explore_unseen();
    hd_rt_string_reads(from, size, code);
}

void hd_rt_to_come(const void *to, size_t size, uintptr_t code) {
    hd_rt_string_will_write((void *)(uintptr_t)to, size, code);
    hd_rt_record_write_to_come(to, size, code);
}

void hd_rt_delivered(void *to, size_t size, uintptr_t code) {
    access_stored(to, size, code);
    hd_rt_record_stored(to, size, code);
}

char *hd_rt_aside_room(hd_rt_aside *aside, size_t size) {
    aside->size = size;
    aside->mapped = size > sizeof aside->room;
    if (!aside->mapped)
        return aside->at = aside->room;
    if (hd_rt_in_memory)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it reads much into memory that threads share");
    long made = hd_rt_syscall(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made < 0 && made > -4096)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "there is no memory for what it reads");
    return aside->at = (char *)made;
}

void hd_rt_aside_leave(hd_rt_aside *aside) {
    if (aside->mapped)
        hd_rt_syscall(SYS_munmap, (long)aside->at, (long)aside->size, 0, 0, 0, 0);
}

void *hd_rt_aside_begin(hd_rt_aside *aside, void *to, size_t size) {
    aside->to = aside->at = to;
    aside->mapped = false;
    if (!hd_rt.exploring || !hd_rt_controlled() || !hd_rt_explore_shares(to, size))
        return to;
    hd_rt_string_move(hd_rt_aside_room(aside, size), to, size);
    return aside->at;
}

void hd_rt_aside_end(hd_rt_aside *aside, size_t stored, uintptr_t code) {
    if (stored && aside->at != aside->to)
        hd_rt_deliver(aside->to, aside->at, stored, code);
    else if (stored && hd_rt.mode != HD_RT_OFF)
        hd_rt_delivered(aside->to, stored, code);
    hd_rt_aside_leave(aside);
}
