// SPDX-License-Identifier: Apache-2.0
package weir.dfi

import chisel3._
import chisel3.util.Valid
import weir.channel.{ColumnCommand, CommandPhases}
import weir.config.WeirConfig

/** Drives the ODT pin of each rank by the read and write commands, clock by clock, as JESD79-3F 5.2 and 5.3 and JESD79-4B 5
  * have it. A pin acts on the chips' termination ODTLon = ODTLoff = CWL - 2 clocks later (no additive latency), so a pin
  * that is high for the six clocks of ODTH8 holds the termination from two clocks before a burst of eight to its end.
  *
  *   - A write: the pin of its rank is high from the command on, which lets the chips terminate with RTT_WR where mode
  *     register 2 has that on, else with RTT_NOM. So is the pin of the rank that terminates beside it, with RTT_NOM.
  *   - A read: its own rank drives the bus, and its pin stays low. The rank that terminates beside it has its pin high from
  *     CL - CWL clocks after the command on, which is two clocks before the data, in time.
  *
  * Beside a rank terminates the one half of the ranks away: of two ranks the other, of four one on the other module. What
  * follows of JEDEC's and the channel's constraints: a rank's pin is low early enough before its own reads, as their data
  * leave the bus tRTRS after the other's burst.
  *
  * DDR4 chips leave their termination off during their own reads by themselves, and RTT_PARK needs no pin.
  *
  * Combinational from `column` to the pins of its own cycle; registers for those after it. One rank and two phases take
  * three flip-flops and two LUTs; configs without [[weir.config.WeirConfig.odtByCommand]] have none of it.
  */
class OnDieTermination(config: WeirConfig) extends Module {
  private val geometry = config.geometry
  private val chips    = geometry.electrical
  private val phases   = config.phy.phases
  private val slots    = CommandPhases(config)
  private val timing   = config.timing

  val io = IO(new Bundle {

    /** The read or write of this cycle. */
    val column = Input(Valid(new ColumnCommand(geometry)))

    /** N phases side by side, phase 0 lowest, each of R ranks (pseudo-ranks not counted). */
    val odt = Output(UInt((phases * chips.ranks).W))
  })

  /** ODTH8: clocks for which the pin stays high after a write of a burst of eight (JESD79-3F table 24). */
  private val hold = 6

  private def selects(rank: Int): Bool = if (chips.ranks == 1) true.B else io.column.bits.rank === rank.U

  /** An event of this cycle, and of as many cycles before as anyone looks at. */
  private class History(now: Bool) {
    private val past           = collection.mutable.ArrayBuffer(now)
    def ago(cycles: Int): Bool = {
      while (past.size <= cycles) past += RegNext(past.last, false.B)
      past(cycles)
    }

    /** Whether the clock of a phase of this cycle is one of the `hold` clocks from `first` clocks after phase 0 of the event. */
    def covers(phase: Int, first: Int): Seq[Bool] =
      for (
        cycles <- 0 to (first + hold) / phases; clock = cycles * phases + phase;
        if clock >= first && clock < first + hold
      )
        yield ago(cycles)
  }

  private val write = io.column.valid && io.column.bits.write
  private val read  = io.column.valid && !io.column.bits.write

  // a rank and the one beside it terminate the same writes
  private val pairs  = (chips.ranks / 2).max(1)
  private val writes =
    Seq.tabulate(pairs)(pair => new History(write && (if (pairs == 1) true.B else io.column.bits.rank(0) === pair.U)))
  private val reads = Seq.tabulate(chips.ranks)(rank => new History(read && selects(rank)))

  private val pins =
    for (phase <- 0 until phases; rank <- 0 until chips.ranks) yield {
      val beside =
        if (chips.ranks == 1) Seq()
        else reads((rank + pairs) % chips.ranks).covers(phase, slots.read + timing.cl - timing.cwl)
      (writes(rank % pairs).covers(phase, slots.write) ++ beside).reduce(_ || _)
    }
  io.odt := VecInit(pins).asUInt
}
