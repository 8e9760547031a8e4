/*
 * A run is asked for together with others that the search will ask for (hd_machine.wishes):
 * these are done on the way, and their logs kept until then.
 */
#include "native_program.h"

static uint64_t key_of_wish(const hd_native_program *m, const hd_machine_wish *wish) {
    uint64_t key = 0;
    for (uint32_t i = 0; i < wish->depth; i++)
        key = hd_native_fetched_key(key, m->path.data[i]);
    for (uint32_t i = 0; i < wish->count; i++)
        key = hd_native_fetched_key(key, (heddle_wire_decision){(uint8_t)wish->steps[i].thread,
                                                                (uint8_t)wish->steps[i].choice});
    return key;
}

void hd_native_program_wish(hd_native_program *m, uint64_t *keys) {
    enum { LONGEST = 1024 }; /* where a run takes much longer than to ask for it */
    hd_native_server *server = &m->server;
    bool usual = !server->manner.first && !server->manner.parked && !server->manner.seed;
    server->wishes = 0;
    if (!m->base.wishes || server->by_fork || !usual || m->path.length > LONGEST)
        return;
    hd_machine_wish list[HEDDLE_WIRE_WISHES];
    uint32_t count = m->base.wishes(m->base.searcher, hd_native_fetched_may_guess(&m->fetched),
                                    list, HEDDLE_WIRE_WISHES);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = key_of_wish(m, &list[i]);
        if (!key || hd_native_fetched_has(&m->fetched, key))
            continue;
        keys[server->wishes] = key;
        server->wish[server->wishes++] = list[i];
    }
}

void hd_native_program_keep(hd_native_program *m, const uint64_t *keys) {
    const hd_native_log *before = m->log;
    uint32_t granted = hd_native_server_granted(&m->server);
    for (uint32_t i = 0; i < granted; i++) {
        const hd_machine_wish *wish = &m->server.wish[i];
        hd_native_log *log =
            hd_native_fetched_add(&m->fetched, keys[i], wish->depth + wish->count, wish->guessed);
        hd_native_server_take(&m->server, i, before, log);
        before = log;
    }
    m->server.wishes = 0;
}
