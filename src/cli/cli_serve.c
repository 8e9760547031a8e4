#include "cli_serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a request that are read, seconds that it may take, length of the word. */
enum { REQUEST = 8192, PATIENCE = 10, WORD = 16 };

typedef struct server {
    int listener;
    uint16_t port;
    char word[WORD + 1];
    const char *page;
    size_t size;
} server;

/* ---- Answers ---- */

static void send_all(int to, const char *data, size_t size) {
    while (size > 0) {
        ssize_t sent = send(to, data, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        data += sent;
        size -= (size_t)sent;
    }
}

static void answer(const server *s, int to, bool found, bool body) {
    static const char missing[] = "There is nothing here.\n";
    size_t size = found ? s->size : sizeof missing - 1;
    char head[512];
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 %s\r\n"
                          "Content-Type: text/%s; charset=utf-8\r\n"
                          "Content-Length: %zu\r\n"
                          "Cache-Control: no-store\r\n"
                          "X-Content-Type-Options: nosniff\r\n"
                          "Referrer-Policy: no-referrer\r\n"
                          "Connection: close\r\n\r\n",
                          found ? "200 OK" : "404 Not Found", found ? "html" : "plain", size);
    send_all(to, head, (size_t)length);
    if (body)
        send_all(to, found ? s->page : missing, size);
}

/* "GET /WORD/ HTTP/1.1" */
static bool asks_for_page(const server *s, const char *request, bool *body) {
    char wanted[WORD + 8];
    *body = strncmp(request, "GET ", 4) == 0;
    if (!*body && strncmp(request, "HEAD ", 5) != 0)
        return false;
    snprintf(wanted, sizeof wanted, "/%s/ ", s->word);
    return strncmp(strchr(request, ' ') + 1, wanted, strlen(wanted)) == 0;
}

/* The whole head of the request, or what came before the client gave up. */
static void read_request(int from, char *request) {
    size_t length = 0;
    ssize_t got;
    request[0] = '\0';
    while (!strstr(request, "\r\n\r\n") && length < REQUEST - 1 &&
           (got = recv(from, request + length, REQUEST - 1 - length, 0)) > 0) {
        length += (size_t)got;
        request[length] = '\0';
    }
}

struct caller {
    const server *server;
    int socket;
};

/* A thread each: browsers open connections ahead, and say nothing on them. */
static void *serve_one(void *context) {
    struct caller *caller = context;
    char *request = hd_mem_alloc(REQUEST);
    struct timeval patience = {.tv_sec = PATIENCE};
    setsockopt(caller->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(caller->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    read_request(caller->socket, request);
    bool body, found = asks_for_page(caller->server, request, &body);
    if (request[0])
        answer(caller->server, caller->socket, found, body || !found);
    shutdown(caller->socket, SHUT_WR);
    close(caller->socket);
    free(request);
    free(caller);
    return NULL;
}

/* ---- The server ---- */

static bool load(server *s, const char *path, hd_error *error) {
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0 || about.st_size == 0) {
        if (fd >= 0)
            close(fd);
        return hd_error_set(error, "%s: %s", path, fd < 0 ? strerror(errno) : "empty");
    }
    s->size = (size_t)about.st_size;
    void *data = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        return hd_error_set(error, "%s: %s", path, strerror(errno));
    s->page = data;
    return true;
}

static bool listen_on(server *s, uint16_t port, hd_error *error) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int on = 1;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listener >= 0)
        setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&address, length) != 0 ||
        listen(s->listener, 16) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&address, &length) != 0)
        return hd_error_set(error, "cannot serve on port %u: %s", port, strerror(errno));
    s->port = ntohs(address.sin_port);
    return true;
}

static bool choose_word(server *s, hd_error *error) {
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return hd_error_set(error, "no random numbers: %s", strerror(errno));
    snprintf(s->word, sizeof s->word, "%016llx", (unsigned long long)bits);
    return true;
}

static void accept_all(const server *s, hd_error *error) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (;;) {
        int socket = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (socket < 0)
            break;
        struct caller *caller = HD_NEW(struct caller);
        *caller = (struct caller){s, socket};
        pthread_t thread;
        if (pthread_create(&thread, &detached, serve_one, caller) != 0) {
            close(socket);
            free(caller);
        }
    }
    hd_error_set(error, "cannot serve: %s", strerror(errno));
    pthread_attr_destroy(&detached);
}

bool hd_cli_serve(const char *path, uint16_t port, hd_cli_serve_ready *ready, void *context,
                  hd_error *error) {
    static server s; /* threads may outlive this call */
    char address[64];
    if (!load(&s, path, error) || !choose_word(&s, error) || !listen_on(&s, port, error))
        return false;
    snprintf(address, sizeof address, "http://127.0.0.1:%u/%s/", s.port, s.word);
    ready(context, address);
    accept_all(&s, error);
    return false;
}
