/* A client: asks for pages one after the other, and checks what it gets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"

static bool is_expected(const char *path, int status, const char *body, size_t size) {
    char page[32];
    if (status != 200)
        return false;
    if (strcmp(path, "/status") == 0)
        return size > 0;
    snprintf(page, sizeof page, "<p>page %c</p>", path[1]);
    return size == strlen(page) && memcmp(page, body, size) == 0;
}

/* One request over an open connection; the server may have ended it. */
static bool ask(client *c, reader *r, const char *path, bool keep_alive) {
    char body[MOST_BODY];
    size_t size;
    int status;
    if (!http_write_request(r->wire, path, keep_alive))
        return false;
    status = http_read_response(r, body, sizeof body, &size);
    if (!status)
        return false;
    if (is_expected(path, status, body, size))
        c->good++;
    else
        c->bad++;
    return true;
}

static void *run(void *argument) {
    client *c = argument;
    reader r = {.wire = NULL};
    for (int i = 0; i < c->requests; i++) {
        bool last = i + 1 == c->requests, keep_alive = c->keep_alive && !last, served;
        char path[16];
        if (i == 1 && c->number == 0)
            snprintf(path, sizeof path, "/status");
        else
            snprintf(path, sizeof path, "/%d.html", (c->number / 2 + i) % 10);
        do {
            if (!r.wire) {
                r = (reader){.wire = wire_connect()};
                if (!r.wire)
                    abort();
            }
            served = ask(c, &r, path, keep_alive);
            if (!served || !keep_alive) {
                wire_hang_up(r.wire, false);
                r.wire = NULL;
            }
        } while (!served);
    }
    return NULL;
}

void client_start(client *c) {
    if (pthread_create(&c->thread, NULL, run, c))
        abort();
}

void client_join(client *c) {
    pthread_join(c->thread, NULL);
}
