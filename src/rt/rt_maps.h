/*
 * The memory that the process has, as the kernel lists it.
 */
#ifndef HD_RT_MAPS_H
#define HD_RT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd_rt_mapping {
    uintptr_t low, high;
    bool writable, shared;
    uint64_t offset, device, inode; /* of the file; of the device: major << 32 | minor */
} hd_rt_mapping;

/* Calls that for every mapping; it returns false to stop.  False if it did, or if the list cannot
 * be read. */
typedef bool hd_rt_maps_each(const hd_rt_mapping *mapping, void *context);
bool hd_rt_maps(hd_rt_maps_each *each, void *context);

/* Would mmap with these arguments make a second mapping of a part of a file, one of the two of
 * which can be written to?  An access through one is not ordered with one through the other. */
bool hd_rt_maps_twice(const uintptr_t *arguments);

/* A file as text: how long it is, room - 1 if it may be longer; or a negative error. */
long hd_rt_read_file(const char *path, char *text, size_t room);

/* The file that is open as that number, as a mapping of it has it; false: there is none. */
bool hd_rt_maps_file(int file, uint64_t *device, uint64_t *inode);

#endif
