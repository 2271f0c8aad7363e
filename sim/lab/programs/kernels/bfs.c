// SPDX-License-Identifier: Apache-2.0
// Breadth-first searches of a graph of 2^SIZE vertices, sixteen edges for each, that Graph500's generator (Kronecker,
// R-MAT) draws. A round is a search from a vertex by chance.
#include "kernel.h"

enum { EDGES = 16, NONE = -1 };

typedef struct {
  uint64_t vertices;
  uint64_t* begin;
  uint32_t* neighbour;
} Graph;

static void edge(uint64_t* state, uint64_t bits, uint32_t* from, uint32_t* to) {
  *from = *to = 0;
  for (uint64_t bit = 0; bit < bits; bit++) {
    const double draw = fraction(state);  // quarters of 0.57, 0.19, 0.19 and 0.05
    *from = *from << 1 | (draw >= 0.76);
    *to = *to << 1 | ((draw >= 0.57 && draw < 0.76) || draw >= 0.95);
  }
}

static Graph draw(uint64_t bits) {
  const uint64_t vertices = (uint64_t)1 << bits, edges = vertices * EDGES;
  Graph graph = {vertices, memory(vertices + 2, sizeof(uint64_t)), memory(2 * edges, sizeof(uint32_t))};
  uint32_t *from = memory(edges, sizeof *from), *to = memory(edges, sizeof *to);
  uint64_t state = 1;
  for (uint64_t number = 0; number < edges; number++) {
    edge(&state, bits, &from[number], &to[number]);
    graph.begin[from[number] + 2]++;
    graph.begin[to[number] + 2]++;
  }
  for (uint64_t vertex = 1; vertex < vertices + 2; vertex++) graph.begin[vertex] += graph.begin[vertex - 1];
  for (uint64_t number = 0; number < edges; number++) {
    graph.neighbour[graph.begin[from[number] + 1]++] = to[number];
    graph.neighbour[graph.begin[to[number] + 1]++] = from[number];
  }
  free(from);
  free(to);
  return graph;
}

// The vertices that are found, in their order, into `queue`, with the one that each was found from.
static uint64_t search(const Graph* graph, uint32_t root, int64_t* parent, uint32_t* queue) {
  for (uint64_t vertex = 0; vertex < graph->vertices; vertex++) parent[vertex] = NONE;
  uint64_t found = 0;
  parent[root] = root;
  queue[found++] = root;
  for (uint64_t next = 0; next < found; next++) {
    const uint32_t vertex = queue[next];
    for (uint64_t at = graph->begin[vertex]; at < graph->begin[vertex + 1]; at++) {
      const uint32_t other = graph->neighbour[at];
      if (parent[other] != NONE) continue;
      parent[other] = vertex;
      queue[found++] = other;
    }
  }
  return found;
}

// Graph500's: the depths of the ends of an edge differ by one at most, and an edge does not leave what is found.
static bool right(const Graph* graph, uint32_t root, const int64_t* parent, const uint32_t* queue, uint64_t found,
                  uint32_t* depth) {
  depth[root] = 0;
  for (uint64_t next = 1; next < found; next++) depth[queue[next]] = depth[parent[queue[next]]] + 1;
  for (uint64_t next = 0; next < found; next++) {
    const uint32_t vertex = queue[next];
    for (uint64_t at = graph->begin[vertex]; at < graph->begin[vertex + 1]; at++) {
      const uint32_t other = graph->neighbour[at];
      if (parent[other] == NONE || depth[other] + 1 < depth[vertex] || depth[vertex] + 1 < depth[other]) return false;
    }
  }
  return true;
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 1, 28);
  const Graph graph = draw(given.size);
  int64_t* parent = memory(graph.vertices, sizeof *parent);
  uint32_t *queue = memory(graph.vertices, sizeof *queue), *depth = memory(graph.vertices, sizeof *depth);
  uint64_t state = 2, found = 0;
  uint32_t root = 0;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    do root = (uint32_t)below(&state, graph.vertices);
    while (graph.begin[root] == graph.begin[root + 1]);
    found = search(&graph, root, parent, queue);
  }
  return end("bfs", right(&graph, root, parent, queue, found, depth), (double)found);
}
