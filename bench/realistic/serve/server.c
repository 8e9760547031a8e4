/* Accepts connections and answers requests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"

struct server {
    pthread_t acceptor;
};

static int answer_status(wire *w, size_t *size) {
    char body[MOST_BODY];
    counts c = stats_get();
    int length = snprintf(body, sizeof body, "%lu requests, %lu hits, %lu misses, %d cached\n",
                          c.requests, c.hits, c.misses, cache_count());
    length += table_report(body + length, sizeof body - (size_t)length);
    *size = (size_t)length;
    http_write_response(w, 200, http_type_of(".txt"), body, *size);
    return 200;
}

static int answer_page(wire *w, const char *path, size_t *size) {
    document *d = cache_get(path);
    if (!d) {
        http_write_response(w, 404, "text/plain", "", *size = 0);
        return 404;
    }
    *size = d->size;
    http_write_response(w, 200, http_type_of(path), d->body, d->size);
    cache_put(d);
    return 200;
}

static int answer(wire *w, const request *r, size_t *size) {
    *size = 0;
    if (strcmp(r->method, "GET") != 0) {
        http_write_response(w, 405, "text/plain", "", 0);
        return 405;
    }
    if (strcmp(r->path, "/status") == 0)
        return answer_status(w, size);
    return answer_page(w, r->path, size);
}

/* One connection, until the client or the reaper ends it. */
static void serve_connection(connection *c, unsigned long generation) {
    reader r = {.wire = c->wire, .server = true};
    bool going = true;
    while (going) {
        request q = {.method = "", .path = ""};
        size_t size = 0;
        int status, got = http_read_request(&r, &q);
        if (got == HTTP_NONE)
            break;
        table_begin(c);
        if (got == HTTP_BAD) {
            http_write_response(r.wire, status = 400, "text/plain", "", 0);
            going = false;
        } else {
            status = answer(r.wire, &q, &size);
            going = q.keep_alive;
        }
        stats_request(size, status != 200);
        table_end(c);
#if BUG == 9
        if (!going)
            table_remove(c, generation);
#endif
        log_line(q.method, q.path, status);
        pthread_mutex_lock(&c->lock);
        going &= !c->timed_out;
        pthread_mutex_unlock(&c->lock);
    }
    table_remove(c, generation);
}

static void *accept_all(void *unused) {
    wire *w;
    while ((w = wire_accept()) != NULL) {
        unsigned long generation;
        connection *c = table_add(w, &generation);
        pool_submit(c, generation);
    }
    return unused;
}

server *server_start(int workers, bool verbose) {
    server *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    table_open();
    log_start(verbose);
    pool_start(workers, serve_connection);
    reaper_start();
    if (pthread_create(&s->acceptor, NULL, accept_all, NULL))
        abort();
    return s;
}

/* What was accepted is still answered.  Returns the lines of the log. */
unsigned long server_stop(server *s) {
    unsigned long lines;
    wire_stop_listening();
    pthread_join(s->acceptor, NULL);
    table_wait_empty();
#if BUG == 9
    lines = log_stop(); /* bug 9 */
    pool_stop();
#else
    pool_stop();
    lines = log_stop();
#endif
    reaper_stop();
    cache_check();
    cache_free();
    table_free();
    free(s);
    return lines;
}
