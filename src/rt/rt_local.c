/*
 * Thread-local objects that have destructors: keys, and those of C++.
 */
#include "rt.h"
#include "rt_aside.h"
#include "rt_c11.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"

enum { KEYS = 1024 };

static void (*key_destructors[KEYS])(void *);
static uint64_t key_end; /* of those in use */
static hd_rt_destructor *spare_destructors;

void hd_rt_run_destructors(hd_rt_thread *thread) {
    while (thread->destructors) {
        hd_rt_destructor *first = thread->destructors;
        thread->destructors = first->next;
        void (*function)(void *) = first->function;
        void *object = first->object;
        first->next = spare_destructors;
        spare_destructors = first;
        function(object);
    }
}

static void run_key_destructors(void) {
    bool again = true;
    for (int round = 0; again && round < 4; round++) {
        again = false;
        for (unsigned key = 0; key < key_end; key++) {
            void *value = key_destructors[key] ? pthread_getspecific(key) : NULL;
            if (!value)
                continue;
            hd_rt_real.pthread_setspecific(key, NULL);
            key_destructors[key](value);
            again = true;
        }
    }
}

void hd_rt_local_end(hd_rt_thread *thread) {
    hd_rt_run_destructors(thread);
    run_key_destructors();
    hd_rt_run_destructors(thread);
}

HD_RT_BODY int create_key(pthread_key_t *key, void (*destructor)(void *)) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_key_create(key, destructor);
    hd_rt_foreign_state("pthread_key_create", HEDDLE_WIRE_KEPT_keys, HD_RT_CHANGES, HD_RT_CODE());
    pthread_key_t made;
    int error = hd_rt_real.pthread_key_create(&made, NULL);
    if (error)
        return error;
    key_destructors[made] = destructor;
    if (key_end <= made)
        key_end = made + 1;
    hd_rt_deliver(key, &made, sizeof made, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    return create_key(key, destructor);
}

HD_RT_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor) {
    return hd_rt_c11_status(create_key((pthread_key_t *)key, destructor));
}

HD_RT_BODY int delete_key(pthread_key_t key) {
    hd_rt_foreign_state("pthread_key_delete", HEDDLE_WIRE_KEPT_keys, HD_RT_CHANGES, HD_RT_CODE());
    if (hd_rt_controlled() && key < KEYS)
        key_destructors[key] = NULL;
    return hd_rt_real.pthread_key_delete(key);
}

HD_RT_EXPORT int pthread_key_delete(pthread_key_t key) {
    return delete_key(key);
}

HD_RT_EXPORT void tss_delete(tss_t key) {
    delete_key((pthread_key_t)key);
}

/* The value is the thread's own and no memory of the program's, but a round that changes it does
 * not leave the thread as it was. */
HD_RT_BODY int set(pthread_key_t key, const void *value) {
    hd_rt_foreign_state("pthread_setspecific", HEDDLE_WIRE_KEPT_keys, HD_RT_LOOKS, HD_RT_CODE());
    if (hd_rt_controlled() && hd_rt.exploring && pthread_getspecific(key) != value)
        hd_rt_spin_forget(hd_rt.current);
    return hd_rt_real.pthread_setspecific(key, value);
}

HD_RT_EXPORT int pthread_setspecific(pthread_key_t key, const void *value) {
    return set(key, value);
}

HD_RT_EXPORT int tss_set(tss_t key, void *value) {
    return hd_rt_c11_status(set((pthread_key_t)key, value));
}

void hd_rt_local_spare(void) {
    enum { BATCH = 1024 };
    hd_rt_destructor *batch = hd_rt_pages(BATCH * sizeof *batch);
    for (int i = 0; i < BATCH; i++) {
        batch[i].next = spare_destructors;
        spare_destructors = &batch[i];
    }
}

/* C++ calls this for each thread_local object with a destructor. */
HD_RT_EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module) {
    if (!hd_rt_controlled())
        return hd_rt_real.__cxa_thread_atexit_impl(function, object, module);
    if (hd_rt.exploring)
        hd_rt_spin_forget(hd_rt.current); /* as above */
    if (!spare_destructors) {
        if (hd_rt_in_memory)
            hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it has very many thread-local objects");
        hd_rt_local_spare();
    }
    hd_rt_destructor *destructor = spare_destructors;
    spare_destructors = destructor->next;
    *destructor = (hd_rt_destructor){function, object, hd_rt_self->destructors};
    hd_rt_self->destructors = destructor;
    return 0;
}

char *hd_rt_local_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    state = transfer(state, &spare_destructors, sizeof spare_destructors, back);
    state = transfer(state, &key_end, sizeof key_end, back);
    return transfer(state, key_destructors, key_end * sizeof *key_destructors, back);
}
