// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.{Pipeline, WeirConfig}

import scala.collection.mutable

/** Random puts, merges and takes against a map of bytes. */
class WriteStoreSpec extends AnyFunSpec with ChiselSim {

  private type Line = Map[Int, Int]

  private def run(config: WeirConfig): Unit = {
    val seed = Seed.value
    info(s"seed $seed")
    val random     = new scala.util.Random(seed)
    val latency    = config.phy.writeLatency
    val bytes      = config.geometry.lineBytes
    val depth      = config.policies.writeQueue
    val forwarding = config.policies.forwarding
    simulate(new WriteStore(config)) { store =>
      val held = mutable.Map[Int, Line]()
      // lines that merges of the last cycle made, of which it shows a cycle later that they are whole
      var merged = Map[Int, Line]()
      val due    = mutable.Queue[(Int, Line)]() // (cycle, line)

      def expectTaken(cycle: Int): Unit =
        if (due.nonEmpty && due.head._1 == cycle) {
          val line = due.dequeue()._2
          val data = store.io.taken.peek().litValue
          val mask = store.io.takenMask.peek().litValue
          for (byte <- 0 until bytes) {
            assert(mask.testBit(byte) == !line.contains(byte), s"mask of byte $byte in cycle $cycle")
            line.get(byte).foreach(value => assert(((data >> (8 * byte)) & 0xff) == value))
          }
        }

      store.io.take.valid.poke(false)
      store.io.put.valid.poke(false)
      for (cycle <- 0 until 600) {
        // a slot may be taken in the cycle after it was put, and put in that of its take unless it is busy
        val ready = held.keys.toSeq
        val take  = ready.nonEmpty && random.nextInt(2) == 0
        store.io.take.valid.poke(take)
        val taken = Option.when(take)(ready(random.nextInt(ready.size)))
        for (slot <- taken) {
          val line = held.remove(slot).get
          store.io.take.bits.poke(slot)
          if (forwarding) {
            val shown = merged.getOrElse(slot, line)
            assert(store.io.whole.peek().litValue.testBit(slot) == (shown.size == bytes))
            store.io.peek.poke(BigInt(1) << slot)
            val peeked = store.io.peeked.peek().litValue
            line.foreach { case (byte, value) => assert(((peeked >> (8 * byte)) & 0xff) == value) }
          } else store.io.whole.expect(0)
          due.enqueue((cycle + latency, line))
        }
        expectTaken(cycle)

        val busy  = store.io.busy.peek().litValue
        val free  = (0 until depth).filter(slot => !held.contains(slot) && !busy.testBit(slot))
        val merge = forwarding && held.nonEmpty && random.nextInt(3) == 0
        val put   = (merge || free.nonEmpty) && random.nextInt(4) != 0
        store.io.put.valid.poke(put)
        merged = Map()
        if (put) {
          val slot   = if (merge) held.keys.toSeq(random.nextInt(held.size)) else free(random.nextInt(free.size))
          val data   = BigInt(8 * bytes, random)
          val strobe = if (random.nextBoolean()) (BigInt(1) << bytes) - 1 else BigInt(bytes, random)
          store.io.put.bits.merge.poke(merge)
          store.io.put.bits.slot.poke(BigInt(1) << slot)
          store.io.put.bits.data.poke(data)
          store.io.put.bits.strobe.poke(strobe)
          val strobed = (0 until bytes).filter(strobe.testBit)
          if (merge && WriteStore.mergesShowLater(config)) merged = Map(slot -> held(slot))
          held(slot) = held.getOrElse(slot, Map()) ++ strobed.map(byte => byte -> ((data >> (8 * byte)) & 0xff).toInt)
        }
        store.clock.step()
      }
    }
  }

  private def plain(config: WeirConfig): WeirConfig =
    config.copy(policies = config.policies.copy(forwarding = false))
  private def latency(cycles: Int): WeirConfig =
    ChannelConfigs.ddr3.copy(phy = ChannelConfigs.ddr3.phy.copy(writeLatency = cycles))

  for (cycles <- Seq(1, 2, 3, 5))
    it(s"does so with a register behind the lookup, $cycles cycles after they are taken")(
      run(latency(cycles).copy(pipeline = Pipeline.deep))
    )

  for (cycles <- Seq(0, 1, 2, 3)) {
    it(s"keeps, merges and hands out lines, $cycles cycles after they are taken")(run(latency(cycles)))
    it(s"keeps and hands out whole lines without forwarding, $cycles cycles after they are taken")(
      run(plain(latency(cycles)))
    )
  }
}
