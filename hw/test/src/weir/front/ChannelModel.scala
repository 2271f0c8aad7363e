// SPDX-License-Identifier: Apache-2.0
package weir.front

import weir.PackedBench
import weir.config.WeirConfig

import scala.collection.mutable
import scala.util.Random

/** How often things happen, each as a share of cycles. */
case class Pace(
    address: Double,
    data: Double,
    readReady: Double,
    responseReady: Double,
    take: Double,
    give: Double,
    accept: Double,
    inOrder: Boolean = false
)

/** A line that `front` is expected to ask for. */
case class ExpectedLine(line: BigInt, source: Int)

/** Stands for the rooms behind `front`: takes line reads and writes, gives reads back in random order and accepts writes in
  * order, each as often as `pace` says. It checks that each line was expected, in the order of the port's bursts.
  */
class ChannelModel(config: WeirConfig, bench: PackedBench, random: Random, pace: Pace) {
  private val lineBytes = config.geometry.lineBytes

  /** What has been accepted. */
  val memory = new TestMemory

  /** Lines that are to come on `reads` and `writes`, by port. */
  val expectedReads, expectedWrites = Seq.fill(config.axi.ports)(mutable.Queue.empty[ExpectedLine])

  private case class Read(port: BigInt, slot: BigInt, data: BigInt, taken: Int)
  private case class Write(port: Int, line: BigInt, data: BigInt, strobe: BigInt, taken: Int)
  private val reads  = mutable.ArrayBuffer.empty[Read]
  private val writes = mutable.Queue.empty[Write]

  def idle: Boolean = reads.isEmpty && writes.isEmpty && (expectedReads ++ expectedWrites).forall(_.isEmpty)

  private def chance(share: Double) = random.nextDouble() < share

  /** Sets the inputs of the coming cycle. */
  def drive(): Unit = {
    bench.set("reads.ready", if (chance(pace.take)) 1 else 0)
    bench.set("writes.ready", if (chance(pace.take)) 1 else 0)

    val ready = reads.indices.filter(i => reads(i).taken + 2 <= bench.cycle)
    bench.set("returns.valid", 0)
    if (ready.nonEmpty && chance(pace.give)) {
      val read = reads.remove(if (pace.inOrder) ready.head else ready(random.nextInt(ready.size)))
      bench.set("returns.valid", 1)
      bench.set("returns.bits.tag.port", read.port)
      bench.set("returns.bits.tag.slot", read.slot)
      bench.set("returns.bits.data", read.data)
    }

    bench.set("writeAccepted.valid", 0)
    if (writes.nonEmpty && writes.head.taken < bench.cycle && chance(pace.accept)) {
      val write = writes.dequeue()
      for (i <- 0 until lineBytes if write.strobe.testBit(i))
        memory(write.line * lineBytes + i) = ((write.data >> (8 * i)) & 0xff).toInt
      bench.set("writeAccepted.valid", 1)
      bench.set("writeAccepted.bits", write.port)
    }
  }

  /** Takes what the settled cycle hands over. */
  def observe(): Unit = {
    if (bench.high("reads.valid") && bench.driving("reads.ready") == 1) {
      val (port, slot) = (bench.get("reads.bits.tag.port"), bench.get("reads.bits.tag.slot"))
      val line         = expected(expectedReads, "reads", port.toInt)
      assert(!reads.exists(read => read.port == port && read.slot == slot), s"slot $slot is asked for twice")
      reads += Read(port, slot, memory.bytes(line * lineBytes, lineBytes), bench.cycle)
    }
    if (bench.high("writes.valid") && bench.driving("writes.ready") == 1) {
      val port   = bench.get("writes.bits.port").toInt
      val strobe = bench.get("writes.bits.strobe")
      assert(strobe != 0, "a line write without a strobe")
      writes.enqueue(
        Write(port, expected(expectedWrites, "writes", port), bench.get("writes.bits.data"), strobe, bench.cycle)
      )
    }
  }

  private def expected(queues: Seq[mutable.Queue[ExpectedLine]], name: String, port: Int): BigInt = {
    val line = ExpectedLine(bench.get(s"$name.bits.line"), bench.get(s"$name.bits.source").toInt)
    assert(queues(port).nonEmpty, s"cycle ${bench.cycle}: port $port: $name has $line, nothing is expected")
    val want = queues(port).dequeue()
    assert(line == want, s"cycle ${bench.cycle}: port $port: $name has $line, expected $want")
    line.line
  }
}
