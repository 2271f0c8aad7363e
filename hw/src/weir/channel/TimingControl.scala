// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.channel.refresh.RefreshTime
import weir.config.WeirConfig
import weir.registers.{RegisterBundle, Relation}

/** Timings in force, in DRAM clocks; fields as in [[weir.device.Timing]]. `cl` and `cwl` follow from the mode registers
  * and the PHY and are no run-time choice, so they are not here.
  *
  * The preset is the part's own value; a write may only make the DRAM slower than that, never violate it: timings may grow,
  * the refresh and ZQ calibration intervals may shrink. The refresh interval may shrink to a quarter: in any two tREFI of
  * the part at most 16 refreshes may come (JESD79-3F 4.14.2, JESD79-4B 4.26), and eight that were owed may add to those
  * that fall due; where fewer may be owed it may shrink less ([[weir.channel.refresh.RefreshTime.leastInterval]]).
  */
class TimingControl(config: WeirConfig) extends RegisterBundle {
  private val part      = config.timing
  private val firstByte = 0x040

  /** Whether there are short ZQ calibrations. */
  private val calibrates = config.standard.zqInterval > 0

  private def timing(
      number: Int,
      name: String,
      bits: Int,
      preset: Int,
      minimum: BigInt,
      maximum: BigInt,
      description: String
  ): UInt = register(name, firstByte + 4 * number, s"Timing $name.").setting(
    "value",
    0,
    bits,
    preset,
    minimum,
    maximum,
    s"$description. Preset $preset: ${part.source}.",
    writable = config.policies.programmableTimings
  )

  private def greatest(bits: Int): BigInt = (BigInt(1) << bits) - 1

  /** A timing that may grow. */
  private def longer(number: Int, name: String, preset: Int, bits: Int, description: String): UInt =
    timing(number, name, bits, preset, preset, greatest(bits), s"$description, in DRAM clocks")

  /** The time of a refresh in so many parts; beyond JEDEC a part takes no recovery time of its own. */
  private def partOfRefresh(number: Int, name: String, preset: Int, parts: Int): UInt =
    if (!config.fineRefresh) fixed(UInt(12.W), preset)
    else {
      val least = if (config.policies.beyondJedec) preset.min((part.tRFC + parts - 1) / parts) else preset
      val text  = s"Refresh of ${parts}x granularity to any command of that rank, in DRAM clocks"
      timing(number, name, 12, preset, least, greatest(12), text)
    }

  /** An interval of `preset` that may shrink to `least`; 0 stands only for one that the part does not have. */
  private def shorter(number: Int, name: String, preset: Int, bits: Int, least: Int, description: String): UInt =
    if (preset == 0) timing(number, name, bits, 0, 0, greatest(bits), description)
    else timing(number, name, bits, preset, least, preset, description)

  val tRCD   = longer(0, "tRCD", part.tRCD, 8, "Activate to column command")
  val tRP    = longer(1, "tRP", part.tRP, 8, "Precharge to activate")
  val tRAS   = longer(2, "tRAS", part.tRAS, 8, "Activate to precharge")
  val tRC    = longer(3, "tRC", part.tRC, 8, "Activate to activate of the same bank")
  val tRRD_S = longer(4, "tRRD_S", part.tRRD_S, 8, "Activate to activate, same rank, another bank group")
  val tRRD_L = longer(5, "tRRD_L", part.tRRD_L, 8, "Activate to activate, same rank, same bank group")
  val tFAW   = longer(6, "tFAW", part.tFAW, 8, "Window that holds at most four activates of a rank")
  val tCCD_S = longer(7, "tCCD_S", part.tCCD_S, 8, "Column to column command, same rank, another bank group")
  val tCCD_L = longer(8, "tCCD_L", part.tCCD_L, 8, "Column to column command, same rank, same bank group")
  val tWTR_S = longer(9, "tWTR_S", part.tWTR_S, 8, "End of write data to read command, same rank, another bank group")
  val tWTR_L = longer(10, "tWTR_L", part.tWTR_L, 8, "End of write data to read command, same rank, same bank group")
  val tRTP   = longer(11, "tRTP", part.tRTP, 8, "Read command to precharge")
  val tWR    = longer(12, "tWR", part.tWR, 8, "End of write data to precharge")
  val tRTRS  = longer(13, "tRTRS", part.tRTRS, 8, "Gap on the data bus between bursts of two ranks")
  val tRFC   = longer(14, "tRFC", part.tRFC, 12, "Refresh to any command of that rank")
  val tREFI  = shorter(
    15,
    "tREFI",
    part.tREFI,
    16,
    RefreshTime.leastInterval(config),
    "Average time between refreshes of a rank, in DRAM clocks"
  )
  val tZQCS =
    if (calibrates) longer(16, "tZQCS", part.tZQCS, 12, "Short ZQ calibration to any command of that rank")
    else fixed(UInt(12.W), part.tZQCS)
  val zqInterval =
    if (calibrates)
      shorter(
        17,
        "zqInterval",
        part.zqInterval,
        20,
        1,
        "Refreshes of a rank between two of its short ZQ calibrations; 0 where the preset calibrates never"
      )
    else fixed(UInt(20.W), 0)
  val tRFC2 = partOfRefresh(18, "tRFC2", part.tRFC2, 2)
  val tRFC4 = partOfRefresh(19, "tRFC4", part.tRFC4, 4)

  val tCCD_L_WR =
    part.tCCD_L_WR.map(longer(20, "tCCD_L_WR", _, 8, "Write to write command, same rank, same bank group"))
  val tREFSBRD =
    part.tREFSBRD.map(
      longer(21, "tREFSBRD", _, 8, "Refresh of a set of banks to activate of another bank of that rank")
    )

  override def relations: Seq[Relation] = RefreshTime.relations(config)

  /** The field of a name. */
  def apply(name: String): UInt = elements(name).asInstanceOf[UInt]
}
