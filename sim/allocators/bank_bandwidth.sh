# SPDX-License-Identifier: Apache-2.0
# Loads that miss their rows, by each of $HARTS harts, from the banks $BANKS, or from where Linux puts the pages without.

place all "$BANKS"

for harts in $HARTS; do
  echo "measured: harts=$harts"
  (join all; timed chase --threads "$harts" --size 262144 --iterations "$ITERATIONS") || exit
done
