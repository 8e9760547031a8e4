#include "symbols_kept.h"

#include <pthread.h>
#include <sys/stat.h>

enum { MOST = 4 };

static struct {
    pthread_mutex_t lock;
    struct kept {
        hd_symbols *symbols;
        const hd_vec_char *key; /* in them */
    } all[MOST];                /* unused for longest first */
    size_t count;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A file that was written again is another one, even if it has the same build id: not every linker
 * gives one, and programs that change a file keep it. */
static void add_module(const char *path, uint64_t base, hd_vec_char *key) {
    struct stat it = {0};
    stat(path, &it);
    const uint64_t words[] = {base,
                              it.st_dev,
                              it.st_ino,
                              (uint64_t)it.st_size,
                              (uint64_t)it.st_mtim.tv_sec,
                              (uint64_t)it.st_mtim.tv_nsec,
                              (uint64_t)it.st_ctim.tv_sec,
                              (uint64_t)it.st_ctim.tv_nsec};
    hd_text_append_text(key, path);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hd_text_append(key, " %llx", (unsigned long long)words[i]);
    hd_text_append_text(key, "\n");
}

void hd_symbols_kept_key(const hd_launch_run *run, hd_vec_char *key) {
    for (uint32_t i = 0; i < run->wire->modules && i < HEDDLE_WIRE_MODULES; i++) {
        heddle_wire_module module = run->wire->module[i];
        module.path[sizeof module.path - 1] = '\0';
        add_module(module.path, module.base, key);
    }
}

static struct kept remove_at(size_t place) {
    struct kept removed = kept.all[place];
    kept.count--;
    for (size_t i = place; i < kept.count; i++)
        kept.all[i] = kept.all[i + 1];
    return removed;
}

hd_symbols *hd_symbols_kept_take(const hd_vec_char *key) {
    struct kept found = {0};
    pthread_mutex_lock(&kept.lock);
    for (size_t i = kept.count; i-- > 0 && !found.symbols;)
        if (kept.all[i].key->length == key->length &&
            memcmp(kept.all[i].key->data, key->data, key->length) == 0)
            found = remove_at(i);
    pthread_mutex_unlock(&kept.lock);
    return found.symbols;
}

hd_symbols *hd_symbols_kept_give(hd_symbols *symbols, const hd_vec_char *key) {
    struct kept oldest = {0};
    pthread_mutex_lock(&kept.lock);
    if (kept.count == MOST)
        oldest = remove_at(0);
    kept.all[kept.count++] = (struct kept){symbols, key};
    pthread_mutex_unlock(&kept.lock);
    return oldest.symbols;
}
