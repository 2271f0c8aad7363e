// SPDX-License-Identifier: Apache-2.0
package weir.registers

import chisel3._

import scala.collection.mutable.ListBuffer

/** A room's port to software: its registers, declared beside the elements that they set or show. Directions are those that
  * `regs` sees; the room has it flipped, or as an input where it holds settings alone.
  *
  * `regs` gathers the bundles of all rooms ([[weir.regs.RegisterMap]]) and connects each element to its field
  * ([[weir.regs.Registers]]), so that a register is told in one place: where its room says what it does.
  */
abstract class RegisterBundle extends Bundle {
  private val declared   = ListBuffer[DeclaredRegister]()
  private val shown      = ListBuffer[Field]()
  private val words      = ListBuffer[DeclaredWords]()
  private val interrupts = ListBuffer[Interrupt]()
  private val constants  = ListBuffer[(Data, BigInt)]()
  private val kept       = ListBuffer[(String, Bool)]()

  /** Begins a register of the bundle. */
  protected def register(name: String, offset: Int, description: String): DeclaredRegister = {
    val register = new DeclaredRegister(name, offset, description)
    declared += register
    register
  }

  /** Adds a field to the register `features`. */
  protected def feature(name: String, low: Int, bits: Int, value: BigInt, description: String): Unit =
    shown += Field.readOnly(name, low, bits, value, description)

  /** Adds words of 64 bits that can only be read, with indices that count from byte offset `first`. */
  protected def wordsOf(first: Int, blocks: Seq[RegisterBlock], indexBits: Int, latency: Int): WordsPort = {
    val port = new WordsPort(indexBits)
    words += DeclaredWords(first, blocks, port, latency)
    port
  }

  /** Adds a source of the interrupt, raised in a cycle or as long as the input is high. */
  protected def interrupt(name: String, bit: Int, description: String): Bool = {
    val raised = Input(Bool())
    interrupts += Interrupt(name, bit, description, raised)
    raised
  }

  /** Whether a field of one bit, named `register.field`, may go from 1 to 0 in this cycle. */
  protected def mayClear(field: String): Bool = {
    val may = Input(Bool())
    kept += field -> may
    may
  }

  /** An element that this config has no register for. */
  protected def fixed[T <: Data](gen: T, value: BigInt): T = {
    val element = Output(gen)
    constants += element -> value
    element
  }

  /** Conditions between fields, also those of other bundles. */
  def relations: Seq[Relation] = Seq()

  /** Fields that keep their values while a field of one bit is 1. */
  def locks: Seq[Lock] = Seq()

  /** This bundle and those within. */
  private def bundles: Seq[RegisterBundle] = this +: elements.values.toSeq.collect { case inner: RegisterBundle =>
    inner.bundles
  }.flatten

  private[weir] def allRegisters: Seq[DeclaredRegister] = bundles.flatMap(_.declared)
  private[weir] def allFeatures: Seq[Field]             = bundles.flatMap(_.shown)
  private[weir] def allWords: Seq[DeclaredWords]        = bundles.flatMap(_.words)
  private[weir] def allInterrupts: Seq[Interrupt]       = bundles.flatMap(_.interrupts)
  private[weir] def allConstants: Seq[(Data, BigInt)]   = bundles.flatMap(_.constants)
  private[weir] def allKept: Seq[(String, Bool)]        = bundles.flatMap(_.kept)
  private[weir] def allRelations: Seq[Relation]         = bundles.flatMap(_.relations)
  private[weir] def allLocks: Seq[Lock]                 = bundles.flatMap(_.locks)
}

/** Blocks of words of 64 bits and the port that gives them.
  *
  * @param first   byte offset of the word of index 0, a multiple of 8
  * @param latency cycles from the index to its word
  */
case class DeclaredWords(first: Int, blocks: Seq[RegisterBlock], port: WordsPort, latency: Int)

/** Something that software may be interrupted for.
  *
  * @param name        name of its bits in `interrupt_pending` and `interrupt_enable`
  * @param bit         their place, the same in every config
  * @param description when it is pending
  * @param raised      raises it
  */
case class Interrupt(name: String, bit: Int, description: String, raised: Bool)

/** Fields, named `register.field`, that change only while the field `by` is 0. */
case class Lock(by: String, fields: Seq[String])
