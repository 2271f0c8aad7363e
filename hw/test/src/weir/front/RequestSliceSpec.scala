// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.config.Axi
import weir.{Packed, PackedBench}

import scala.collection.mutable
import scala.util.Random

/** Random transfers on all five channels against queues: what goes in at one side comes out at the other, in order and a
  * cycle later where there is a register; and faults put into what the slice says.
  */
class RequestSliceSpec extends AnyFunSpec with ChiselSim {
  private val config = Axi(ports = 1, dataBits = 32, idBits = 2, addressBits = 16)

  /** Payload of each channel: its fields and their bits. */
  private val address  = Seq("id" -> 2, "addr" -> 16, "len" -> 8, "size" -> 3, "burst" -> 2)
  private val requests = Map("aw" -> address, "ar" -> address, "w" -> Seq("data" -> 32, "strb" -> 4, "last" -> 1))
  private val answers  = Map("b" -> Seq("id" -> 2, "resp" -> 2), "r" -> Seq("id" -> 2, "data" -> 32, "last" -> 1))

  private class PackedSlice extends Packed(new RequestSlice(config), (slice: RequestSlice) => slice.io)

  /** A channel from `source` to `sink`, one of them `in` and the other `out`. */
  private class Channel(
      bench: PackedBench,
      random: Random,
      name: String,
      source: String,
      sink: String,
      fields: Seq[(String, Int)],
      latency: Int,
      eager: Boolean
  ) {
    private val sent                           = mutable.Queue.empty[(Int, Seq[BigInt])] // cycle and payload
    private var offered: Option[Seq[BigInt]]   = None
    private var waiting: Option[Seq[BigInt]]   = None                                    // at the sink, not yet taken
    private var before: (Boolean, Seq[BigInt]) = (false, Nil)
    var received                               = 0

    private def any(): Seq[BigInt]                      = fields.map { case (_, bits) => BigInt(bits, random) }
    private def put(payload: Option[Seq[BigInt]]): Unit = {
      bench.set(s"$source.${name}valid", if (payload.nonEmpty) 1 else 0)
      for (((field, bits), i) <- fields.zipWithIndex)
        bench.set(s"$source.$name$field", payload.fold(BigInt(bits, random))(_(i)))
    }
    private def atSink: (Boolean, Seq[BigInt]) =
      (bench.high(s"$sink.${name}valid"), fields.map { case (field, _) => bench.get(s"$sink.$name$field") })

    /** Chooses what to offer, and shows the source the opposite first. */
    def mislead(): Unit = {
      if (offered.isEmpty && (eager || random.nextInt(3) > 0)) offered = Some(any())
      put(Option.when(offered.isEmpty)(any()))
      bench.set(s"$sink.${name}ready", if (eager || random.nextInt(3) > 0) 1 else 0)
    }
    def look(): Unit  = before = atSink
    def offer(): Unit = put(offered)

    def check(): Unit = {
      val (valid, payload) = atSink
      if (latency > 0)
        assert(valid == before._1 && (!valid || payload == before._2), s"$name: a path leads from $source to $sink")
      for (was <- waiting) assert(valid && payload == was, s"$name: changed while it waited")
      if (offered.nonEmpty && bench.high(s"$source.${name}ready")) {
        sent.enqueue((bench.cycle, offered.get))
        offered = None
      }
      waiting = Option.when(valid && bench.driving(s"$sink.${name}ready") == 0)(payload)
      if (valid && waiting.isEmpty) {
        assert(sent.headOption.exists(_._2 == payload), s"$name: what comes out is not what went in")
        val (cycle, _) = sent.dequeue()
        assert(bench.cycle >= cycle + latency, s"$name: came early")
        if (eager) assert(bench.cycle == cycle + latency, s"$name: came late")
        received += 1
      }
      assert(sent.size <= latency, s"$name: ${sent.size} are inside")
    }
  }

  /** Transfers of each channel in `cycles`. */
  private def run(bench: PackedBench, seed: Int, eager: Boolean, cycles: Int = 400): Map[String, Int] = {
    val random = new Random(seed)
    bench.reset()
    val channels =
      requests.map { case (name, fields) =>
        name -> new Channel(bench, random, name, "in", "out", fields, latency = 1, eager)
      } ++
        answers.map { case (name, fields) =>
          name -> new Channel(bench, random, name, "out", "in", fields, latency = 0, eager)
        }
    for (_ <- 0 until cycles) {
      channels.values.foreach(_.mislead())
      bench.settle()
      channels.values.foreach(_.look())
      channels.values.foreach(_.offer())
      bench.settle()
      channels.values.foreach(_.check())
      bench.step()
    }
    channels.map { case (name, channel) => name -> channel.received }
  }

  it("hands on what it is given, in order, a cycle later on AW, W and AR") {
    simulate(new PackedSlice) { dut =>
      for (seed <- 1 to 4) assert(run(new PackedBench(dut), seed, eager = false).values.forall(_ > 100))
    }
  }

  it("moves a transfer of each channel in each cycle") {
    simulate(new PackedSlice) { dut =>
      val moved = run(new PackedBench(dut), 5, eager = true, cycles = 100)
      for (name <- requests.keys) assert(moved(name) == 99, name)
      for (name <- answers.keys) assert(moved(name) == 100, name)
    }
  }

  it("is found out by each check where it is broken") {
    simulate(new PackedSlice) { dut =>
      def broken(complaint: String, eager: Boolean = false)(tamper: PackedBench => Unit): Unit = {
        val error = intercept[TestFailedException](run(new PackedBench(dut, tamper), 6, eager))
        assert(error.getMessage.contains(complaint), s"wanted $complaint: ${error.getMessage}")
      }
      broken("w: a path leads")(bench => bench.replace("out.wvalid", bench.driving("in.wvalid")))
      broken("aw: a path leads")(bench => bench.replace("out.awaddr", bench.driving("in.awaddr")))
      broken("ar: changed while it waited")(bench =>
        if (bench.cycle % 3 == 0 && bench.driving("out.arready") == 0) bench.replace("out.arvalid", 0)
      )
      broken("w: what comes out")(bench => bench.replace("out.wdata", bench.get("out.wdata").flipBit(7)))
      broken("r: what comes out")(bench => bench.replace("in.rdata", bench.get("in.rdata").flipBit(7)))
      // it takes what it has no room for
      broken("w: 2 are inside")(bench => bench.replace("in.wready", 1))
      // it takes what it says it does not
      broken("aw: what comes out", eager = true)(bench => if (bench.high("out.awvalid")) bench.replace("in.awready", 0))
    }
  }
}
