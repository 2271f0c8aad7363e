// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3._
import chisel3.reflect.DataMirror
import chisel3.simulator.PeekPokeAPI._

import scala.collection.mutable

/** A module with all its inputs in one word and all its outputs in another, so that a cycle costs the simulation one poke and
  * one peek.
  */
class Packed[M <: Module](make: => M, io: M => Record) extends Module {
  private val inner = Module(make)

  /** Inputs and outputs by name, from the lowest bit of `drive` and `watch` up; fields without bits are none. */
  private val (inputs, outputs) = {
    val (empty, fields) = Packed.leaves("io", io(inner)).partition(_._2.getWidth == 0)
    val isInput         = (field: (String, Data)) => DataMirror.directionOf(field._2) == ActualDirection.Input
    empty.filter(isInput).foreach(_._2 := DontCare)
    fields.partition(isInput)
  }

  val drive = IO(Input(UInt(inputs.map(_._2.getWidth).sum.W)))
  val watch = IO(Output(UInt(outputs.map(_._2.getWidth).sum.W)))

  watch := util.Cat(outputs.map(_._2.asUInt).reverse)
  val inputLayout: Map[String, (Int, Int)]  = Packed.layout(inputs)
  val outputLayout: Map[String, (Int, Int)] = Packed.layout(outputs)
  for ((name, data) <- inputs) {
    val (low, width) = inputLayout(name)
    data := drive(low + width - 1, low).asTypeOf(data)
  }
}

object Packed {
  private def leaves(name: String, data: Data): Seq[(String, Data)] = data match {
    case record: Record =>
      record.elements.toSeq.reverse.flatMap { case (field, value) => leaves(s"$name.$field", value) }
    case vector: Vec[_] => vector.zipWithIndex.flatMap { case (value, i) => leaves(s"$name.$i", value) }
    case leaf           => Seq(name.stripPrefix("io.") -> leaf)
  }

  private def layout(fields: Seq[(String, Data)]): Map[String, (Int, Int)] =
    fields
      .scanLeft(("", 0, 0)) { case ((_, low, width), (name, data)) => (name, low + width, data.getWidth) }
      .tail
      .map { case (name, low, width) => name -> (low, width) }
      .toMap
}

/** Drives and watches a [[Packed]] cycle by cycle, fields by name (`axi.0.arvalid`, `reads.bits.line`).
  *
  * @param tamper changes the outputs before the test sees them, to stand for a broken design
  */
class PackedBench(dut: Packed[_], tamper: PackedBench => Unit = _ => ()) {
  private val driven  = mutable.Map.empty[String, BigInt]
  private var watched = BigInt(0)
  private val changed = mutable.Map.empty[String, BigInt]
  var cycle           = 0

  /** Sets an input for this and the following cycles; fields without bits are left out. */
  def set(field: String, value: BigInt): Unit =
    if (dut.inputLayout.contains(field)) driven(field) = value

  /** Lets this cycle's inputs reach the outputs. */
  def settle(): Unit = {
    dut.drive.poke(driven.foldLeft(BigInt(0)) { case (word, (field, value)) =>
      val (low, width) = dut.inputLayout(field)
      require(value >= 0 && value.bitLength <= width, s"$field = $value does not fit in $width bits")
      word | (value << low)
    })
    watched = dut.watch.peek().litValue
    changed.clear()
    tamper(this)
  }

  /** An output of this cycle; 0 for fields without bits. */
  def get(field: String): BigInt = changed.getOrElse(
    field,
    dut.outputLayout.get(field).fold(BigInt(0)) { case (low, width) => (watched >> low) & ((BigInt(1) << width) - 1) }
  )
  def high(field: String): Boolean = get(field) == 1

  /** What an input is set to. */
  def driving(field: String): BigInt = driven.getOrElse(field, BigInt(0))

  /** Replaces an output of this cycle. */
  def replace(field: String, value: BigInt): Unit = changed(field) = value

  def step(): Unit = {
    dut.clock.step()
    cycle += 1
  }

  /** Resets the design, whatever it was at, with all inputs 0. */
  def reset(): Unit = {
    driven.clear()
    dut.reset.poke(true)
    settle()
    dut.clock.step()
    dut.reset.poke(false)
  }
}
