# SPDX-License-Identifier: Apache-2.0
# Four workloads, each on a hart of its own, under each of the refresh policies $REFRESHES; the one on hart 0 is timed. With
# $RANKS=own the pages of each lie in a rank of its own but for each of $ERRORS percent of them, with $RANKS=all where Linux
# puts them. $COUNTED is the policy under which it is counted what the harts wait for. $TIMINGS and $POLICIES are the memory's.

set_up timings $TIMINGS
set_up policies $POLICIES
rank=:
if [ "$RANKS" = own ]; then
  echo approximate >"$page_colour/rank_mode" || exit
  rank='echo $hart >/proc/self/page_rank || exit'
fi
on_hart() { hart=$1; eval "$rank"; }

for error in $ERRORS; do
  [ -z "$neighbours" ] || neighbours_end
  echo "$error" >"$page_colour/rank_error" || exit
  meetings="--meet /meeting$error=4"
  for hart in 1 2 3; do neighbour "$hart" $WORKLOAD; done
  for refresh in $REFRESHES; do
    echo "$refresh" >"$weir/policies/refresh_policy" || exit
    echo "measured: error=$error refresh=$refresh"
    case " $COUNTED " in
      # weirstat forks, and what is written to page_rank is kept over exec alone
      *" $refresh "*)
        (counted sh -c 'hart=0; eval "$0"; exec "$@"' "$rank" $WORKLOAD --hart 0 --iterations "$ITERATIONS") || exit
        ;;
      *) (on_hart 0; timed $WORKLOAD --hart 0 --iterations "$ITERATIONS") || exit ;;
    esac
    meetings=
  done
done
