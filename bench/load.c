// Load for the server over loopback: WebSocket clients that count the messages they receive, and POSTs of messages.
// One thread that sleeps in epoll, so that it costs the processor little. It executes commands from its standard input
// and answers each with one line of JSON:
//   open PORT SYNCED COUNT            then COUNT lines, each the path of one socket; SYNCED: wait for `synced`
//   flood IN_FLIGHT MESSAGES WAYS     then the POST of each way, which take turns: a line PORT BYTES, and the bytes
//   paced PER_S MESSAGES WAYS         then the same
//   posts PORT CONNECTIONS SECONDS CHANNEL CHANNELS NONCE  then CONNECTIONS lines, each a token
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 512, OPENING = 32, POSTERS = 256, WAYS = 8, HEAD = 14 + 8, SECONDS_MAX = 60 };
enum kind { SOCKET, POSTER };

struct client {
  enum kind kind;
  int fd;
  // A socket: whether it has been upgraded, bytes of the current frame to come, a beginning of a frame, its messages.
  int upgraded, synced;
  uint64_t skip;
  unsigned char head[HEAD];
  int head_bytes;
  uint32_t received;
  // A poster: whether its request is unanswered, bytes of the answer to come, its status, and when it was due.
  int busy, status, number;
  int64_t missing;
  uint64_t asked;
  uint32_t sent;
};

static int epoll;
static struct client **sockets;
static uint32_t open_sockets, upgraded, synced;
static struct client posters[POSTERS];
// Targets of POSTs; poster i takes way i modulo `ways_open`.
static struct way {
  int port;
  size_t bytes;
  char request[8192];
} ways[WAYS];
static int ways_open;
static char buffer[1 << 20];

// Per message: the number of sockets that have received it, and the time of the last delivery.
static uint32_t *counts, messages, complete;
static uint64_t *completed;

static void fail(const char *why) {
  fprintf(stderr, "load: %s (%s)\n", why, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void connect_to(struct client *client, int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int one = 1;
  if ((client->fd = socket(AF_INET, SOCK_STREAM, 0)) < 0) fail("socket");
  if (connect(client->fd, (struct sockaddr *)&to, sizeof to)) fail("connect");
  setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, client->fd, &event)) fail("epoll_ctl");
}

static void write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = send(fd, bytes, length, MSG_NOSIGNAL);
    if (written < 0) fail("send");
    bytes += written;
    length -= (size_t)written;
  }
}

// Bytes of a frame's header, which is not masked (RFC 6455 §5.2), and of its payload; 0 when the header is incomplete.
static int frame_header(const unsigned char *at, size_t have, uint64_t *payload) {
  if (have < 2) return 0;
  int length = at[1] & 127, header = length < 126 ? 2 : length == 126 ? 4 : 10;
  if (have < (size_t)header) return 0;
  *payload = (uint64_t)length;
  if (header > 2)
    for (int i = (*payload = 0, 2); i < header; i++) *payload = *payload << 8 | at[i];
  return header;
}

static void count_message(struct client *client) {
  uint32_t message = client->received++;
  if (message >= messages || ++counts[message] < open_sockets) return;
  completed[message] = now();
  complete++;
}

static void on_frame(struct client *client, int opcode, const unsigned char *payload, uint64_t length) {
  static const char pong[] = {(char)0x8a, (char)0x80, 0, 0, 0, 0};
  if (opcode == 8) fail("the server closed a socket");
  if (opcode == 9) write_all(client->fd, pong, sizeof pong);
  if (opcode != 1 || length < 8) return;
  if (!memcmp(payload, "{\"t\":\"me", 8)) count_message(client);
  else if (!memcmp(payload, "{\"t\":\"sy", 8) && !client->synced) client->synced = 1, synced++;
}

static void read_frames(struct client *client, unsigned char *at, size_t left) {
  if (client->head_bytes > 0) {
    // The beginning of a frame is followed by enough for its kind, or stays incomplete.
    while (left > 0 && client->head_bytes < HEAD) {
      uint64_t payload = 0;
      int header = frame_header(client->head, (size_t)client->head_bytes, &payload);
      if (header > 0 && (uint64_t)(client->head_bytes - header) >= (payload < 8 ? payload : 8)) break;
      client->head[client->head_bytes++] = *at++;
      left--;
    }
    uint64_t payload = 0;
    int header = frame_header(client->head, (size_t)client->head_bytes, &payload);
    if (header == 0 || (uint64_t)(client->head_bytes - header) < (payload < 8 ? payload : 8)) return;
    on_frame(client, client->head[0] & 15, client->head + header, payload);
    client->skip = payload - (uint64_t)(client->head_bytes - header);
    client->head_bytes = 0;
  }
  for (;;) {
    uint64_t skipped = client->skip < left ? client->skip : left, payload = 0;
    client->skip -= skipped;
    at += skipped;
    left -= skipped;
    if (left == 0) return;
    int header = frame_header(at, left, &payload);
    if (header == 0 || left - (size_t)header < (payload < 8 ? payload : 8)) {
      memcpy(client->head, at, left);
      client->head_bytes = (int)left;
      return;
    }
    on_frame(client, at[0] & 15, at + header, payload);
    at += header;
    left -= (size_t)header;
    client->skip = payload;
  }
}

static void read_socket(struct client *client) {
  ssize_t length = recv(client->fd, buffer, sizeof buffer, 0);
  if (length <= 0) fail("a socket was lost");
  if (client->upgraded) return read_frames(client, (unsigned char *)buffer, (size_t)length);
  char *end = memmem(buffer, (size_t)length, "\r\n\r\n", 4);
  if (!end || memcmp(buffer + 8, " 101", 4)) fail("a socket was refused");
  client->upgraded = 1;
  upgraded++;
  end += 4;
  read_frames(client, (unsigned char *)end, (size_t)(buffer + length - end));
}

// Reads an answer, whose head comes in one piece.
static void read_poster(struct client *client) {
  ssize_t length = recv(client->fd, buffer, sizeof buffer - 1, 0);
  if (length <= 0) fail("a connection was lost");
  if (client->missing == 0) {
    buffer[length] = 0;
    char *end = strstr(buffer, "\r\n\r\n"), *given = strcasestr(buffer, "\r\ncontent-length:");
    if (!end || !given) fail("an answer without its length");
    client->status = atoi(buffer + 9);
    client->missing = end + 4 - buffer + atol(given + 17);
  }
  client->missing -= length;
  if (client->missing == 0) client->busy = 0;
}

static void ask(struct client *client, const char *request, size_t length, uint64_t at) {
  client->busy = 1;
  client->asked = at;
  client->sent++;
  write_all(client->fd, request, length);
}

// Reads what has arrived, waiting for it until then at most. Calls `answered` for each answer.
static void poll_until(uint64_t until, void (*answered)(struct client *)) {
  struct epoll_event events[EVENTS];
  uint64_t at = now(), wait = until > at ? until - at : 0;
  struct timespec timeout = {(time_t)(wait / 1000000000), (long)(wait % 1000000000)};
  int count = epoll_pwait2(epoll, events, EVENTS, &timeout, NULL);
  if (count < 0) fail("epoll_pwait2");
  // Answers come first: the next requests are with the server while the frames are read.
  for (int i = 0; i < count; i++) {
    struct client *client = events[i].data.ptr;
    if (client->kind != POSTER) continue;
    read_poster(client);
    if (!client->busy) answered(client);
  }
  for (int i = 0; i < count; i++) {
    struct client *client = events[i].data.ptr;
    if (client->kind == SOCKET) read_socket(client);
  }
}

static void connect_posters(int count) {
  if (count > POSTERS) fail("too many connections");
  for (int i = 0; i < count; i++) {
    posters[i] = (struct client){.kind = POSTER, .number = i};
    connect_to(&posters[i], ways[i % ways_open].port);
  }
}

static void close_posters(int count) {
  for (int i = 0; i < count; i++) close(posters[i].fd);
}

static char *next_line(void) {
  static char *line;
  static size_t room;
  ssize_t length = getline(&line, &room, stdin);
  if (length < 0) exit(0);
  if (length > 0 && line[length - 1] == '\n') line[length - 1] = 0;
  return line;
}

static void ignored(struct client *client) { (void)client; }

static void open_all(int port, int wait_synced, uint32_t count) {
  uint64_t begun = now(), deadline = begun + SECONDS_MAX * 1000000000ull;
  uint32_t first = open_sockets, *done = wait_synced ? &synced : &upgraded, before = *done;
  sockets = realloc(sockets, (first + count) * sizeof *sockets);
  for (uint32_t i = 0; i < count; i++) {
    struct client *client = sockets[first + i] = calloc(1, sizeof *client);
    char request[1024];
    int length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nhost: bench\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                          "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                          next_line());
    connect_to(client, port);
    write_all(client->fd, request, (size_t)length);
    while (i + 1 - (*done - before) >= OPENING && now() < deadline) poll_until(deadline, ignored);
  }
  while (*done - before < count && now() < deadline) poll_until(deadline, ignored);
  if (*done - before < count) fail("sockets did not open in time");
  open_sockets += count;
  printf("{\"took_s\":%.6f}\n", (double)(now() - begun) / 1e9);
}

static void expect_messages(uint32_t count) {
  messages = count;
  complete = 0;
  counts = realloc(counts, count * sizeof *counts);
  completed = realloc(completed, count * sizeof *completed);
  memset(counts, 0, count * sizeof *counts);
  for (uint32_t i = 0; i < open_sockets; i++) sockets[i]->received = 0;
}

static uint32_t unsent;

static void read_ways(int count) {
  if (count < 1 || count > WAYS) fail("too many ways, or none");
  for (struct way *way = ways; way < ways + count; way++) {
    if (sscanf(next_line(), "%d %zu", &way->port, &way->bytes) != 2 || way->bytes > sizeof way->request ||
        fread(way->request, 1, way->bytes, stdin) != way->bytes)
      fail("no request");
  }
  ways_open = count;
}

static void post(struct client *client, uint64_t at) {
  struct way *way = &ways[client->number % ways_open];
  ask(client, way->request, way->bytes, at);
}

static void expect_created(struct client *client) {
  if (client->status != 201) fail("a POST was refused");
}

static void send_next(struct client *client) {
  expect_created(client);
  if (unsent == 0) return;
  unsent--;
  post(client, 0);
}

// Sends messages as fast as so many POSTs in flight allow.
static void flood(int in_flight, uint32_t count) {
  connect_posters(in_flight);
  expect_messages(count);
  uint64_t begun = now(), deadline = begun + SECONDS_MAX * 1000000000ull;
  unsent = count;
  for (int i = 0; i < in_flight && unsent > 0; i++, unsent--) post(&posters[i], 0);
  while (complete < count && now() < deadline) poll_until(deadline, send_next);
  if (complete < count) fail("messages did not arrive in time");
  double took = (double)(completed[count - 1] - begun) / 1e9;
  printf("{\"deliveries_per_s\":%.1f}\n", (double)count * open_sockets / took);
  close_posters(in_flight);
}

// Sends messages at a steady rate; the milliseconds of each count from when it was due until its last delivery.
static void paced(double per_s, uint32_t count) {
  enum { CONNECTIONS = 64 };
  connect_posters(CONNECTIONS);
  expect_messages(count);
  uint64_t begun = now() + 1000000, deadline = begun + SECONDS_MAX * 1000000000ull;
  uint32_t sent = 0;
  while (complete < count && now() < deadline) {
    uint64_t due = sent < count ? begun + (uint64_t)(sent * 1e9 / per_s) : deadline;
    poll_until(due, expect_created);
    if (sent == count || now() < due) continue;
    for (int i = (int)sent % ways_open; i < CONNECTIONS; i += ways_open) {
      if (posters[i].busy) continue;
      post(&posters[i], due);
      sent++;
      break;
    }
  }
  if (complete < count) fail("messages did not arrive in time");
  printf("{\"ms\":[");
  for (uint32_t i = 0; i < count; i++)
    printf("%s%.4f", i ? "," : "", ((double)completed[i] - (double)begun) / 1e6 - i * 1e3 / per_s);
  printf("]}\n");
  close_posters(CONNECTIONS);
}

static char tokens[POSTERS][1024];
static char run[32];
static int first_channel, channels, nonce;
static uint64_t until;
static float *latencies;
static uint32_t accepted, refused, latencies_max;

// Each connection sends as one account, into one channel after another.
static void post_next(struct client *client) {
  uint64_t at = now();
  if (client->sent > 0) {
    if (client->status >= 300) refused = refused + 1;
    else if (accepted < latencies_max) latencies[accepted++] = (float)((double)(at - client->asked) / 1e6);
  }
  if (at >= until) return;
  char body[256], text[2048], used[96] = "";
  if (nonce) snprintf(used, sizeof used, ",\"nonce\":\"%s %d %u\"", run, client->number, client->sent);
  int length = snprintf(body, sizeof body, "{\"content\":\"hello 0.%ld\"%s}", random(), used);
  int bytes = snprintf(text, sizeof text,
                       "POST /api/channels/%d/messages HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer %s\r\n"
                       "content-type: application/json\r\ncontent-length: %d\r\n\r\n%s",
                       (int)(((unsigned)client->number + client->sent) % (unsigned)channels) + first_channel,
                       tokens[client->number], length, body);
  ask(client, text, (size_t)bytes, at);
}

static int by_size(const void *one, const void *other) {
  float a = *(const float *)one, b = *(const float *)other;
  return (a > b) - (a < b);
}

static void posts(int port, int connections, double seconds) {
  ways[0].port = port;
  ways_open = 1;
  connect_posters(connections);
  snprintf(run, sizeof run, "%llx", (unsigned long long)now());
  latencies_max = 4000000;
  if (!latencies) latencies = malloc(latencies_max * sizeof *latencies);
  accepted = refused = 0;
  uint64_t begun = now();
  until = begun + (uint64_t)(seconds * 1e9);
  uint64_t deadline = until + SECONDS_MAX * 1000000000ull;
  for (int i = 0; i < connections; i++) post_next(&posters[i]);
  for (int busy = 1; busy && now() < deadline;) {
    poll_until(deadline, post_next);
    busy = 0;
    for (int i = 0; i < connections; i++) busy |= posters[i].busy;
  }
  double took = (double)(now() - begun) / 1e9;
  qsort(latencies, accepted, sizeof *latencies, by_size);
  printf("{\"per_s\":%.2f,\"refused\":%u,\"p50_ms\":%.4f,\"p99_ms\":%.4f}\n", accepted / took, refused,
         accepted ? latencies[accepted / 2] : 0.0, accepted ? latencies[(uint32_t)(accepted * 0.99)] : 0.0);
  close_posters(connections);
}

// Waits for the next command. Meanwhile sockets are read and answer pings, or the server would close them.
static void await_command(void) {
  struct pollfd of[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = epoll, .events = POLLIN}};
  for (;;) {
    if (poll(of, 2, -1) < 0) fail("poll");
    if (of[0].revents) return;
    poll_until(now(), ignored);
  }
}

int main(void) {
  epoll = epoll_create1(0);
  srandom((unsigned)getpid());
  for (;;) {
    int port, n, flag;
    uint32_t count;
    double number;
    await_command();
    char *line = next_line();
    if (sscanf(line, "open %d %d %u", &port, &flag, &count) == 3) open_all(port, flag, count);
    else if (sscanf(line, "flood %d %u %d", &n, &count, &flag) == 3) {
      read_ways(flag);
      flood(n, count);
    } else if (sscanf(line, "paced %lf %u %d", &number, &count, &flag) == 3) {
      read_ways(flag);
      paced(number, count);
    } else if (sscanf(line, "posts %d %d %lf %d %d %d", &port, &n, &number, &first_channel, &channels, &nonce) == 6) {
      if (n > POSTERS || channels < 1) fail("too many connections, or no channel");
      for (int i = 0; i < n; i++) snprintf(tokens[i], sizeof tokens[i], "%s", next_line());
      posts(port, n, number);
    } else fail("an unknown command");
    fflush(stdout);
  }
}
