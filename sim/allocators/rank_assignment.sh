# SPDX-License-Identifier: Apache-2.0
# Four workloads, each on a hart of its own, under each of the refresh policies $REFRESHES; the one on hart 0 is timed. With
# $RANKS=own the kernel's Rank Assignment gives each of them a rank of its own, but for each of $ERRORS percent of its pages; with
# $RANKS=all Linux puts them into all ranks in turn. $COUNTED is the policy under which it is counted what the harts wait for.
# $TIMINGS and $POLICIES are the memory's.

set_up timings $TIMINGS
set_up policies $POLICIES
assignment=/sys/kernel/mm/rank_assignment
if [ "$RANKS" = own ]; then
  # No load is read again meanwhile: each rank gets one process before any gets the next, always in the same order.
  echo 60000 >$assignment/interval_ms || exit
  echo 1 >$assignment/enabled || exit
fi

# until_fourth PROCESSES: makes processes that end, until the last of as many that follow is a fourth one, as the neighbours were
# the first three of four
until_fourth() {
  while [ $(((processes + $1) % 4)) -ne 0 ]; do
    (:)
    processes=$((processes + 1))
  done
  processes=$((processes + $1))
}

for error in $ERRORS; do
  [ -z "$neighbours" ] || neighbours_end
  echo "$error" >$assignment/error_percent || exit
  meetings="--meet /meeting$error=4"
  for hart in 1 2 3; do neighbour "$hart" $WORKLOAD; done
  processes=3
  for refresh in $REFRESHES; do
    echo "$refresh" >"$weir/policies/refresh_policy" || exit
    echo "measured: error=$error refresh=$refresh"
    case " $COUNTED " in
      # weirstat is a process, and the workload is its child
      *" $refresh "*) until_fourth 2; (counted $WORKLOAD --hart 0 --iterations "$ITERATIONS") || exit ;;
      *) until_fourth 1; (timed $WORKLOAD --hart 0 --iterations "$ITERATIONS") || exit ;;
    esac
    meetings=
  done
done
