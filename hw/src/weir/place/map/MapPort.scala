// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.device.Geometry
import weir.registers.{Field, Register, RegisterBlock, RegisterBundle, WriteError}

/** The bits of a place in the order in which software reads their masks, each at a number that is the same in every config:
  * as many numbers as the widest config has bits, of which narrower ones leave some unused.
  */
object PlaceNumbers {

  /** Name and numbers of each part: bank bits are those within the bank group, column bits those that DRAM gets. */
  val parts: Seq[(String, Int)] =
    Seq("channel" -> 1, "rank" -> 2, "bank_group" -> 2, "bank" -> 4, "column" -> 11, "row" -> 18)

  val count: Int = parts.map(_._2).sum

  /** The two parts of the number of a bank, the lower first. */
  def ofBank(geometry: Geometry): Seq[String] =
    if (geometry.bankAboveGroup) Seq("bank_group", "bank") else Seq("bank", "bank_group")

  /** First number of a part. */
  def first(part: String): Int = parts.takeWhile(_._1 != part).map(_._2).sum

  /** Bits that a part has in a config. */
  def bits(config: WeirConfig, part: String): Int = {
    import config.geometry
    Map(
      "channel"    -> config.channelBits,
      "rank"       -> geometry.rankBits,
      "bank_group" -> geometry.bankGroupBits,
      "bank"       -> (geometry.bankBits - geometry.bankGroupBits),
      "column"     -> geometry.columnBits,
      "row"        -> geometry.rowBits
    )(part)
  }
}

/** The registers of the address map: which map is in force, the masks of one to come, and the masks of that in force.
  * Directions as `regs` sees them.
  *
  * Masks are over byte addresses counted from the first byte of memory, 64 bits in two registers each, a mask for each bit of
  * channel, rank, bank group and bank (and, of the map in force, of column and row), at offsets that are the same in every
  * config.
  */
class MapPort(config: WeirConfig) extends RegisterBundle {
  private val placement = config.placement

  feature("programmable_map", 2, 1, if (placement.programmable) 1 else 0, "The address map can be changed.")

  /** The mask of a bit of the place, by [[PlaceNumbers]], in the same cycle; zero where the config has no such bit. */
  val inForce = Option.when(placement.readable)(
    wordsOf(MapPort.inForceByte, MapPort.inForce(config), log2Ceil(PlaceNumbers.count), latency = 0)
  )

  /** Where software may change the map. */
  val choice = Option.when(placement.programmable)(new MapChoicePort(config))

  if (placement.readable && !placement.programmable)
    register("address_map", MapPort.firstByte, "The address map.").constant(
      "map",
      0,
      AddressMaps.numberBits,
      AddressMaps.number(placement.map),
      s"The map in force. ${MapPort.meaning(config)}",
      MapPort.names(config)
    )
}

object MapPort {
  private[place] val firstByte   = 0x180
  private[place] val inForceByte = 0x200

  private[place] def meaning(config: WeirConfig): String =
    AddressMaps.choosable(config.placement).map(map => s"${map.name}: ${map.description}.").mkString(" ")
  private[place] def names(config: WeirConfig): Seq[(String, Int)] =
    (AddressMaps.choosable(config.placement).map(map => map.name -> AddressMaps.number(map.name)) :+
      AddressMaps.programmable).sortBy(_._2)

  /** The masks of the map in force, a block for each part that the config has. */
  private def inForce(config: WeirConfig): Seq[RegisterBlock] =
    for ((part, _) <- PlaceNumbers.parts if PlaceNumbers.bits(config, part) > 0)
      yield RegisterBlock(
        s"map_$part",
        inForceByte + 8 * PlaceNumbers.first(part),
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

/** The map that software chooses, and the masks of the programmable one. */
class MapChoicePort(config: WeirConfig) extends RegisterBundle {
  private val lowest  = log2Ceil(config.geometry.lineBytes)
  private val highest = lowest + config.lineAddressBits - 1

  private val choice = register(
    "address_map",
    MapPort.firstByte,
    "The address map. A write puts the map in force for all accesses that are placed from then on, at once: what memory " +
      "holds then has other addresses. The masks of the programmable map are taken with it, and refused if one of them is " +
      "the XOR of others."
  )

  /** Number of the map, by [[AddressMaps]]. */
  val map = choice.setting(
    "map",
    0,
    AddressMaps.numberBits,
    AddressMaps.number(config.placement.map),
    0,
    MapPort.names(config).map(_._2).max,
    s"The map. ${MapPort.meaning(config)} ${AddressMaps.programmable._1}: each bit of channel, rank, bank group and bank is the XOR of " +
      "the address bits that its mask register chooses.",
    MapPort.names(config)
  )

  /** A choice is checked, and taken. */
  val judge = choice.judgedBy(WriteError.notOneToOne)
  val taken = choice.whenWritten()

  /** The bits that have masks, lowest first. */
  private val bits = for {
    part <- Seq("channel", "rank") ++ PlaceNumbers.ofBank(config.geometry)
    bit  <- 0 until PlaceNumbers.bits(config, part)
  } yield (part, bit)

  /** The address bits in each half of a mask. */
  private val halves = Seq(("low", lowest, highest.min(31))) ++ Option.when(highest >= 32)(("high", 32, highest))

  val low  = Output(Vec(bits.size, UInt((highest.min(31) - lowest + 1).W)))
  val high = Option.when(highest >= 32)(Output(Vec(bits.size, UInt((highest - 31).W))))

  /** The masks over the bits of a line's number. */
  def masks: Seq[UInt] = high match {
    case Some(high) => high.zip(low).map { case (high, low) => high ## low }
    case None       => low
  }

  private val start = AddressMaps.named(config.placement.map).masks(new PlaceBits(config)).chosen
  for (((part, bit), place) <- bits.zipWithIndex; (half, from, to) <- halves) {
    val width = to - from + 1
    register(
      s"mask_$part${bit}_$half",
      MapPort.firstByte + 8 + 8 * (PlaceNumbers.first(part) + bit) + (if (half == "high") 4 else 0),
      s"Bit $bit of the $part in the programmable map, address bits ${if (half == "low") "31:0" else "63:32"}. In force only " +
        "once address_map is written."
    ).settingOf(
      if (half == "low") low(place) else high.get(place),
      Field.readWrite(
        "mask",
        from % 32,
        width,
        ((start(place) << lowest) >> from) & ((BigInt(1) << width) - 1),
        0,
        (BigInt(1) << width) - 1,
        s"Address bits $to:$from of which the bit is the XOR."
      )
    )
  }
}

/** A map to be put in force. It is checked while `check` is high, which takes as many cycles as a line's number has bits, and
  * two; it must not change meanwhile. From then on `checked` is high until `check` falls, and `oneToOne` tells whether
  * the map may be taken; `take`, for one cycle while `checked` is high, puts it in force for every line from the next
  * cycle on.
  */
class MapChoice(config: WeirConfig) extends Bundle {

  /** Number of the map, by [[AddressMaps]]. */
  val map = Output(UInt(AddressMaps.numberBits.W))

  /** Masks of the programmable map, over the bits of a line's number: channel, rank, bank, each with the lowest bit first. */
  val masks = Output(
    Vec(config.channelBits + config.geometry.rankBits + config.geometry.bankBits, UInt(config.lineAddressBits.W))
  )

  val check    = Output(Bool())
  val checked  = Input(Bool())
  val oneToOne = Input(Bool())
  val take     = Output(Bool())
}
