// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util._
import weir.channel.ChannelEvents
import weir.config.WeirConfig

/** Counts the channels' events ([[EventCounters]] lists what) and shows a snapshot of all counters.
  *
  * Wide registers for every counter and its snapshot would outweigh the controller. Instead each counter has a tally of
  * a few bits that events increment, all of them in the same cycle if they occur so, and a slot of a memory, into which
  * the tallies are emptied one by one, round and round. A tally is wide enough for one whole round, so nothing is lost.
  *
  * A snapshot must hold all counters as they were in one cycle. It copies the tallies at once and the memory on demand:
  * the first time that a slot is written after the snapshot, its old value is kept in a second memory.
  */
class Observe(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val events   = Input(Vec(config.channels, new ChannelEvents(config)))
    val counters = Flipped(new CounterPort(config))
  })

  private val growths = for {
    group   <- EventCounters.groups(config)
    place   <- group.places
    counter <- group.counters
  } yield (counter.most, counter.growth(io.events, place))
  private val count = growths.size
  private val bits  = config.observation.counterBits

  /** The counter whose tally is emptied in this cycle, and whether its slot was never written before. */
  private val (turn, lastTurn) = Counter(true.B, count)
  private val firstRound       = RegInit(true.B)
  when(lastTurn)(firstRound := false.B)

  private val tallies = growths.zipWithIndex.map { case ((most, growth), number) =>
    val tally = RegInit(0.U(log2Ceil(count * most + 1).W))
    tally := Mux(turn === number.U, 0.U, tally) + growth
    tally
  }

  private val totals = Mem(count, UInt(bits.W))
  private val before = Mux(firstRound, 0.U, totals(turn))
  private val after  = before +& VecInit(tallies)(turn)
  totals(turn) := after(bits - 1, 0)

  private val wrapped = RegInit(false.B)
  wrapped             := (wrapped && !io.counters.clearWrapped) || after(bits)
  io.counters.wrapped := wrapped

  // The reset values make a snapshot of the moment of reset: every counter zero.
  private val keptTotals  = Mem(count, UInt(bits.W))
  private val isKept      = RegInit(0.U(count.W))
  private val keptTallies = tallies.map(tally => RegEnable(tally, 0.U(tally.getWidth.W), io.counters.latch))
  when(io.counters.latch || !isKept(turn))(keptTotals(turn) := before)
  isKept := Mux(io.counters.latch, 0.U, isKept) | UIntToOH(turn, count)

  private val index     = io.counters.index
  private val everAdded = !firstRound || index < turn
  private val total     = Mux(isKept(index), keptTotals(index), Mux(everAdded, totals(index), 0.U))
  io.counters.value := total + VecInit(keptTallies)(index)
}
