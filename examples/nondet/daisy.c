/*
 * The Daisy file system, after the one of the joint CAV and ISSTA event that Sinha et al. use: a
 * disk of blocks, inodes with a size and the blocks of a file, directories that map names to
 * inodes, and locks for blocks, for inodes and for the allocator.  These locks are not mutexes: as
 * in Daisy, each is a flag in a monitor, with a wait while it is taken.  Threads create, write,
 * read, look up and remove files.
 *
 *   daisy [THREADS [OPERATIONS]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 8, BLOCKS = 24, INODES = 8, FILE_BLOCKS = 2, WORDS = 4, NAMES = 8, NONE = -1 };
enum status { OK, NO_SPACE, EXISTS, NOT_FOUND, BAD_HANDLE };

/* ---- Locks: a flag in a monitor ---- */

typedef struct daisy_lock {
    pthread_mutex_t monitor;
    pthread_cond_t released;
    int taken;
} daisy_lock;

static void lock_init(daisy_lock *lock) {
    pthread_mutex_init(&lock->monitor, NULL);
    pthread_cond_init(&lock->released, NULL);
}

static void acquire(daisy_lock *lock) {
    pthread_mutex_lock(&lock->monitor);
    while (lock->taken)
        pthread_cond_wait(&lock->released, &lock->monitor);
    lock->taken = 1;
    pthread_mutex_unlock(&lock->monitor);
}

static void release(daisy_lock *lock) {
    pthread_mutex_lock(&lock->monitor);
    lock->taken = 0;
    pthread_cond_signal(&lock->released);
    pthread_mutex_unlock(&lock->monitor);
}

/* ---- The disk: blocks of words, a block at a time ---- */

static int disk[BLOCKS][WORDS];

static int disk_read(int block, int word) {
    return disk[block][word];
}

static void disk_write(int block, int word, int value) {
    disk[block][word] = value;
}

/* ---- The allocator of blocks ---- */

static daisy_lock allocator_lock;
static int allocated[BLOCKS], free_blocks = BLOCKS;

static int allocate_block(void) {
    int found = NONE;
    acquire(&allocator_lock);
    for (int i = 0; i < BLOCKS && found == NONE && free_blocks > 0; i++)
        if (!allocated[i])
            found = i;
    if (found != NONE) {
        allocated[found] = 1;
        free_blocks--;
    }
    release(&allocator_lock);
    return found;
}

static void free_block(int block) {
    acquire(&allocator_lock);
    allocated[block] = 0;
    free_blocks++;
    release(&allocator_lock);
}

/* ---- Inodes: under their locks ---- */

static daisy_lock inode_locks[INODES], inode_table_lock;

static struct inode {
    int used, size; /* words */
    int blocks[FILE_BLOCKS];
} inodes[INODES];

static int allocate_inode(void) {
    int found = NONE;
    acquire(&inode_table_lock);
    for (int i = 0; i < INODES && found == NONE; i++)
        if (!inodes[i].used)
            found = i;
    if (found != NONE) {
        inodes[found].used = 1;
        inodes[found].size = 0;
        for (int i = 0; i < FILE_BLOCKS; i++)
            inodes[found].blocks[i] = NONE;
    }
    release(&inode_table_lock);
    return found;
}

/* With the lock of the inode held. */
static void release_inode(int number) {
    struct inode *inode = &inodes[number];
    for (int i = 0; i < FILE_BLOCKS; i++)
        if (inode->blocks[i] != NONE) {
            free_block(inode->blocks[i]);
            inode->blocks[i] = NONE;
        }
    acquire(&inode_table_lock);
    inode->used = 0;
    release(&inode_table_lock);
}

static int inode_write(int number, int at, int value) {
    struct inode *inode = &inodes[number];
    int block = at / WORDS;
    if (block >= FILE_BLOCKS)
        return NO_SPACE;
    if (inode->blocks[block] == NONE) {
        int made = allocate_block();
        if (made == NONE)
            return NO_SPACE;
        inode->blocks[block] = made;
        for (int i = 0; i < WORDS; i++)
            disk_write(made, i, 0);
    }
    disk_write(inode->blocks[block], at % WORDS, value);
    if (at >= inode->size)
        inode->size = at + 1;
    return OK;
}

static int inode_read(int number, int at, int *value) {
    struct inode *inode = &inodes[number];
    if (at >= inode->size || inode->blocks[at / WORDS] == NONE)
        return NOT_FOUND;
    *value = disk_read(inode->blocks[at / WORDS], at % WORDS);
    return OK;
}

/* ---- The directory ---- */

static daisy_lock directory_lock;
static int directory[NAMES]; /* name to inode, plus 1 */

static int lookup(int name) {
    acquire(&directory_lock);
    int found = directory[name] - 1;
    release(&directory_lock);
    return found;
}

/* ---- What Daisy offers ---- */

static int daisy_create(int name) {
    int status = OK;
    acquire(&directory_lock);
    if (directory[name] != 0) {
        status = EXISTS;
    } else {
        int made = allocate_inode();
        if (made == NONE)
            status = NO_SPACE;
        else
            directory[name] = made + 1;
    }
    release(&directory_lock);
    return status;
}

static int daisy_write(int name, int at, int value) {
    int number = lookup(name), status = BAD_HANDLE;
    if (number == NONE)
        return NOT_FOUND;
    acquire(&inode_locks[number]);
    if (inodes[number].used)
        status = inode_write(number, at, value);
    release(&inode_locks[number]);
    return status;
}

static int daisy_read(int name, int at, int *value) {
    int number = lookup(name), status = BAD_HANDLE;
    if (number == NONE)
        return NOT_FOUND;
    acquire(&inode_locks[number]);
    if (inodes[number].used)
        status = inode_read(number, at, value);
    release(&inode_locks[number]);
    return status;
}

static int daisy_remove(int name) {
    acquire(&directory_lock);
    int number = directory[name] - 1;
    directory[name] = 0;
    release(&directory_lock);
    if (number == NONE)
        return NOT_FOUND;
    acquire(&inode_locks[number]);
    release_inode(number);
    release(&inode_locks[number]);
    return OK;
}

/* ---- The test: each thread has its own list of operations, with names that they share ---- */

static int threads = 2, operations = 8;
static int succeeded[THREADS];

static unsigned next_random(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static void *client(void *argument) {
    int own = (int)(size_t)argument, got = 0;
    unsigned state = 17u * (unsigned)own + 5u;
    for (int i = 0; i < operations; i++) {
        int name = (int)(next_random(&state) % 3), at = (int)(next_random(&state) % WORDS), value = 0;
        switch (i == 0 ? 0 : next_random(&state) % 8) {
        case 0:
        case 1: got += daisy_create(name) == OK; break;
        case 2:
        case 3:
        case 4: got += daisy_write(name, at, own * 100 + i) == OK; break;
        case 5:
        case 6: got += daisy_read(name, at, &value) == OK; break;
        default: got += daisy_remove(name) == OK; break;
        }
    }
    succeeded[own] = got;
    return NULL;
}

/* Blocks that files have are those that are allocated. */
static int consistent(void) {
    int used = 0, taken = 0;
    for (int i = 0; i < INODES; i++)
        for (int j = 0; j < FILE_BLOCKS; j++)
            used += inodes[i].used && inodes[i].blocks[j] != NONE;
    for (int i = 0; i < BLOCKS; i++)
        taken += allocated[i];
    return used == taken && taken == BLOCKS - free_blocks;
}

int main(int count, char **words) {
    pthread_t made[THREADS];
    if (count > 1)
        threads = atoi(words[1]);
    if (count > 2)
        operations = atoi(words[2]);
    if (threads < 1 || threads > THREADS || operations < 1)
        return 2;
    lock_init(&allocator_lock);
    lock_init(&directory_lock);
    lock_init(&inode_table_lock);
    for (int i = 0; i < INODES; i++)
        lock_init(&inode_locks[i]);
    for (int i = 0; i < threads; i++)
        pthread_create(&made[i], NULL, client, (void *)(size_t)i);
    int sum = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(made[i], NULL);
        sum += succeeded[i];
    }
    return !consistent() || sum > threads * operations;
}
