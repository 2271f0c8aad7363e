// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.channel.TimingControl
import weir.config.WeirConfig

/** The registers of the timings, one for each field of [[weir.channel.TimingControl]], in DRAM clocks. The preset is the
  * part's own value; a write may only make the DRAM slower than that, never violate it: timings may grow, the refresh and
  * ZQ calibration intervals may shrink. The refresh interval may shrink to a quarter: in any two tREFI of the part at most
  * 16 refreshes may come (JESD79-3F 4.14.2, JESD79-4B 4.26), and eight that were owed may add to those that fall due.
  */
object TimingRegisters {
  val firstOffset = 0x040

  /** Which direction from the preset is safe. */
  private sealed trait Safe
  private case object Longer  extends Safe
  private case object Shorter extends Safe

  private case class Entry(name: String, preset: Int, safe: Safe, description: String)

  def apply(config: WeirConfig): Seq[Register] = {
    val timing  = config.timing
    val entries = Seq(
      Entry("tRCD", timing.tRCD, Longer, "Activate to column command"),
      Entry("tRP", timing.tRP, Longer, "Precharge to activate"),
      Entry("tRAS", timing.tRAS, Longer, "Activate to precharge"),
      Entry("tRC", timing.tRC, Longer, "Activate to activate of the same bank"),
      Entry("tRRD_S", timing.tRRD_S, Longer, "Activate to activate, same rank, another bank group"),
      Entry("tRRD_L", timing.tRRD_L, Longer, "Activate to activate, same rank, same bank group"),
      Entry("tFAW", timing.tFAW, Longer, "Window that holds at most four activates of a rank"),
      Entry("tCCD_S", timing.tCCD_S, Longer, "Column to column command, same rank, another bank group"),
      Entry("tCCD_L", timing.tCCD_L, Longer, "Column to column command, same rank, same bank group"),
      Entry("tWTR_S", timing.tWTR_S, Longer, "End of write data to read command, same rank, another bank group"),
      Entry("tWTR_L", timing.tWTR_L, Longer, "End of write data to read command, same rank, same bank group"),
      Entry("tRTP", timing.tRTP, Longer, "Read command to precharge"),
      Entry("tWR", timing.tWR, Longer, "End of write data to precharge"),
      Entry("tRTRS", timing.tRTRS, Longer, "Gap on the data bus between bursts of two ranks"),
      Entry("tRFC", timing.tRFC, Longer, "Refresh to any command of that rank"),
      Entry("tREFI", timing.tREFI, Shorter, "Average time between refreshes of a rank"),
      Entry("tZQCS", timing.tZQCS, Longer, "Short ZQ calibration to any command of that rank"),
      Entry(
        "zqInterval",
        timing.zqInterval,
        Shorter,
        "Refreshes of a rank between two of its short ZQ calibrations; 0 where the preset calibrates never"
      )
    ) ++
      (if (!config.fineRefresh) Seq()
       else
         Seq(
           Entry("tRFC2", timing.tRFC2, Longer, "Refresh of 2x granularity to any command of that rank"),
           Entry("tRFC4", timing.tRFC4, Longer, "Refresh of 4x granularity to any command of that rank")
         ))
    val widths = (new TimingControl).elements.view.mapValues(_.getWidth)
    entries.zipWithIndex.map { case (entry, number) =>
      val bits     = widths(entry.name)
      val greatest = (BigInt(1) << bits) - 1
      val unit     = if (entry.name == "zqInterval") "" else ", in DRAM clocks"
      val text     = s"${entry.description}$unit. Preset ${entry.preset}: ${timing.source}."
      val field    =
        if (!config.policies.programmableTimings) Field.readOnly("value", 0, bits, entry.preset, text)
        else {
          // 0 is no time at all, and stands only for an interval that the preset leaves out
          val (minimum, maximum) = entry.safe match {
            // beyond JEDEC a part of a refresh takes no recovery time of its own
            case Longer if config.policies.beyondJedec && entry.name.matches("tRFC[24]") =>
              val parts = entry.name.last.asDigit
              (BigInt(entry.preset.min((timing.tRFC + parts - 1) / parts)), greatest)
            case Longer                             => (BigInt(entry.preset), greatest)
            case Shorter if (entry.preset == 0)     => (BigInt(0), greatest)
            case Shorter if (entry.name == "tREFI") => (BigInt((entry.preset + 3) / 4), BigInt(entry.preset))
            case Shorter                            => (BigInt(1), BigInt(entry.preset))
          }
          Field.readWrite("value", 0, bits, entry.preset, minimum, maximum, text)
        }
      Register(entry.name, firstOffset + 4 * number, s"Timing ${entry.name}.", Seq(field))
    }
  }
}
