/*
 * Calls that read from a file or take a connection.
 */
#include <limits.h>
#include <sys/eventfd.h>

#include "rt_aside.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_file_call.h"
#include "rt_foreign.h"
#include "rt_real.h"

bool hd_rt_file_reads(hd_rt_file_call *it, int file, int flags, uintptr_t code) {
    *it = (hd_rt_file_call){.code = code, .seen = hd_rt.mode != HD_RT_OFF};
    if (!it->seen)
        return true;
    hd_rt_descriptor_use(file, code);
    it->cell = hd_rt_file_cell(file);
    it->controlled = hd_rt_controlled();
    it->pipe = it->cell && hd_rt_file_has_units(file);
    if (!it->cell) {
        hd_rt_input_file(file);
        hd_rt_foreign_file("read", file, code);
    }
    return !it->controlled || hd_rt_file_begin(file, it->cell, POLLIN, flags, code);
}

ssize_t hd_rt_file_has_read(const hd_rt_file_call *it, ssize_t got) {
    if (it->pipe && got > 0)
        hd_rt_file_get(it->cell, (size_t)got, it->code);
    if (it->seen && got >= 0)
        hd_rt_file_change(it->cell, it->code);
    return got;
}

char *hd_rt_file_room(hd_rt_aside *aside, const hd_rt_file_call *it, const struct iovec *parts,
                      size_t count) {
    bool shared = false;
    for (size_t i = 0; i < count && it->controlled && hd_rt.exploring; i++)
        shared |= hd_rt_explore_shares(parts[i].iov_base, parts[i].iov_len);
    return shared ? hd_rt_aside_room(aside, hd_rt_file_sum(parts, count)) : NULL;
}

ssize_t hd_rt_file_stored(hd_rt_aside *aside, const hd_rt_file_call *it, const struct iovec *parts,
                          size_t count, ssize_t got, const char *from) {
    ssize_t left = got;
    for (size_t i = 0; i < count && left > 0 && it->seen; i++) {
        size_t size = (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
        if (from)
            hd_rt_deliver(parts[i].iov_base, from + (got - left), size, it->code);
        else
            hd_rt_delivered(parts[i].iov_base, size, it->code);
        left -= (ssize_t)size;
    }
    if (from)
        hd_rt_aside_leave(aside);
    return got;
}

/* To read nothing takes no waiting. */
static ssize_t read_file(int file, void *to, size_t size, uintptr_t code) {
    hd_rt_aside aside;
    hd_rt_file_call it;
    if (!hd_rt_file_reads(&it, file, size ? 0 : MSG_DONTWAIT, code))
        return -1;
    char *from = hd_rt_file_room(&aside, &it, HD_RT_FILE_ONE(to, size));
    ssize_t got = hd_rt_file_has_read(&it, hd_rt_real.read(file, from ? from : to, size));
    return hd_rt_file_stored(&aside, &it, HD_RT_FILE_ONE(to, size), got, from);
}

HD_RT_EXPORT ssize_t read(int file, void *to, size_t size) {
    return read_file(file, to, size, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t __read_chk(int file, void *to, size_t size, size_t room) {
    (void)room;
    return read_file(file, to, size, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t readv(int file, const struct iovec *list, int count) {
    hd_rt_aside aside;
    hd_rt_file_call it;
    hd_rt_file_parts parts;
    if (hd_rt.mode == HD_RT_OFF || count < 0 || count > IOV_MAX)
        return hd_rt_real.readv(file, list, count);
    hd_rt_file_parts_begin(&parts, list, (size_t)count, HD_RT_CODE());
    ssize_t got = -1;
    if (hd_rt_file_reads(&it, file, 0, HD_RT_CODE())) {
        char *from = hd_rt_file_room(&aside, &it, parts.list, parts.count);
        got = from ? hd_rt_real.read(file, from, hd_rt_file_sum(parts.list, parts.count))
                   : hd_rt_real.readv(file, parts.list, count);
        hd_rt_file_stored(&aside, &it, parts.list, parts.count, hd_rt_file_has_read(&it, got),
                          from);
    }
    hd_rt_file_parts_end(&parts);
    return got;
}

static ssize_t receive(int file, void *to, size_t size, int flags, uintptr_t code) {
    hd_rt_aside aside;
    hd_rt_file_call it;
    if (!hd_rt_file_reads(&it, file, flags, code))
        return -1;
    char *from = hd_rt_file_room(&aside, &it, HD_RT_FILE_ONE(to, size));
    ssize_t got = hd_rt_file_has_read(&it, hd_rt_real.recv(file, from ? from : to, size, flags));
    return hd_rt_file_stored(&aside, &it, HD_RT_FILE_ONE(to, size), got, from);
}

HD_RT_EXPORT ssize_t recv(int file, void *to, size_t size, int flags) {
    return receive(file, to, size, flags, HD_RT_CODE());
}

HD_RT_EXPORT ssize_t __recv_chk(int file, void *to, size_t size, size_t room, int flags) {
    (void)room;
    return receive(file, to, size, flags, HD_RT_CODE());
}

/* Where the other end's address goes. */
typedef struct address_of {
    struct sockaddr *address, *to;
    socklen_t *length, *length_to, room;
    struct sockaddr_storage kept;
} address_of;

static void address_begin(address_of *who, const hd_rt_file_call *it, struct sockaddr *to,
                          socklen_t *length) {
    who->address = who->to = to;
    who->length = who->length_to = length;
    if (!it->controlled || !to || !length)
        return;
    who->room = *length < sizeof who->kept ? *length : (socklen_t)sizeof who->kept;
    who->address = (struct sockaddr *)&who->kept;
    who->length = &who->room;
}

static void address_end(address_of *who, const hd_rt_file_call *it, ssize_t got) {
    if (who->address == who->to || got < 0)
        return;
    socklen_t size = who->room < *who->length_to ? who->room : *who->length_to;
    hd_rt_deliver(who->to, &who->kept, size, it->code);
    hd_rt_deliver(who->length_to, &who->room, sizeof who->room, it->code);
}

HD_RT_EXPORT ssize_t recvfrom(int file, void *restrict to, size_t size, int flags,
                              struct sockaddr *restrict address, socklen_t *restrict length) {
    hd_rt_aside aside;
    address_of who;
    hd_rt_file_call it;
    if (!hd_rt_file_reads(&it, file, flags, HD_RT_CODE()))
        return -1;
    address_begin(&who, &it, address, length);
    char *from = hd_rt_file_room(&aside, &it, HD_RT_FILE_ONE(to, size));
    ssize_t got = hd_rt_file_has_read(
        &it, hd_rt_real.recvfrom(file, from ? from : to, size, flags, who.address, who.length));
    hd_rt_file_stored(&aside, &it, HD_RT_FILE_ONE(to, size), got, from);
    address_end(&who, &it, got);
    return got;
}

HD_RT_EXPORT int accept(int file, struct sockaddr *restrict address, socklen_t *restrict length) {
    address_of who;
    hd_rt_file_call it;
    if (!hd_rt_file_reads(&it, file, 0, HD_RT_CODE()))
        return -1;
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, HD_RT_CODE());
    address_begin(&who, &it, address, length);
    int got = (int)hd_rt_file_has_read(&it, hd_rt_real.accept(file, who.address, who.length));
    hd_rt_descriptor_made(got, HD_RT_CODE());
    address_end(&who, &it, got);
    return got;
}

HD_RT_EXPORT int accept4(int file, struct sockaddr *restrict address, socklen_t *restrict length,
                         int flags) {
    address_of who;
    hd_rt_file_call it;
    if (!hd_rt_file_reads(&it, file, 0, HD_RT_CODE()))
        return -1;
    hd_rt_foreign_state(__func__, HEDDLE_WIRE_KEPT_files, HD_RT_CHANGES, HD_RT_CODE());
    address_begin(&who, &it, address, length);
    int got =
        (int)hd_rt_file_has_read(&it, hd_rt_real.accept4(file, who.address, who.length, flags));
    hd_rt_descriptor_made(got, HD_RT_CODE());
    address_end(&who, &it, got);
    return got;
}

HD_RT_EXPORT int eventfd_read(int file, eventfd_t *value) {
    return read_file(file, value, sizeof *value, HD_RT_CODE()) == sizeof *value ? 0 : -1;
}
