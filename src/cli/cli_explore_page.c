/*
 * The answer of heddle explore, as a page.
 */
#include "cli_explore.h"

int hd_cli_explore_page(hd_cli_explored *x, int status) {
    const hd_engine_exploration *e = &x->e;
    if (!x->page.path || status == HD_CLI_BAD)
        return status; /* who began the page ends it */
    for (size_t i = 0; i < e->findings.found.length; i++)
        hd_cli_page_schedule(&x->page, e->checker, &e->findings.found.data[i],
                             hd_engine_claim_of(&e->findings.found.data[i]),
                             &e->shrunk.data[i].schedule);
    hd_json *json = hd_cli_page_result(&x->page, &e->verdict);
    hd_cli_explore_write_result(e, json);
    return hd_cli_page_end(&x->page, status);
}
