// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** A map in registers, as [[ProgrammableMap]] keeps it. */
class MapState(config: WeirConfig) extends Bundle {
  private val lineBits   = config.lineAddressBits
  private val chosenBits = config.channelBits + config.geometry.rankBits + config.geometry.bankBits

  /** Masks of channel, rank and bank, over a line's number. */
  val masks = Vec(chosenBits, UInt(lineBits.W))

  /** For each bit of the line's number that is column or row: how many of the bits below it are not, one-hot; zero for the
    * bits that are not.
    */
  val below = Vec(lineBits, UInt((chosenBits + 1).W))
}

object MapState {

  /** The state of a map as a literal. */
  def apply(config: WeirConfig, map: Masks): MapState = {
    val state = Wire(new MapState(config))
    state.masks.zip(map.chosen).foreach { case (mask, value) => mask := value.U }
    for (bit <- 0 until map.lineBits) {
      val index = map.plain.indexOf(bit)
      state.below(bit) := (if (index < 0) 0.U else (BigInt(1) << (bit - index)).U)
    }
    state
  }
}

/** An address map that software chooses while the controller runs: one of [[AddressMaps]]`.choosable`, or masks of its own.
  *
  * Every map is in force in the same form, masks for the bits of channel, rank and bank and the leftover bits for
  * column and row, so that choosing among many costs nothing on the way of an access. What bits are left over, and
  * whether the masks depend on each other, so that the map would not be one to one, comes out of a Gaussian
  * elimination, a bit of the line's number per cycle from the lowest on: the first mask not yet used that has the bit
  * takes it for its own and is added to the others not yet used that have it; a bit that no such mask has is column or
  * row. In the end all masks must be used.
  *
  * A new map is in force for all lines that are placed from the cycle after `take` on, at once. Lines placed before
  * keep their places.
  */
class ProgrammableMap(config: WeirConfig) extends Module {
  private val bits     = new PlaceBits(config)
  private val lineBits = config.lineAddressBits
  private val presets  = AddressMaps.choosable(config.placement)
  private val start    = MapState(config, AddressMaps.named(config.placement.map).masks(bits))

  val io = IO(new Bundle {
    val choice = Flipped(new MapChoice(config))
    val state  = Output(new MapState(config))
  })
  private val choice = io.choice

  private val state = RegInit(start)
  io.state := state

  private val asked = VecInit(choice.masks.zipWithIndex.map { case (own, index) =>
    MuxLookup(choice.map, own)(
      presets.map(preset => AddressMaps.number(preset.name).U -> preset.masks(bits).chosen(index).U(lineBits.W))
    )
  })

  // The masks that are being reduced, turned so that the bit in question is the lowest, and what was found of each bit.
  private val rows    = Reg(Vec(asked.size, UInt(lineBits.W)))
  private val used    = Reg(UInt(asked.size.W))
  private val taken   = Reg(UInt((asked.size + 1).W))
  private val below   = Reg(Vec(lineBits, UInt((asked.size + 1).W)))
  private val left    = Reg(UInt(log2Ceil(lineBits + 1).W))
  private val started = RegInit(false.B)

  private val have   = VecInit(rows.map(_(0))).asUInt & ~used
  private val owner  = PriorityEncoderOH(have)
  private val reduce = Mux1H(owner, rows)
  private val isOwn  = have.orR

  started := choice.check
  when(!started) {
    rows  := asked
    used  := 0.U
    taken := 1.U
    left  := lineBits.U
  }.elsewhen(left =/= 0.U) {
    for ((row, index) <- rows.zipWithIndex) {
      val reduced = row ^ Mux(have(index) && !owner(index), reduce, 0.U)
      row := reduced(0) ## reduced(lineBits - 1, 1)
    }
    used := used | owner
    when(isOwn)(taken := (taken << 1).asUInt(asked.size, 0))
    below.zip(below.tail :+ Mux(isOwn, 0.U, taken)).foreach { case (entry, next) => entry := next }
    left := left - 1.U
  }
  choice.checked  := started && left === 0.U
  choice.oneToOne := used.andR

  when(choice.take) {
    state.masks := asked
    state.below := below
  }
  assert(!choice.take || choice.checked && choice.oneToOne, "ProgrammableMap: a map taken that is not one to one")
}

/** The way of a line through the registers of a [[ProgrammableMap]]. */
class MapOfRegisters(config: WeirConfig, state: MapState) extends MapInForce(config) {
  private val lineBits  = config.lineAddressBits
  private val plainBits = lineBits - state.masks.size

  /** The bits of the line's number that can be plain bit `index`, each with whether it is. */
  private def candidates(index: Int): Seq[(Int, Bool)] =
    state.below.head.asBools.indices.map(below => (index + below, state.below(index + below)(below)))

  protected def chosen(line: UInt): Seq[Bool] = state.masks.map(mask => (mask & line).xorR)
  protected def plain(line: UInt): Seq[Bool]  =
    (0 until plainBits).map(index => candidates(index).map { case (bit, is) => line(bit) && is }.reduce(_ || _))
  protected def chosenMask(index: Int): UInt = state.masks(index)
  protected def plainMask(index: UInt): UInt = {
    val wanted = UIntToOH(index, plainBits)
    val found  =
      (0 until plainBits).flatMap(which => candidates(which).map { case (bit, is) => bit -> (wanted(which) && is) })
    VecInit(
      (0 until lineBits).map(bit => found.collect { case (`bit`, is) => is }.reduceOption(_ || _).getOrElse(false.B))
    ).asUInt
  }
}
