// What was read of a block is kept, and used as long as the block is the same, by its address; all
// of that under a lock.  A new block at the same address passes for the old one.  -DVERSION: a
// number says whether it is the same.  -DALIGNED: to 64 bytes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct block {
    int value, version;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block *current;
static int versions;

static block *make(int value) {
#ifdef ALIGNED
    block *it = aligned_alloc(64, 64);
#else
    block *it = malloc(sizeof *it);
#endif
    it->value = value;
    it->version = versions++;
    return it;
}

static void *look_twice(void *unused) {
    pthread_mutex_lock(&lock);
    block *seen = current;
    int value = current->value, version = current->version;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#ifdef VERSION
    if (seen == current && version == current->version)
#else
    (void)version;
    if (seen == current)
#endif
        assert(value == current->value);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *change(void *unused) {
    pthread_mutex_lock(&lock);
    free(current);
    current = make(2);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t reader, writer;
    current = make(1);
    pthread_create(&reader, NULL, look_twice, NULL);
    pthread_create(&writer, NULL, change, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    free(current);
    return 0;
}
