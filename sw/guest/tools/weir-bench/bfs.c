// SPDX-License-Identifier: Apache-2.0
// Breadth-first search in a graph with few vertices of many neighbours, as those of social networks: R-MAT
// (Chakrabarti, Zhan, Faloutsos 2004) with the probabilities of Graph500.
#include <stdlib.h>

#include "random.h"
#include "workload.h"

enum { EDGES_PER_VERTEX = 8, UNREACHED = -1 };

struct edge {
  uint32_t from, to;
};

static struct edge* edges;    // as they were made, each once
static uint32_t* neighbours;  // of vertex v: neighbours[offsets[v]] up to offsets[v + 1]
static uint32_t* offsets;
static int32_t *level, *parent;
static uint32_t* queue;
static uint32_t root;

static uint64_t edges_of(const struct settings* settings) { return settings->size * EDGES_PER_VERTEX; }

// Each bit of both ends picks a quarter of the adjacency matrix: 57, 19, 19 and 5 in a hundred.
static struct edge random_edge(uint64_t vertices, uint64_t* number) {
  struct edge edge = {0, 0};
  for (uint64_t bit = 1; bit < vertices; bit <<= 1) {
    *number = random_next(*number);
    const uint64_t percent = random_below(*number, 100);
    if (percent >= 76) edge.from |= (uint32_t)bit;
    if ((percent >= 57 && percent < 76) || percent >= 95) edge.to |= (uint32_t)bit;
  }
  return edge;
}

static void prepare(const struct settings* settings) {
  const uint64_t vertices = settings->size, count = edges_of(settings);
  edges = take(count * sizeof *edges);
  neighbours = take(2 * count * sizeof *neighbours);
  offsets = take((vertices + 2) * sizeof *offsets);
  level = take(vertices * sizeof *level);
  parent = take(vertices * sizeof *parent);
  queue = take(vertices * sizeof *queue);
  uint64_t number = random_start(settings->seed);
  for (uint64_t i = 0; i < count; ++i) {
    edges[i] = random_edge(vertices, &number);
    ++offsets[edges[i].from + 2];
    ++offsets[edges[i].to + 2];
  }
  for (uint64_t v = 0; v < vertices; ++v) offsets[v + 2] += offsets[v + 1];
  for (uint64_t i = 0; i < count; ++i) {  // moves each offset to where the next vertex begins
    neighbours[offsets[edges[i].from + 1]++] = edges[i].to;
    neighbours[offsets[edges[i].to + 1]++] = edges[i].from;
  }
  // An end of an edge, so that there is something to search.
  root = edges[random_below(random_next(number), count)].from;
}

// Edges looked at.
static uint64_t search(uint64_t vertices) {
  for (uint64_t v = 0; v < vertices; ++v) level[v] = UNREACHED;
  uint64_t head = 0, tail = 0, looked_at = 0;
  queue[tail++] = root;
  level[root] = 0;
  parent[root] = (int32_t)root;
  while (head < tail) {
    const uint32_t vertex = queue[head++];
    const uint32_t end = offsets[vertex + 1];
    for (uint32_t i = offsets[vertex]; i < end; ++i, ++looked_at) {
      const uint32_t neighbour = neighbours[i];
      if (level[neighbour] == UNREACHED) {
        level[neighbour] = level[vertex] + 1;
        parent[neighbour] = (int32_t)vertex;
        queue[tail++] = neighbour;
      }
    }
  }
  return looked_at;
}

static struct work run(const struct settings* settings) {
  uint64_t looked_at = 0;
  for (uint64_t i = 0; i < settings->iterations; ++i) looked_at += search(settings->size);
  const uint64_t of_vertices = settings->iterations * settings->size * sizeof *level;
  return (struct work){looked_at, looked_at * (sizeof *neighbours + sizeof *level) + of_vertices};
}

static struct result result(const struct settings* settings) {
  return (struct result){level, settings->size * sizeof *level};
}

// As Graph500 does it, by the list of edges. No edge joins levels that differ by more than one: no level is too large.
// Each vertex but the root has a neighbour one level below, and the levels end at the root: none is too small.
static bool check(const struct settings* settings) {
  char* has_parent = take(settings->size);
  bool right = level[root] == 0;
  for (uint64_t i = 0; i < edges_of(settings); ++i) {
    const uint32_t from = edges[i].from, to = edges[i].to;
    right &= (level[from] == UNREACHED) == (level[to] == UNREACHED) && abs(level[from] - level[to]) <= 1;
    has_parent[from] |= parent[from] == (int32_t)to && level[from] == level[to] + 1;
    has_parent[to] |= parent[to] == (int32_t)from && level[to] == level[from] + 1;
  }
  for (uint64_t v = 0; v < settings->size; ++v) right &= v == root || (level[v] == UNREACHED) == !has_parent[v];
  return right;
}

const struct workload bfs = {
    .name = "bfs",
    .summary = "breadth-first search in an R-MAT graph with 8 edges for each vertex",
    .size_unit = "vertices",
    .operation = "neighbour looked at",
    .size = {1 << 14, 1 << 8, 2, 1 << 24},
    .iterations = {1, 1, 1, 1 << 20},
    .power_of_two = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
