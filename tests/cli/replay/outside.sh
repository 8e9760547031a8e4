# What a program got from outside is played back: other files, other numbers, no client.
cat >inputs.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void add(int times) { /* as many events as the input says */
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
}
static int from_descriptor(const char *name) {
    unsigned char bytes[16] = "";
    int file = open(name, O_RDONLY);
    ssize_t got = read(file, bytes, sizeof bytes - 1);
    close(file);
    return got > 0 ? bytes[0] % 16 : 0;
}
static void *work(void *unused) {
    unsigned char byte;
    struct timespec now;
    struct stat status;
    char line[64];
    if (getenv("OTHER"))
        close(99);
    if (getrandom(&byte, 1, 0) == 1)
        add(byte % 16);
    add(from_descriptor("/dev/urandom"));
    add(from_descriptor("input"));
    add(getpid() % 16);
    clock_gettime(CLOCK_REALTIME, &now);
    add((int)(now.tv_nsec / 1000 % 16));
    if (stat("input", &status) == 0)
        add((int)status.st_size);
    FILE *file = fopen("input", "r");
    if (file && fgets(line, sizeof line, file))
        add(atoi(line));
    if (file) {
        const char *mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(file), 0);
        if (mapped != MAP_FAILED)
            add(mapped[0] - '0');
        fclose(file);
    }
    if (fgets(line, sizeof line, stdin))
        add(atoi(line));
    return unused;
}
int main(void) {
    pthread_t thread;
    FILE *output = fopen("output", "w");
    pthread_create(&thread, NULL, work, NULL);
    add(3);
    pthread_join(thread, NULL);
    fprintf(output, "%d\n", sum);
    fclose(output);
    printf("%d\n", sum);
    return 0;
}
END
heddle cc -o inputs inputs.c
echo 5 >input
echo 4 | heddle record --quiet --outside -o inputs.htr ./inputs >first
cmp first output && rm input output
echo 7 | heddle replay --quiet ./inputs inputs.htr >second
echo "status $?"
cmp first <(head -1 second)
sed -n 's/[0-9]* events/N events/; /followed/p' second
ls output 2>/dev/null || echo 'no file was written'

# The environment is not kept: with another one it makes another call.
echo 7 | OTHER=1 heddle replay --quiet ./inputs inputs.htr 2>&1 >/dev/null | grep -o 'it makes system call.*' |
    sed 's/[0-9][0-9]*/N/g'

cat >server.c <<'END'
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
enum { CLIENTS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int queue[CLIENTS], head, tail, sum, event;
static void *work(void *unused) {
    for (;;) {
        char text[64];
        uint64_t one = 1;
        pthread_mutex_lock(&lock);
        while (head == tail && head < CLIENTS)
            pthread_cond_wait(&more, &lock);
        int file = head < CLIENTS ? queue[head++] : -1;
        pthread_cond_broadcast(&more);
        pthread_mutex_unlock(&lock);
        if (file < 0)
            return unused;
        ssize_t got = read(file, text, sizeof text - 1);
        text[got > 0 ? got : 0] = '\0';
        pthread_mutex_lock(&lock);
        sum += atoi(text);
        pthread_mutex_unlock(&lock);
        if (write(file, text, strlen(text)) < 0 || write(event, &one, sizeof one) < 0)
            perror("write");
        close(file);
    }
}
int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(server, (struct sockaddr *)&address, length) != 0 || listen(server, 8) != 0 ||
        getsockname(server, (struct sockaddr *)&address, &length) != 0)
        return 1;
    FILE *port = fopen("port.new", "w");
    fprintf(port, "%d\n", ntohs(address.sin_port));
    fclose(port);
    rename("port.new", "port");
    fcntl(server, F_SETFL, O_NONBLOCK);
    event = eventfd(0, EFD_NONBLOCK);
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = server}, got[4];
    epoll_ctl(poll, EPOLL_CTL_ADD, server, &wanted);
    wanted.data.fd = event;
    epoll_ctl(poll, EPOLL_CTL_ADD, event, &wanted);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (uint64_t served = 0, count; served < CLIENTS;) {
        int ready = epoll_wait(poll, got, 4, 1000);
        for (int i = 0; i < ready; i++)
            if (got[i].data.fd == event) {
                if (read(event, &count, sizeof count) == sizeof count)
                    served += count;
            } else {
                int file = accept(server, NULL, NULL);
                pthread_mutex_lock(&lock);
                if (file >= 0)
                    queue[tail++] = file;
                pthread_cond_broadcast(&more);
                pthread_mutex_unlock(&lock);
            }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", sum);
    return 0;
}
END
cat >client.py <<'END'
import os, socket, time
end = time.monotonic() + 20
while not os.path.exists("port") and time.monotonic() < end:
    time.sleep(0.01)
for number in range(4):
    with socket.create_connection(("127.0.0.1", int(open("port").read()))) as s:
        s.sendall(b"%d" % (number + 1))
        assert s.recv(64) == b"%d" % (number + 1)
END
heddle cc -o server server.c
timeout 60 python3 client.py &
timeout 60 heddle record --quiet --outside -o server.htr ./server
wait
rm port
heddle replay --quiet ./server server.htr | sed 's/[0-9]* events/N events/'
ls port 2>/dev/null || echo 'no file was written'
rm server.htr.outside
heddle replay --quiet --time=3 ./server server.htr >/dev/null 2>&1
[ $? != 0 ] && echo 'without the file it is another run'
for wrong in --free --runs=2 --to=text; do
    heddle record --outside $wrong -o x.htr ./inputs
    echo "status $?"
done
