/* As much of HTTP/1.1 as is needed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"

/* -1: no more comes. */
static int next_byte(reader *r) {
    if (r->at == r->end) {
        r->at = 0;
        r->end = wire_read(r->wire, r->server, r->bytes, sizeof r->bytes);
        if (r->end == 0)
            return -1;
    }
    return (unsigned char)r->bytes[r->at++];
}

/* A line without its end; false: no more comes, or it is too long. */
static bool read_line(reader *r, char *line, size_t room) {
    size_t size = 0;
    int byte;
    while ((byte = next_byte(r)) >= 0 && byte != '\n') {
        if (byte == '\r')
            continue;
        if (size + 1 == room)
            return false;
        line[size++] = (char)byte;
    }
    line[size] = '\0';
    return byte >= 0;
}

static bool parse_request_line(const char *line, request *to) {
    const char *space = strchr(line, ' '), *end;
    size_t length;
    if (!space || (size_t)(space - line) >= sizeof to->method)
        return false;
    memcpy(to->method, line, (size_t)(space - line));
    to->method[space - line] = '\0';
    end = strchr(++space, ' ');
    if (!end || *space != '/' || strncmp(end + 1, "HTTP/1.", 7) != 0)
        return false;
    length = (size_t)(end - space);
    memcpy(to->path, space, length);
    to->path[length] = '\0';
    return true;
}

int http_read_request(reader *r, request *to) {
    char line[LINE_SIZE];
    if (!read_line(r, line, sizeof line))
        return HTTP_NONE;
    if (!parse_request_line(line, to))
        return HTTP_BAD;
    to->keep_alive = false;
    while (read_line(r, line, sizeof line)) {
        if (!line[0])
            return HTTP_GOOD;
        if (strcmp(line, "Connection: keep-alive") == 0)
            to->keep_alive = true;
    }
    return HTTP_NONE;
}

bool http_write_request(wire *w, const char *path, bool keep_alive) {
    char text[LINE_SIZE + 64];
    int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nConnection: %s\r\n\r\n", path,
                        keep_alive ? "keep-alive" : "close");
    return wire_write(w, false, text, (size_t)size);
}

static const char *reason(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 404:
        return "Not Found";
    default:
        return "Method Not Allowed";
    }
}

bool http_write_response(wire *w, int status, const char *type, const char *body, size_t size) {
    char head[128];
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
                          status, reason(status), type, size);
    return wire_write(w, true, head, (size_t)length) && wire_write(w, true, body, size);
}

int http_read_response(reader *r, char *body, size_t room, size_t *size) {
    char line[LINE_SIZE];
    int status;
    *size = 0;
    if (!read_line(r, line, sizeof line) || strncmp(line, "HTTP/1.1 ", 9) != 0)
        return 0;
    status = atoi(line + 9);
    while (read_line(r, line, sizeof line) && line[0])
        if (strncmp(line, "Content-Length: ", 16) == 0)
            *size = (size_t)atol(line + 16);
    for (size_t i = 0; i < *size; i++) {
        int byte = next_byte(r);
        if (byte < 0 || i == room)
            return 0;
        body[i] = (char)byte;
    }
    return status;
}

/* --- types of documents --------------------------------------------------------------------- */

static struct { char ending[8], type[16]; } types[3];

static pthread_mutex_t types_lock = PTHREAD_MUTEX_INITIALIZER;
#if BUG == 1
static bool types_known;
#else
static atomic_bool types_known;
#endif

static void add_type(int at, const char *ending, const char *type) {
    strcpy(types[at].ending, ending); /* bug 1 */
    strcpy(types[at].type, type);     /* bug 1 */
}

const char *http_type_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (!types_known) { /* bug 1 */
        pthread_mutex_lock(&types_lock);
        if (!types_known) {
            add_type(0, ".html", "text/html");
            add_type(1, ".css", "text/css");
            add_type(2, ".txt", "text/plain");
            types_known = true; /* bug 1 */
        }
        pthread_mutex_unlock(&types_lock);
    }
    for (int i = 0; dot && i < 3; i++)
        if (strcmp(types[i].ending, dot) == 0) /* bug 1 */
            return types[i].type;
    return "application/octet-stream";
}
