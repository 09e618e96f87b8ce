// Load for a TURN server: clients and peers in one thread that never sleeps.
//   turn-load SERVER_PORT BYTES SECONDS PACKETS_PER_S CHANNEL N RELAY_PORT...
// Descriptors 3 … 3+N-1 are clients with an allocation and a bound channel, the next N are their peers.
// Every packet contains the time when it was sent. Prints one line of JSON.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { MAX = 64, BATCH = 16, SIZE = 2048, BUCKETS = 200000 };
// Packets by latency in microseconds; the last bucket counts all later ones.
static uint32_t histogram[BUCKETS];
static uint64_t received;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void connect_to(int fd, int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int bytes = 8 << 20;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes)) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  if (connect(fd, (struct sockaddr *)&to, sizeof to)) { perror("connect"); exit(1); }
}

static char in[BATCH][SIZE];
static struct iovec in_vectors[BATCH];
static struct mmsghdr in_headers[BATCH];

static int drain(int fd, int head) {
  int any = 0;
  for (;;) {
    int count = recvmmsg(fd, in_headers, BATCH, MSG_DONTWAIT, NULL);
    if (count <= 0) return any;
    uint64_t at = now();
    for (int i = 0; i < count; i++) {
      uint64_t sent;
      memcpy(&sent, in[i] + head, sizeof sent);
      uint64_t us = (at - sent) / 1000;
      histogram[us < BUCKETS ? us : BUCKETS - 1]++;
    }
    received += (uint64_t)count;
    any += count;
    if (count < BATCH) return any;
  }
}

static uint32_t quantile(double share) {
  uint64_t before = 0, wanted = (uint64_t)((double)received * share);
  for (uint32_t us = 0; us < BUCKETS; us++)
    if ((before += histogram[us]) > wanted) return us;
  return BUCKETS;
}

int main(int count, char **given) {
  if (count < 8) return 2;
  int port = atoi(given[1]), bytes = atoi(given[2]), channel = (int)strtol(given[5], NULL, 16), n = atoi(given[6]);
  double seconds = atof(given[3]), rate = atof(given[4]);
  if (n > MAX || count != 7 + n || bytes > SIZE - 4 || bytes < 8) return 2;
  for (int i = 0; i < n; i++) {
    connect_to(3 + i, port);
    connect_to(3 + n + i, atoi(given[7 + i]));
  }
  for (int i = 0; i < BATCH; i++) {
    in_vectors[i] = (struct iovec){in[i], SIZE};
    in_headers[i].msg_hdr.msg_iov = &in_vectors[i];
    in_headers[i].msg_hdr.msg_iovlen = 1;
  }
  static unsigned char out[SIZE];
  out[0] = (unsigned char)(channel >> 8);
  out[1] = (unsigned char)channel;
  out[2] = (unsigned char)(bytes >> 8);
  out[3] = (unsigned char)bytes;
  // Packets of an earlier run are dropped.
  for (int i = 0; i < 2 * n; i++) while (recv(3 + i, in[0], SIZE, MSG_DONTWAIT) >= 0);
  uint64_t sent = 0, refused = 0, begun = now(), end = begun + (uint64_t)(seconds * 1e9), at;
  // Late packets are sent later, at most 32 at once. `sent` shows if the generator falls behind.
  while ((at = now()) < end) {
    uint64_t due = (uint64_t)((double)(at - begun) * rate / 1e9);
    for (int burst = 0; sent < due && burst < 32; burst++, sent++) {
      int of = (int)(sent % (uint64_t)(2 * n)), from_client = of < n;
      uint64_t stamp = now();
      memcpy(out + 4, &stamp, sizeof stamp);
      const void *data = from_client ? out : out + 4;
      if (send(3 + of, data, (size_t)bytes + (from_client ? 4 : 0), MSG_DONTWAIT) < 0) refused++;
    }
    for (int i = 0; i < 2 * n; i++) drain(3 + i, i < n ? 4 : 0);
  }
  for (uint64_t until = now() + 300000000ull; now() < until && received < sent;)
    for (int i = 0; i < 2 * n; i++) drain(3 + i, i < n ? 4 : 0);
  printf("{\"sent\":%llu,\"refused\":%llu,\"received\":%llu,\"wanted\":%.0f,\"p50_us\":%u,\"p99_us\":%u}\n",
         (unsigned long long)sent, (unsigned long long)refused, (unsigned long long)received, rate * seconds,
         quantile(0.5), quantile(0.99));
  return 0;
}
