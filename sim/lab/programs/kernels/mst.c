// SPDX-License-Identifier: Apache-2.0
// A spanning forest of least weight of a graph of SIZE vertices and four edges by chance for each, by Kruskal's way, as
// PBBS's MST: edges by their weights, and trees joined. A round has new weights.
#include "kernel.h"

enum { EDGES = 4 };

typedef struct {
  uint64_t weight;
  uint32_t from, to;
} Edge;

static int by_weight(const void* one, const void* other) {
  const uint64_t a = ((const Edge*)one)->weight, b = ((const Edge*)other)->weight;
  return (a > b) - (a < b);
}

static uint32_t root_of(uint32_t* parent, uint32_t vertex) {
  while (parent[vertex] != vertex) {
    parent[vertex] = parent[parent[vertex]];
    vertex = parent[vertex];
  }
  return vertex;
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 2, 1 << 28);
  const uint64_t vertices = given.size, edges = vertices * EDGES;
  Edge* edge = memory(edges, sizeof *edge);
  uint32_t* parent = memory(vertices, sizeof *parent);
  uint64_t state = 1, joined = 0;
  double weight = 0;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    for (uint64_t number = 0; number < edges; number++)
      edge[number] = (Edge){chance(&state), (uint32_t)below(&state, vertices), (uint32_t)below(&state, vertices)};
    for (uint32_t vertex = 0; vertex < vertices; vertex++) parent[vertex] = vertex;
    qsort(edge, edges, sizeof *edge, by_weight);
    joined = 0;
    weight = 0;
    for (uint64_t number = 0; number < edges; number++) {
      const uint32_t one = root_of(parent, edge[number].from), other = root_of(parent, edge[number].to);
      if (one == other) continue;
      parent[one] = other;
      joined++;
      weight += (double)edge[number].weight * 0x1p-64;
    }
  }
  // how many trees there must be: edges of any order join as many, here the heaviest first
  uint64_t trees = vertices;
  for (uint32_t vertex = 0; vertex < vertices; vertex++) parent[vertex] = vertex;
  for (uint64_t number = edges; number-- > 0;) {
    const uint32_t one = root_of(parent, edge[number].from), other = root_of(parent, edge[number].to);
    trees -= one != other;
    parent[one] = other;
  }
  return end("mst", joined + trees == vertices, weight);
}
