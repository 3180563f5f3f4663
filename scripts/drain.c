/* Runs one statement against a server that trusts, reads its answer to the end and drops it: drain PORT DATABASE SQL
 *
 * Prints messages of data, bytes and seconds. It looks at nothing but the headers of messages, so that what is
 * measured is the server and what stands before it. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint32_t number(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put(unsigned char *at, uint32_t value) {
    for (int byte = 0; byte < 4; byte++) at[byte] = (unsigned char)(value >> (24 - 8 * byte));
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void send_all(int server, const unsigned char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(server, bytes, length);
        if (sent <= 0) fail("write");
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* Reads up to ReadyForQuery; counts messages of DataRow and CopyData, and all bytes. */
static void read_answer(int server, uint64_t *messages, uint64_t *bytes) {
    static unsigned char buffer[1 << 18];
    unsigned char header[5];
    size_t have = 0, skip = 0;
    for (;;) {
        ssize_t got = read(server, buffer, sizeof buffer);
        if (got <= 0) fail("read");
        *bytes += (uint64_t)got;
        size_t at = 0, end = (size_t)got;
        while (at < end) {
            if (skip > 0) {
                size_t step = skip < end - at ? skip : end - at;
                at += step;
                skip -= step;
            } else {
                header[have++] = buffer[at++];
                if (have == 5) {
                    have = 0;
                    skip = number(header + 1) - 4;
                    if (header[0] == 'D' || header[0] == 'd') ++*messages;
                    if (header[0] == 'E') {
                        fprintf(stderr, "the server refused: %.*s\n", (int)(end - at), buffer + at);
                        exit(1);
                    }
                }
            }
            if (have == 0 && skip == 0 && header[0] == 'Z') return;
        }
    }
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "drain PORT DATABASE SQL\n");
        return 2;
    }
    int server = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

    unsigned char startup[512];
    int length = 8 + snprintf((char *)startup + 8, sizeof startup - 8, "user%cpostgres%cdatabase%c%s%c", 0, 0, 0, arguments[2], 0) + 1;
    put(startup, (uint32_t)length);
    put(startup + 4, 196608);
    send_all(server, startup, (size_t)length);
    uint64_t messages = 0, bytes = 0;
    read_answer(server, &messages, &bytes);

    size_t text = strlen(arguments[3]) + 1;
    unsigned char *query = malloc(text + 5);
    if (query == NULL) fail("malloc");
    query[0] = 'Q';
    put(query + 1, (uint32_t)(text + 4));
    memcpy(query + 5, arguments[3], text);
    struct timespec from, to;
    messages = bytes = 0;
    clock_gettime(CLOCK_MONOTONIC, &from);
    send_all(server, query, text + 5);
    read_answer(server, &messages, &bytes);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    printf("%llu %llu %.6f\n", (unsigned long long)messages, (unsigned long long)bytes, seconds);
    return 0;
}
