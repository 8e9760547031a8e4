#include "cli_serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of the head of a request, seconds that it may take, seconds that the answer may take,
 * length of the word, connections at a time. */
enum { REQUEST = 16384, PATIENCE = 10, PATIENCE_SENDING = 120, WORD = 16, MOST = 64 };

typedef struct server {
    int listener;
    uint16_t port;
    char word[WORD + 1];
    const char *page;
    size_t size;
} server;

/* ---- Waiting ---- */

static double until_now(double seconds) {
    return hd_progress_clock() + seconds;
}

/* Until the socket is ready for these events; false when the time is up. */
static bool is_ready(int socket, short events, double until) {
    double left = until - hd_progress_clock();
    struct pollfd it = {.fd = socket, .events = events};
    return left > 0 && poll(&it, 1, (int)(left * 1000) + 1) > 0;
}

static void send_all(int to, const char *data, size_t size, double until) {
    while (size > 0 && is_ready(to, POLLOUT, until)) {
        ssize_t sent = send(to, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (sent <= 0)
            return;
        data += sent;
        size -= (size_t)sent;
    }
}

/* ---- Requests ---- */

enum code {
    OK = 200,
    BAD_REQUEST = 400,
    NOT_FOUND = 404,
    NOT_ALLOWED = 405,
    TIMED_OUT = 408,
    TOO_LARGE = 413,
    MISDIRECTED = 421,
    HEAD_TOO_LARGE = 431,
    BUSY = 503,
    GONE = 0 /* the client is: nothing is to be answered */
};

static const char *phrase(enum code code) {
    switch (code) {
    case OK:
        return "OK";
    case BAD_REQUEST:
        return "Bad Request";
    case NOT_FOUND:
        return "Not Found";
    case NOT_ALLOWED:
        return "Method Not Allowed";
    case TIMED_OUT:
        return "Request Timeout";
    case TOO_LARGE:
        return "Content Too Large";
    case MISDIRECTED:
        return "Misdirected Request";
    case HEAD_TOO_LARGE:
        return "Request Header Fields Too Large";
    default:
        return "Service Unavailable";
    }
}

/* The whole head of the request; OK, or why it was not read. */
static enum code read_head(int from, char *request, double until) {
    size_t length = 0;
    request[0] = '\0';
    while (!strstr(request, "\r\n\r\n")) {
        if (length == REQUEST - 1)
            return HEAD_TOO_LARGE;
        if (!is_ready(from, POLLIN, until))
            return length ? TIMED_OUT : GONE;
        ssize_t got = recv(from, request + length, REQUEST - 1 - length, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0)
            return GONE;
        if (memchr(request + length, '\0', (size_t)got))
            return BAD_REQUEST;
        length += (size_t)got;
        request[length] = '\0';
    }
    return OK;
}

/* The value of a header field, up to its line's end; NULL: none.  *again: it is there
 * twice. */
static const char *field(const char *request, const char *name, bool *again) {
    const char *value = NULL;
    size_t length = strlen(name);
    *again = false;
    for (const char *line = strstr(request, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            *again = value != NULL;
            value = line + 3 + length;
            value += strspn(value, " \t");
        }
    return value;
}

/* A page elsewhere can have its own name point to this address (DNS rebinding): then the browser
 * gives that name.  The port may be that of a tunnel. */
static enum code check_host(const char *request) {
    static const char *const ours[] = {"127.0.0.1", "localhost", "[::1]"};
    bool again;
    const char *host = field(request, "Host", &again);
    if (!host || again)
        return BAD_REQUEST;
    size_t length = strcspn(host, " \t\r\n");
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        size_t name = strlen(ours[i]);
        if (length < name || strncasecmp(host, ours[i], name) != 0)
            continue;
        if (length == name ||
            (host[name] == ':' && strspn(host + name + 1, "0123456789") == length - name - 1))
            return OK;
    }
    return MISDIRECTED;
}

/* "GET /WORD/ HTTP/1.1" */
static enum code judge_request(const server *s, const char *request, bool *body) {
    char wanted[WORD + 8];
    bool again;
    *body = strncmp(request, "HEAD ", 5) != 0;
    const char *length = field(request, "Content-Length", &again);
    enum code host = check_host(request);
    if (host != OK)
        return host;
    if ((length && strspn(length, "0") != strcspn(length, " \t\r\n")) ||
        field(request, "Transfer-Encoding", &again))
        return TOO_LARGE;
    if (*body && strncmp(request, "GET ", 4) != 0)
        return NOT_ALLOWED;
    snprintf(wanted, sizeof wanted, "/%s/ ", s->word);
    bool found = strncmp(strchr(request, ' ') + 1, wanted, strlen(wanted)) == 0;
    return found ? OK : NOT_FOUND;
}

/* ---- Answers ---- */

static void answer(const server *s, int to, enum code code, bool body) {
    char text[64]; /* a browser shows it */
    snprintf(text, sizeof text, "%s.\n",
             code == NOT_FOUND ? "There is nothing here" : phrase(code));
    size_t size = code == OK ? s->size : strlen(text);
    double until = until_now(PATIENCE_SENDING);
    char head[512];
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 %d %s\r\n"
                          "Content-Type: text/%s; charset=utf-8\r\n"
                          "Content-Length: %zu\r\n"
                          "Cache-Control: no-store\r\n"
                          "X-Content-Type-Options: nosniff\r\n"
                          "X-Frame-Options: DENY\r\n"
                          "Referrer-Policy: no-referrer\r\n"
                          "%s"
                          "Connection: close\r\n\r\n",
                          (int)code, phrase(code), code == OK ? "html" : "plain", size,
                          code == NOT_ALLOWED ? "Allow: GET, HEAD\r\n" : "");
    send_all(to, head, (size_t)length, until);
    if (body)
        send_all(to, code == OK ? s->page : text, size, until);
}

/* What the client still sends is read, or it would not get to see the answer. */
static void end_connection(int socket) {
    static const double moment = 1;
    char rest[4096];
    double until = until_now(moment);
    shutdown(socket, SHUT_WR);
    while (is_ready(socket, POLLIN, until) && recv(socket, rest, sizeof rest, MSG_DONTWAIT) > 0)
        ;
    close(socket);
}

struct caller {
    const server *server;
    int socket;
};

static atomic_uint connections;

/* A thread each: browsers open connections ahead, and say nothing on them. */
static void *serve_one(void *context) {
    struct caller *caller = context;
    char *request = malloc(REQUEST);
    bool body = true;
    enum code code = request ? read_head(caller->socket, request, until_now(PATIENCE)) : BUSY;
    if (code == OK)
        code = judge_request(caller->server, request, &body);
    if (code != GONE)
        answer(caller->server, caller->socket, code, body);
    end_connection(caller->socket);
    free(request);
    free(caller);
    atomic_fetch_sub(&connections, 1);
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

/* Until somebody asks for the page; false when the clock is over. */
static bool is_asked(const server *s) {
    struct pollfd it = {.fd = s->listener, .events = POLLIN};
    while (hd_clock_look() == HD_CLOCK_GOES)
        if (poll(&it, 1, 1 + (int)(hd_clock_left(1) * 1000)) > 0)
            return true;
    return false;
}

static void accept_all(const server *s, hd_error *error) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    while (is_asked(s)) {
        int socket = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
            poll(NULL, 0, 100); /* until others have ended */
        else if (socket < 0 && errno != EINTR && errno != ECONNABORTED)
            break;
        if (socket < 0)
            continue;
        struct caller *caller = HD_NEW(struct caller);
        *caller = (struct caller){s, socket};
        pthread_t thread;
        if (atomic_fetch_add(&connections, 1) < MOST &&
            pthread_create(&thread, &detached, serve_one, caller) == 0)
            continue;
        atomic_fetch_sub(&connections, 1);
        answer(s, socket, BUSY, true); /* a few hundred bytes: the socket has room for them */
        close(socket);
        free(caller);
    }
    const char *why = hd_clock_why();
    hd_error_set(error, "%s%s", why ? "" : "cannot serve: ", why ? why : strerror(errno));
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
