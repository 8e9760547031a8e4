/*
 * serve: a small HTTP server, and the clients that use it, in one process.
 *
 *   clients -> listener -> acceptor -> pool of workers -> pages, from a cache with counted
 *   references
 *
 * Beside them are a thread that closes connections which have been idle for too long and one that
 * writes the log.  A connection is a pair of pipes in memory (wire.c), so a run needs no network
 * and ends by itself.
 *
 * -DBUG=N builds a version with one error; `bug N` marks the lines that it is about.
 * ../bugs.tsv lists them.
 */
#ifndef SERVE_H
#define SERVE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef BUG
#define BUG 0
#endif

enum {
    MOST_WORKERS = 8,
    MOST_CLIENTS = 16,
    WIRE_SIZE = 256, /* bytes on their way in one direction */
    LINE_SIZE = 96,  /* the longest line of a request */
    BACKLOG = 4,     /* clients that wait to be accepted */
    CONNECTIONS = 4, /* that are open at once */
    CACHED = 3,      /* documents */
    MOST_BODY = 200, /* bytes of a document */
    LOG_LINES = 8,   /* that wait to be written */
};

/* --- wire.c: a connection between two ends, and the place where it is made ------------------ */

typedef struct wire wire;

wire *wire_connect(void); /* a client's end; NULL: the server no longer listens */
wire *wire_accept(void);  /* the server's end of the same; NULL: closed */
void wire_stop_listening(void);
bool wire_write(wire *w, bool server, const char *bytes, size_t size);
size_t wire_read(wire *w, bool server, char *bytes, size_t size); /* 0: no more comes */
void wire_hang_up(wire *w, bool server); /* frees it when both have done so */

/* --- http.c: requests and responses --------------------------------------------------------- */

typedef struct request {
    char method[8], path[LINE_SIZE];
    bool keep_alive;
} request;

typedef struct reader {
    wire *wire;
    bool server;
    char bytes[64];
    size_t at, end;
} reader;

enum { HTTP_NONE, HTTP_BAD, HTTP_GOOD };

int http_read_request(reader *r, request *to);
bool http_write_request(wire *w, const char *path, bool keep_alive);
bool http_write_response(wire *w, int status, const char *type, const char *body, size_t size);
int http_read_response(reader *r, char *body, size_t room, size_t *size); /* the status, or 0 */
const char *http_type_of(const char *path);

/* --- cache.c: documents --------------------------------------------------------------------- */

typedef struct document {
    char path[LINE_SIZE];
    char body[MOST_BODY];
    size_t size;
    int references; /* one of them the cache's, while it is in there */
    unsigned long used;
    struct document *next;
} document;

document *cache_get(const char *path); /* NULL: there is no such page */
void cache_put(document *d);
void cache_check(void);
void cache_free(void);
int cache_count(void);

/* --- table.c: the connections that are open -------------------------------------------------- */

typedef struct connection {
    pthread_mutex_t lock;
    wire *wire;
    unsigned long generation;
    bool open, busy, timed_out;
    unsigned idle; /* rounds of the reaper */
    unsigned served;
} connection;

void table_open(void);
connection *table_add(wire *w, unsigned long *generation); /* waits for a free place */
void table_begin(connection *c);
void table_end(connection *c);
void table_remove(connection *c, unsigned long generation);
void table_round(void);
int table_report(char *to, size_t room);
void table_wait_empty(void);
void table_free(void);

/* --- pool.c: the workers -------------------------------------------------------------------- */

typedef void task_function(connection *c, unsigned long generation);

void pool_start(int workers, task_function *function);
void pool_submit(connection *c, unsigned long generation);
void pool_stop(void);

/* --- stats.c ------------------------------------------------------------------------------- */

typedef struct counts {
    unsigned long requests, errors, bytes, hits, misses;
} counts;

void stats_request(size_t bytes, bool error);
void stats_cache(bool hit);
counts stats_get(void);

/* --- log.c: lines are written by a thread of its own ----------------------------------------- */

void log_start(bool verbose);
void log_line(const char *method, const char *path, int status);
unsigned long log_stop(void); /* lines written */

/* --- reaper.c ------------------------------------------------------------------------------- */

void reaper_start(void);
void reaper_stop(void);

/* --- server.c, client.c --------------------------------------------------------------------- */

typedef struct server server;

server *server_start(int workers, bool verbose);
unsigned long server_stop(server *s);

typedef struct client {
    pthread_t thread;
    int number, requests;
    bool keep_alive;
    int good, bad;
} client;

void client_start(client *c);
void client_join(client *c);

#endif
