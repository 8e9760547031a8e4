/* CRC-32, by a table that is made when it is first needed. */
#include "pack.h"

static uint32_t table[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#if BUG == 1
static int ready;
#else
static atomic_int ready;
#endif

static void make_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ UINT32_C(0xedb88320) : value >> 1;
        table[i] = value; /* bug 1 */
    }
}

static void need_table(void) {
    if (ready) /* bug 1 */
        return;
    pthread_mutex_lock(&lock);
    if (!ready) {
        make_table();
        ready = 1; /* bug 1 */
    }
    pthread_mutex_unlock(&lock);
}

uint32_t crc_of(const unsigned char *data, size_t size) {
    uint32_t value = UINT32_MAX;
    need_table();
    for (size_t i = 0; i < size; i++)
        value = table[(value ^ data[i]) & 255] ^ value >> 8; /* bug 1 */
    return ~value;
}
