// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.ram.BlockRam

/** Set-associative store of entries of some words each, in block RAM; what a cache is made of but for its misses.
  *
  * A lookup is answered in the next cycle. In that cycle `keep` may be given: then `put`, `install` and `drop` are about the
  * set and key of that lookup, until another is kept. None of these, nor a sweep, may come in the cycle of a lookup of the same
  * set.
  *
  * Replaced is the way that was filled longest ago, or never: each set has a number of its next way beside its tags. Unlike
  * least recently used this writes nothing on a hit, so that hits never take the RAM's port from one another; what is cached
  * here is looked up far more often than replaced (Rainbow, section IV-G, found hardly any bitmap misses).
  *
  * @param sets,ways powers of two
  * @param keyBits   width of an entry's name; its lowest bits choose the set, the others are the tag
  * @param words     words of an entry, of `wordBits`
  */
class TaggedStore(sets: Int, ways: Int, keyBits: Int, words: Int, wordBits: Int) extends Module {
  private val setBits  = log2Ceil(sets)
  private val tagBits  = keyBits - setBits
  private val wayBits  = log2Ceil(ways)
  private val wordSize = log2Ceil(words)

  private class Tags extends Bundle {
    val next  = UInt(wayBits.W)
    val valid = Vec(ways, Bool())
    val tag   = Vec(ways, UInt(tagBits.W))
  }

  val io = IO(new Bundle {
    val lookup = Flipped(Valid(new Bundle {
      val key  = UInt(keyBits.W)
      val word = UInt(wordSize.W)
    }))

    /** Of the lookup of the cycle before. */
    val hit  = Output(Bool())
    val data = Output(UInt(wordBits.W))
    val keep = Input(Bool())

    /** The word of each way, and whether that is the way with the entry: to choose from the words before it is known whose. */
    val words = Output(Vec(ways, UInt(wordBits.W)))
    val found = Output(Vec(ways, Bool()))

    /** Writes a word of the entry that was found, or else of the one to be replaced. */
    val put = Flipped(Valid(new Bundle {
      val word = UInt(wordSize.W)
      val data = UInt(wordBits.W)
    }))

    /** The entry to be replaced has the key from now on, and counts as found; only where none was found. */
    val install = Input(Bool())

    /** The entry that was found is no more. */
    val drop = Input(Bool())

    /** Empties a set. */
    val sweep = Flipped(Valid(UInt(setBits.W)))
  })

  private def setOf(key: UInt): UInt = key(setBits - 1, 0)
  private def tagOf(key: UInt): UInt = key(keyBits - 1, setBits)

  private val tagRam                               = Module(new BlockRam(sets, new Tags().getWidth))
  private val rams                                 = Seq.fill(ways)(Module(new BlockRam(sets * words, wordBits)))
  private def address(key: UInt, word: UInt): UInt = if (words == 1) setOf(key) else setOf(key) ## word

  tagRam.io.clock       := clock
  tagRam.io.clear       := false.B
  tagRam.io.read        := io.lookup.valid
  tagRam.io.readAddress := setOf(io.lookup.bits.key)
  for (ram <- rams) {
    ram.io.clock       := clock
    ram.io.clear       := false.B
    ram.io.read        := io.lookup.valid
    ram.io.readAddress := address(io.lookup.bits.key, io.lookup.bits.word)
  }

  private val key   = RegEnable(io.lookup.bits.key, io.lookup.valid)
  private val tags  = tagRam.io.readData.asTypeOf(new Tags)
  private val found = VecInit(tags.valid.zip(tags.tag).map { case (valid, tag) => valid && tag === tagOf(key) })
  io.found := found
  io.words := rams.map(_.io.readData)
  io.hit   := found.asUInt.orR
  io.data  := Mux1H(found, io.words)

  // what was kept
  private val keptKey  = RegEnable(key, io.keep)
  private val keptTags = RegEnable(tags, io.keep)
  private val keptWay  = Reg(UInt(wayBits.W))
  when(io.keep)(keptWay := Mux(io.hit, OHToUInt(found), tags.next))

  private val changed = WireDefault(keptTags)
  changed.valid(keptWay) := io.install
  when(io.install) {
    changed.tag(keptWay) := tagOf(keptKey)
    changed.next         := keptTags.next + 1.U
  }
  when(io.install || io.drop)(keptTags := changed)
  tagRam.io.write        := io.install || io.drop || io.sweep.valid
  tagRam.io.writeAddress := Mux(io.sweep.valid, io.sweep.bits, setOf(keptKey))
  tagRam.io.writeData    := Mux(io.sweep.valid, 0.U, changed.asUInt)
  for ((ram, way) <- rams.zipWithIndex) {
    ram.io.write        := io.put.valid && keptWay === way.U
    ram.io.writeAddress := address(keptKey, io.put.bits.word)
    ram.io.writeData    := io.put.bits.data
  }
}
