/* A flag says that the data are there.  Whether it also orders the accesses to them is a matter of
 * its memory orders: no state has both accesses next, but with relaxed ones nothing orders them. */
//@ case | executions=2 races=1
//@ case -DWRITES=memory_order_release | executions=2 races=1
//@ case -DREADS=memory_order_acquire | executions=2 races=1
//@ case -DWRITES=memory_order_release -DREADS=memory_order_acquire | executions=2
//@ case -DWRITES=memory_order_seq_cst -DREADS=memory_order_seq_cst | executions=2
//@ case -DFENCES | executions=2
//@ case -DFENCES -DREADS=memory_order_acquire | executions=2
//@ finds the memory orders between them do not order them
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef WRITES
#define WRITES memory_order_relaxed
#endif
#ifndef READS
#define READS memory_order_relaxed
#endif
#ifdef FENCES
#define FENCE(order) atomic_thread_fence(order)
#else
#define FENCE(order)
#endif

static int data;
int seen; /* so that the read is not left out */
static atomic_int flag;

static void *write_data(void *unused) {
    data = 42;
    FENCE(memory_order_release);
    atomic_store_explicit(&flag, 1, WRITES);
    return unused;
}

static void *read_data(void *unused) {
    if (atomic_load_explicit(&flag, READS)) {
        FENCE(memory_order_acquire);
        seen = data;
    }
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_data, NULL);
    pthread_create(&reader, NULL, read_data, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
