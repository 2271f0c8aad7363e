// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.place.{AddressMaps, Masks, PlaceBits, PlaceNumbers}

/** The registers of the address map: which map is in force, the masks of one to come, and the masks of that in force.
  *
  * Masks are over byte addresses counted from the first byte of memory, 64 bits in two registers each, a mask for each
  * bit of channel, rank, bank group and bank (and, of the map in force, of column and row), at offsets that are the
  * same in every config.
  */
object MapRegisters {
  val firstOffset   = 0x180
  val inForceOffset = 0x200
  val inForceEnd    = inForceOffset + 8 * PlaceNumbers.count

  /** Parts whose masks software may choose. */
  private val chosen = Seq("channel", "rank", "bank_group", "bank")

  /** The register that says which map is in force, and where it may be changed the masks of the programmable one. */
  def apply(config: WeirConfig): Seq[Register] = {
    val placement = config.placement
    val number    = AddressMaps.number(placement.map)
    val bits      = AddressMaps.numberBits
    val map       = AddressMaps.named(placement.map)
    val isFixed   = AddressMaps.fixed.contains(map)
    val maps      = if (isFixed) Seq(map) else AddressMaps.choosable
    val names     =
      maps.map(map => map.name -> AddressMaps.number(map.name)) ++ Option.unless(isFixed)(AddressMaps.programmable)
    val meaning = maps.map(map => s"${map.name}: ${map.description}.").mkString(" ")
    if (!placement.readable) Seq()
    else if (!placement.programmable)
      Seq(
        Register(
          "address_map",
          firstOffset,
          "The address map.",
          Seq(Field.readOnly("map", 0, bits, number, s"The map in force. $meaning", names))
        )
      )
    else
      Register(
        "address_map",
        firstOffset,
        "The address map. A write puts the map in force for all accesses that are placed from then on, at once: what memory " +
          "holds then has other addresses. The masks of the programmable map are taken with it, and refused if one of them is " +
          "the XOR of others.",
        Seq(
          Field.readWrite(
            "map",
            0,
            bits,
            number,
            0,
            AddressMaps.programmable._2,
            s"The map. $meaning ${AddressMaps.programmable._1}: each bit of channel, rank, bank group and bank is the XOR of " +
              "the address bits that its mask register chooses.",
            names
          )
        )
      ) +: masks(config)
  }

  /** Names of the two fields that hold each mask of the programmable map, with the lowest address bit of each, by channel,
    * rank and bank (the bank group above the bank), lowest bit first.
    */
  def maskFields(config: WeirConfig): Seq[Seq[(String, Int)]] =
    for {
      part <- Seq("channel", "rank", "bank", "bank_group")
      bit  <- 0 until PlaceNumbers.bits(config, part)
    } yield halves(config).map { case (half, low, _) => (s"${maskName(part, bit, half)}.mask", low) }

  /** The two halves of a mask: name, lowest and highest address bit in it. */
  private def halves(config: WeirConfig): Seq[(String, Int, Int)] = {
    val low  = log2Ceil(config.geometry.lineBytes)
    val high = low + config.lineAddressBits - 1
    Seq(("low", low, high.min(31))) ++ Option.when(high >= 32)(("high", 32, high))
  }

  private def maskName(part: String, bit: Int, half: String): String = s"mask_$part${bit}_$half"

  private def masks(config: WeirConfig): Seq[Register] = {
    val bits    = new PlaceBits(config)
    val start   = AddressMaps.named(config.placement.map).masks(bits)
    val byte    = log2Ceil(config.geometry.lineBytes)
    val perPart = resets(config, start)
    for {
      part              <- chosen
      bit               <- 0 until PlaceNumbers.bits(config, part)
      (half, low, high) <- halves(config)
    } yield {
      val offset = firstOffset + 8 + 8 * (PlaceNumbers.first(part) + bit) + (if (half == "high") 4 else 0)
      val width  = high - low + 1
      val reset  = ((perPart(part)(bit) << byte) >> low) & ((BigInt(1) << width) - 1)
      Register(
        maskName(part, bit, half),
        offset,
        s"Bit $bit of the $part in the programmable map, address bits ${if (half == "low") "31:0" else "63:32"}. In force only " +
          "once address_map is written.",
        Seq(
          Field.readWrite(
            "mask",
            low % 32,
            width,
            reset,
            0,
            (BigInt(1) << width) - 1,
            s"Address bits $high:$low of which the bit is the XOR."
          )
        )
      )
    }
  }

  private def resets(config: WeirConfig, map: Masks): Map[String, Seq[BigInt]] = {
    val (bank, group) = map.bank.splitAt(PlaceNumbers.bits(config, "bank"))
    Map("channel" -> map.channel, "rank" -> map.rank, "bank" -> bank, "bank_group" -> group)
  }

  /** The masks of the map in force, a block for each part that the config has. */
  def inForce(config: WeirConfig): Seq[RegisterBlock] =
    for ((part, _) <- PlaceNumbers.parts if PlaceNumbers.bits(config, part) > 0)
      yield RegisterBlock(
        s"map_$part",
        inForceOffset + 8 * PlaceNumbers.first(part),
        s"The address bits of which each bit of the $part is the XOR in the map in force, counted from the first byte of memory.",
        Seq(PlaceNumbers.bits(config, part)),
        Seq(("low", "31:0"), ("high", "63:32")).zipWithIndex.map { case ((half, range), which) =>
          Register(
            s"mask_$half",
            4 * which,
            s"Address bits $range.",
            Seq(Field.readOnly("value", 0, 32, 0, s"Bits $range."))
          )
        }
      )
}
