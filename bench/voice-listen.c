// Members of a room who only receive: ICE, DTLS, and counts of RTP packets; nothing is decrypted. One thread in epoll.
// Prints "fingerprint AB:…" of the certificate that all of them use. Commands on standard input:
//   open ADDRESS PORT UFRAG PASSWORD   another one; prints "ready" once its DTLS handshake is done
//   count                              prints "packets RECEIVED LOST LISTENERS", the last: how many have received any
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS = 4096, STREAMS = 4, SIZE = 2048, TICK_MS = 100, CONSENT_MS = 4000, MTU = 1200 };

struct stream {
  uint32_t ssrc, first, highest;
  uint64_t count;
};
struct client {
  int fd, done, asked;
  char user[320], password[256];
  SSL *ssl;
  uint64_t asked_at;
  struct stream streams[STREAMS];
  int used;
};
static struct client clients[CLIENTS];
static int opened;
static SSL_CTX *context;

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void die(const char *what) {
  fprintf(stderr, "voice-listen: %s\n", what);
  exit(1);
}

// RFC 8489 §14.7
static uint32_t crc32_of(const uint8_t *bytes, size_t count) {
  uint32_t crc = 0xffffffff;
  while (count--) {
    crc ^= *bytes++;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

static uint8_t *attribute(uint8_t *at, uint16_t type, const void *value, uint16_t count) {
  uint16_t head[] = {htons(type), htons(count)};
  memcpy(at, head, 4);
  memset(at + 4, 0, (count + 3u) & ~3u);
  if (count) memcpy(at + 4, value, count);
  return at + 4 + ((count + 3u) & ~3u);
}

static void set_length(uint8_t *message, size_t count) {
  uint16_t length = htons((uint16_t)(count - 20));
  memcpy(message + 2, &length, 2);
}

// A check of the nominated pair, which keeps the consent fresh too: RFC 8445 §7.2, RFC 7675.
static void ask(struct client *client) {
  uint8_t message[1024] = {0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42}, sum[20];
  RAND_bytes(message + 8, 12);
  uint8_t *at = attribute(message + 20, 0x0006, client->user, (uint16_t)strlen(client->user));
  uint32_t priority = htonl(0x6e0001ff), count = 0;
  at = attribute(at, 0x0024, &priority, 4);
  at = attribute(at, 0x802a, "listener", 8);
  at = attribute(at, 0x0025, NULL, 0);
  set_length(message, (size_t)(at - message) + 24);
  HMAC(EVP_sha1(), client->password, (int)strlen(client->password), message, (size_t)(at - message), sum, &count);
  at = attribute(at, 0x0008, sum, 20);
  set_length(message, (size_t)(at - message) + 8);
  uint32_t crc = htonl(crc32_of(message, (size_t)(at - message)) ^ 0x5354554e);
  at = attribute(at, 0x8028, &crc, 4);
  send(client->fd, message, (size_t)(at - message), 0);
  client->asked_at = now_ms();
}

static void flush(struct client *client) {
  char out[4096];
  int count;
  while ((count = BIO_read(SSL_get_wbio(client->ssl), out, sizeof out)) > 0) send(client->fd, out, (size_t)count, 0);
}

static void shake(struct client *client) {
  if (!client->ssl || client->done) return;
  int result = SSL_do_handshake(client->ssl);
  flush(client);
  if (result != 1) return;
  client->done = 1;
  puts("ready");
  fflush(stdout);
}

static void begin(struct client *client) {
  if (client->ssl) return;
  client->ssl = SSL_new(context);
  BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
  BIO_set_mem_eof_return(in, -1);
  BIO_set_mem_eof_return(out, -1);
  SSL_set_bio(client->ssl, in, out);
  SSL_set_options(client->ssl, SSL_OP_NO_QUERY_MTU);
  SSL_set_mtu(client->ssl, MTU);
  SSL_set_connect_state(client->ssl);
  shake(client);
}

// RFC 3550 §A.1, without its care for strangers.
static void take(struct client *client, const uint8_t *packet) {
  uint32_t ssrc;
  memcpy(&ssrc, packet + 8, 4);
  uint16_t number = (uint16_t)(packet[2] << 8 | packet[3]);
  struct stream *stream = client->streams;
  int at = 0;
  while (at < client->used && stream[at].ssrc != ssrc) at++;
  if (at == STREAMS) die("a client has too many streams");
  if (at == client->used) {
    client->used++;
    stream[at] = (struct stream){ssrc, number, number, 0};
  }
  stream += at;
  int16_t step = (int16_t)(number - (uint16_t)stream->highest);
  if (step > 0) stream->highest += (uint32_t)step;
  stream->count++;
}

// RFC 7983 §7
static void receive(struct client *client) {
  uint8_t packet[SIZE];
  ssize_t count;
  while ((count = recv(client->fd, packet, sizeof packet, MSG_DONTWAIT)) > 0) {
    if (packet[0] < 4 && count >= 20) {
      if (packet[0] == 1 && packet[1] == 1) begin(client);
    } else if (packet[0] >= 20 && packet[0] < 64 && client->ssl) {
      BIO_write(SSL_get_rbio(client->ssl), packet, (int)count);
      if (client->done) {
        char ignored[64];
        SSL_read(client->ssl, ignored, sizeof ignored);
      } else
        shake(client);
    } else if (packet[0] >= 128 && packet[0] < 192 && count >= 12 && (packet[1] < 192 || packet[1] > 223))
      take(client, packet);
  }
}

static void add(int poll, const char *address, int port, const char *user, const char *password) {
  if (opened == CLIENTS) die("too many clients");
  struct client *client = &clients[opened];
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, address, &to.sin_addr) != 1) die("not an IPv4 address");
  client->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (client->fd < 0 || connect(client->fd, (struct sockaddr *)&to, sizeof to)) die("no socket");
  snprintf(client->user, sizeof client->user, "%s:listener", user);
  snprintf(client->password, sizeof client->password, "%s", password);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)opened++};
  epoll_ctl(poll, EPOLL_CTL_ADD, client->fd, &event);
  ask(client);
}

static void report(void) {
  uint64_t packets = 0, lost = 0;
  int listeners = 0;
  for (int i = 0; i < opened; i++) {
    listeners += clients[i].used > 0;
    for (int at = 0; at < clients[i].used; at++) {
      struct stream *stream = &clients[i].streams[at];
      uint64_t due = (uint64_t)(stream->highest - stream->first) + 1;
      packets += stream->count;
      lost += due > stream->count ? due - stream->count : 0;
    }
  }
  printf("packets %lu %lu %d\n", (unsigned long)packets, (unsigned long)lost, listeners);
  fflush(stdout);
}

static void command(int poll, char *line) {
  char address[64], user[256], password[256];
  int port;
  if (sscanf(line, "open %63s %d %255s %255s", address, &port, user, password) == 4) add(poll, address, port, user, password);
  else if (!strcmp(line, "count")) report();
  else die("no such command");
}

static void read_commands(int poll) {
  static char text[65536];
  static size_t used;
  ssize_t count = read(0, text + used, sizeof text - used - 1);
  if (count <= 0) exit(0);
  used += (size_t)count;
  text[used] = 0;
  char *line = text, *end;
  while ((end = strchr(line, '\n'))) {
    *end = 0;
    command(poll, line);
    line = end + 1;
  }
  used = strlen(line);
  memmove(text, line, used);
}

static void make_certificate(void) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  if (!key || !certificate) die("no certificate");
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_get_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_get_notAfter(certificate), 86400);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, (const uint8_t *)"listener", -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  X509_sign(certificate, key, EVP_sha256());
  context = SSL_CTX_new(DTLS_client_method());
  if (SSL_CTX_use_certificate(context, certificate) != 1 || SSL_CTX_use_PrivateKey(context, key) != 1) die("no context");
  SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
  if (SSL_CTX_set_tlsext_use_srtp(context, "SRTP_AEAD_AES_256_GCM:SRTP_AES128_CM_SHA1_80")) die("no SRTP");
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned count;
  X509_digest(certificate, EVP_sha256(), digest, &count);
  printf("fingerprint ");
  for (unsigned i = 0; i < count; i++) printf("%s%02X", i ? ":" : "", digest[i]);
  puts("");
  fflush(stdout);
}

int main(void) {
  make_certificate();
  int poll = epoll_create1(0);
  struct epoll_event input = {.events = EPOLLIN, .data.u32 = CLIENTS}, events[64];
  epoll_ctl(poll, EPOLL_CTL_ADD, 0, &input);
  for (uint64_t ticked = 0;;) {
    int count = epoll_wait(poll, events, 64, TICK_MS);
    for (int i = 0; i < count; i++)
      if (events[i].data.u32 == CLIENTS) read_commands(poll);
      else receive(&clients[events[i].data.u32]);
    uint64_t now = now_ms();
    if (now - ticked < TICK_MS) continue;
    ticked = now;
    for (int i = 0; i < opened; i++) {
      // Before the handshake, a lost packet is sent again.
      if (now - clients[i].asked_at > (clients[i].ssl ? CONSENT_MS : 2 * TICK_MS)) ask(&clients[i]);
      if (clients[i].ssl && !clients[i].done && DTLSv1_handle_timeout(clients[i].ssl) > 0) flush(&clients[i]);
    }
  }
}
