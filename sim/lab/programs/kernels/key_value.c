// SPDX-License-Identifier: Apache-2.0
// A key-value server under load, as memcached under YCSB's workload B: a process keeps 2^SIZE values of 100 bytes,
// another one asks it through a socket, 64 requests at a time, one in twenty a set, keys by Zipf's law. A round is 4096
// requests.
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel.h"

enum { KEY = 16, VALUE = 100, BATCH = 64, ROUND = 4096, SET_OF = 20, BUFFER = 1 << 16 };

// What is sent: "get KEY\n" or "set KEY VALUE\n"; what is answered: VALUE after a get, and a line end.
enum { GET_BYTES = 4 + KEY + 1, SET_BYTES = GET_BYTES + 1 + VALUE };

typedef struct Item {
  struct Item* next;
  char key[KEY], value[VALUE];
} Item;

static void give_up(const char* what) {
  fprintf(stderr, "key_value: %s: %s\n", what, strerror(errno));
  _exit(1);
}

static void send_all(int file, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = write(file, bytes, count);
    if (sent <= 0) give_up("write");
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void write_key(uint64_t number, char* key) {
  for (int at = KEY - 1; at >= 0; at--, number >>= 4) key[at] = "0123456789abcdef"[number & 15];
}

// The value of a key that was set `version` times.
static void write_value(uint64_t number, uint64_t version, char* value) {
  uint64_t state = number * 0x9e3779b97f4a7c15 + version + 1;
  for (int at = 0; at < VALUE; at++) value[at] = (char)('a' + (chance(&state) >> 60));
}

// ---- the server

typedef struct {
  uint64_t mask;
  Item** places;
} Table;

// FNV-1a
static Item** place_of(const Table* table, const char* key) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int at = 0; at < KEY; at++) hash = (hash ^ (uint8_t)key[at]) * 0x100000001b3;
  return &table->places[(hash ^ hash >> 32) & table->mask];
}

static Item* find(const Table* table, const char* key) {
  for (Item* item = *place_of(table, key); item != NULL; item = item->next)
    if (memcmp(item->key, key, KEY) == 0) return item;
  return NULL;
}

static void put(const Table* table, const char* key, const char* value) {
  Item* item = find(table, key);
  if (item == NULL) {
    Item** place = place_of(table, key);
    item = memory(1, sizeof *item);
    item->next = *place;
    memcpy(item->key, key, KEY);
    *place = item;
  }
  memcpy(item->value, value, VALUE);
}

// Answers the whole requests of `count` bytes; how many bytes these were.
static size_t answer(const Table* table, const char* requests, size_t count, int socket) {
  char answers[BUFFER];
  size_t taken = 0, made = 0;
  while (count - taken >= GET_BYTES && made < sizeof answers - VALUE - 1) {
    const char *request = requests + taken, *key = request + 4;
    if (memcmp(request, "get ", 4) == 0) {
      const Item* item = find(table, key);
      if (item != NULL) memcpy(answers + made, item->value, VALUE);
      made += item == NULL ? 0 : VALUE;
      taken += GET_BYTES;
    } else {
      if (count - taken < SET_BYTES) break;
      put(table, key, key + KEY + 1);
      taken += SET_BYTES;
    }
    answers[made++] = '\n';
  }
  send_all(socket, answers, made);
  return taken;
}

static void serve(uint64_t size, int socket) {
  const Table table = {((uint64_t)1 << size) - 1, memory((uint64_t)1 << size, sizeof *table.places)};
  char requests[BUFFER], key[KEY], value[VALUE];
  for (uint64_t number = 0; number >> size == 0; number++) {
    write_key(number, key);
    write_value(number, 0, value);
    put(&table, key, value);
  }
  send_all(socket, "\n", 1);
  for (size_t held = 0;;) {
    const ssize_t got = read(socket, requests + held, sizeof requests - held);
    if (got < 0) give_up("read");
    if (got == 0) _exit(held == 0 ? 0 : 1);
    held += (size_t)got;
    const size_t taken = answer(&table, requests, held, socket);
    memmove(requests, requests + taken, held - taken);
    held -= taken;
  }
}

// ---- the client

// Zipf's law as YCSB has it (J. Gray et al., "Quickly generating billion-record synthetic databases", 1994).
typedef struct {
  double count, zeta, eta;
} Zipf;
static const double THETA = 0.99;

static Zipf zipf(uint64_t count) {
  Zipf law = {(double)count, 0, 0};
  for (uint64_t rank = count; rank > 0; rank--) law.zeta += pow((double)rank, -THETA);
  law.eta = (1 - pow(2 / law.count, 1 - THETA)) / (1 - (1 + pow(2, -THETA)) / law.zeta);
  return law;
}

static uint64_t rank_of(const Zipf* law, double share) {
  if (share * law->zeta < 1) return 0;
  if (share * law->zeta < 1 + pow(2, -THETA)) return 1;
  return (uint64_t)(law->count * pow(law->eta * share - law->eta + 1, 1 / (1 - THETA)));
}

static void receive_all(int socket, char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t got = read(socket, bytes, count);
    if (got <= 0) give_up("read");
    bytes += got;
    count -= (size_t)got;
  }
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 4, 26);
  const uint64_t count = (uint64_t)1 << given.size;
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) give_up("socketpair");
  const pid_t server = fork();
  if (server < 0) give_up("fork");
  if (server == 0) {
    close(sockets[0]);
    serve(given.size, sockets[1]);
  }
  close(sockets[1]);
  const Zipf law = zipf(count);
  uint32_t* versions = memory(count, sizeof *versions);
  char batch[BATCH * SET_BYTES], answers[BATCH * (VALUE + 1)], expected[BATCH * (VALUE + 1)];
  uint64_t state = 1, gets = 0;
  bool right = true;
  receive_all(sockets[0], answers, 1);
  ready();
  for (uint64_t number = 0; number < given.rounds * (ROUND / BATCH); number++) {
    size_t asked = 0, due = 0;
    for (int request = 0; request < BATCH; request++) {
      // an odd factor: what is asked for often does not lie side by side
      const uint64_t key = rank_of(&law, fraction(&state)) * 0x9e3779b1 & (count - 1);
      const bool set = below(&state, SET_OF) == 0;
      memcpy(batch + asked, set ? "set " : "get ", 4);
      write_key(key, batch + asked + 4);
      write_value(key, versions[key] += set, set ? batch + asked + GET_BYTES : expected + due);
      batch[asked + 4 + KEY] = set ? ' ' : '\n';
      asked += set ? SET_BYTES : GET_BYTES;
      batch[asked - 1] = '\n';
      due += set ? 0 : VALUE;
      expected[due++] = '\n';
      gets += !set;
    }
    send_all(sockets[0], batch, asked);
    receive_all(sockets[0], answers, due);
    right &= memcmp(answers, expected, due) == 0;
  }
  close(sockets[0]);
  int status = 1;
  right &= waitpid(server, &status, 0) == server && status == 0;
  return end("key_value", right, (double)gets);
}
