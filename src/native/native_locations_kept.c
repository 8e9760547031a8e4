/*
 * What is known of locations from one search to the next: where words are cut, and what atomic
 * sections access.
 */
#include <string.h>

#include "native_locations.h"

void hd_native_locations_renew(hd_native_locations *locations) {
    for (size_t i = 0; i < locations->wanted.length; i++) {
        bool added;
        const hd_native_cut *cut = &locations->wanted.data[i];
        *hd_map_at(&locations->cuts, cut->word, &added) |= cut->bytes;
        hd_vec_push(&locations->made, *cut);
    }
    hd_vec_clear(&locations->wanted);
    hd_native_bodies_use(&locations->bodies);
    memset(locations->known_cuts, 0, sizeof locations->known_cuts);
}

void hd_native_locations_copy(hd_native_locations *to, const hd_native_locations *from) {
    hd_native_bodies_join(&to->bodies, &from->bodies, true);
    to->mixed = from->mixed;
    for (size_t i = 0; i < from->made.length; i++)
        hd_vec_push(&to->wanted, from->made.data[i]);
    hd_native_locations_renew(to);
}

bool hd_native_locations_join(hd_native_locations *to, const hd_native_locations *from) {
    bool news = false;
    for (size_t i = 0; i < from->parties.length; i++) {
        hd_native_party theirs = from->parties.data[i];
        size_t at = 0;
        while (at < to->parties.length && to->parties.data[at].barrier != theirs.barrier)
            at++;
        if (at == to->parties.length)
            hd_vec_push(&to->parties, (hd_native_party){theirs.barrier, 0});
        news |= (theirs.threads & ~to->parties.data[at].threads) != 0;
        to->parties.data[at].threads |= theirs.threads;
    }
    return news;
}

void hd_native_locations_release(hd_native_locations *locations) {
    hd_vec_release(&locations->wanted);
    hd_vec_release(&locations->made);
    hd_vec_release(&locations->parties);
    hd_vec_release(&locations->statics);
    hd_map_release(&locations->numbers);
    hd_map_release(&locations->cuts);
    hd_native_bodies_release(&locations->bodies);
}
