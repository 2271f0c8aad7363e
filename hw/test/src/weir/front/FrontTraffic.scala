// SPDX-License-Identifier: Apache-2.0
package weir.front

import weir.PackedBench
import weir.config.WeirConfig

import scala.util.Random

/** Random bursts on all ports of a `Front`, with everything checked, until all are answered. */
object FrontTraffic {

  /** Cycles without any handshake at an AXI port after which the design counts as hung. */
  private val patience = 2000

  /** The paces that a run goes through: everything at full speed; slow returns; a slow manager; a slow channel. */
  val paces: Seq[Pace] = Seq(
    Pace(address = 1, data = 1, readReady = 1, responseReady = 1, take = 1, give = 1, accept = 1),
    Pace(address = 1, data = 1, readReady = 0.9, responseReady = 0.9, take = 0.9, give = 0.15, accept = 0.2),
    Pace(
      address = 0.6,
      data = 0.6,
      readReady = 0.3,
      responseReady = 0.3,
      take = 1,
      give = 1,
      accept = 1,
      inOrder = true
    ),
    Pace(address = 0.9, data = 0.3, readReady = 0.7, responseReady = 0.1, take = 0.2, give = 0.6, accept = 0.6)
  )

  /** Sends `bursts` reads and as many writes to each port and returns when the last is answered.
    *
    * @throws AssertionError at the first thing that is not as AXI4 or the room's contract has it
    */
  def run(config: WeirConfig, bench: PackedBench, seed: Long, pace: Pace, bursts: Int): Unit = {
    val random  = new Random(seed)
    val channel = new ChannelModel(config, bench, random, pace)
    val shared  = new Shared(config)
    val ports   = Seq.tabulate(config.axi.ports)(port =>
      new PortModel(config, bench, channel, shared, random, pace, port, readsToSend = bursts, writesToSend = bursts)
    )
    var (progress, since) = (0, bench.cycle)
    while (!(channel.idle && ports.forall(_.idle))) {
      channel.drive()
      ports.foreach(_.drive())
      bench.settle()
      channel.observe()
      ports.foreach(_.observe())
      bench.step()
      val now = ports.map(_.progress).sum
      if (now != progress) {
        progress = now
        since = bench.cycle
      }
      assert(bench.cycle - since < patience, s"cycle ${bench.cycle}: nothing has moved for $patience cycles")
    }
  }
}
