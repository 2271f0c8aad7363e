// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.WeirConfig

import scala.collection.mutable

/** Random puts, merges and takes against a map of bytes. */
class WriteStoreSpec extends AnyFunSpec with ChiselSim {

  private case class Line(bytes: mutable.Map[Int, Int] = mutable.Map())

  private def run(config: WeirConfig): Unit = {
    val seed = System.nanoTime()
    info(s"seed $seed")
    val random  = new scala.util.Random(seed)
    val latency = config.phy.writeLatency
    val bytes   = config.geometry.lineBytes
    simulate(new WriteStore(config)) { store =>
      val held = mutable.Map[Int, Line]()
      val due  = mutable.Queue[(Int, Line)]() // (cycle, line)
      store.io.take.valid.poke(false)
      store.io.put.valid.poke(false)
      for (cycle <- 0 until 300) {
        if (due.nonEmpty && due.head._1 == cycle) {
          val line = due.dequeue()._2
          store.io.taken.valid.expect(true)
          val data = store.io.taken.bits.peek().litValue
          val mask = store.io.takenMask.peek().litValue
          for (byte <- 0 until bytes) {
            assert(mask.testBit(byte) == !line.bytes.contains(byte), s"mask of byte $byte in cycle $cycle")
            line.bytes.get(byte).foreach(value => assert(((data >> (8 * byte)) & 0xff) == value))
          }
        } else store.io.taken.valid.expect(false)

        val merge = held.nonEmpty && random.nextInt(3) == 0
        val put   = (merge || store.io.free.valid.peek().litToBoolean) && random.nextInt(4) != 0
        store.io.put.valid.poke(put)
        if (put) {
          val index =
            if (merge) held.keys.toSeq(random.nextInt(held.size)) else store.io.free.bits.peek().litValue.toInt
          val data   = BigInt(8 * bytes, random)
          val strobe = if (random.nextBoolean()) (BigInt(1) << bytes) - 1 else BigInt(bytes, random)
          store.io.put.bits.merge.poke(merge)
          store.io.put.bits.index.poke(index)
          store.io.put.bits.data.poke(data)
          store.io.put.bits.strobe.poke(strobe)
          if (!merge) assert(!held.contains(index), "a held place was given out as free")
          val line = held.getOrElseUpdate(index, Line())
          for (byte <- 0 until bytes if strobe.testBit(byte)) line.bytes(byte) = ((data >> (8 * byte)) & 0xff).toInt
        }
        // a line may leave in the cycle after it came, and is peeked before
        val ready = held.keys.toSeq.filter(index => !(put && store.io.put.bits.index.peek().litValue == index))
        val take  = ready.nonEmpty && random.nextInt(2) == 0
        store.io.take.valid.poke(take)
        if (take) {
          val index = ready(random.nextInt(ready.size))
          val line  = held.remove(index).get
          store.io.full(index).expect(line.bytes.size == bytes)
          store.io.take.bits.poke(index)
          store.io.peek.poke(index)
          val peeked = store.io.peekedData.peek().litValue
          line.bytes.foreach { case (byte, value) => assert(((peeked >> (8 * byte)) & 0xff) == value) }
          due.enqueue((cycle + latency, line))
          if (latency == 0) {
            val (_, now) = due.dequeue()
            store.io.taken.valid.expect(true)
            val data = store.io.taken.bits.peek().litValue
            now.bytes.foreach { case (byte, value) => assert(((data >> (8 * byte)) & 0xff) == value) }
          }
        } else if (latency == 0) store.io.taken.valid.expect(false)
        store.clock.step()
        store.io.put.valid.poke(false)
        store.io.take.valid.poke(false)
      }
    }
  }

  it("keeps, merges and hands out lines, one cycle after they are taken")(run(ChannelConfigs.ddr3))
  it("keeps, merges and hands out lines, three cycles after they are taken")(run(ChannelConfigs.ddr4))
}
