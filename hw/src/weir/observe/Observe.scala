// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util._
import weir.channel.ChannelEvents
import weir.config.WeirConfig
import weir.front.BegunRead

/** Counts what happens in the channels and ports ([[EventCounters]] lists what) and shows a snapshot of all counters.
  *
  * Events go through a register first, so that counting is on no path of the controller; so does the command to take a
  * snapshot, which therefore holds what happened before the cycle in which it was given.
  *
  * Counters of which only one can grow in a cycle share a store that has no more than memories ([[EventStore]]); all others
  * lie in one that takes any number of events in a cycle ([[TallyStore]]).
  */
class Observe(config: WeirConfig) extends Module {
  private val explains = config.observation.explains

  val io = IO(new Bundle {
    val events   = Input(Vec(config.channels, new ChannelEvents(config)))
    val began    = Option.when(explains)(Input(Vec(config.axi.ports, Valid(new BegunRead(config)))))
    val counters = Flipped(new CounterPort(config))
  })
  private def registered[D <: Data](input: D): D = RegNext(input, 0.U.asTypeOf(input))

  private val bits     = config.observation.counterBits
  private val latch    = registered(io.counters.latch.get)
  private val events   = registered(io.events)
  private val observed = Observed(
    registered(true.B),
    events.map(new ObservedChannel(config, _)),
    io.began.toSeq.flatMap(registered(_))
  )

  /** A counter at a place. */
  private case class Placed(counter: EventCounter, place: Seq[Int]) {
    val growth: UInt         = counter.growth(observed, place)
    val turn: Option[String] = counter.alone(place)
  }
  private val all = for {
    group   <- EventCounters.groups(config)
    place   <- group.places
    counter <- group.counters
  } yield Placed(counter, place)

  /** The stores, and the numbers of the counters in each. */
  private val stores: Seq[(StorePort, Seq[Int])] = all.indices.groupBy(all(_).turn).toSeq.sortBy(_._1).map {
    case (None, members) =>
      val store = Module(new TallyStore(members.map(all(_).counter.most), bits))
      store.growth.zip(members).foreach { case (port, number) => port := all(number).growth }
      (store.io, members)
    case (Some(_), members) =>
      val store = Module(new EventStore(members.size, bits))
      store.grows := VecInit(members.map(number => all(number).growth.orR)).asUInt
      (store.io, members)
  }

  private val snapshot = io.counters.snapshot.get
  private val index    = snapshot.index

  /** A table of constants, one for each counter's number. */
  private def table(width: Int)(entry: Int => Int): UInt = VecInit(all.indices.map(entry(_).U(width.W)))(index)
  private val storeOf = all.indices.map(number => stores.indexWhere(_._2.contains(number)))
  private val at      = table(log2Ceil(all.size))(number => stores(storeOf(number))._2.indexOf(number))
  private val from    = RegNext(table(log2Ceil(stores.size).max(1))(storeOf))

  for ((store, _) <- stores) {
    store.latch := latch
    store.index := at.pad(store.index.getWidth)(store.index.getWidth - 1, 0)
  }
  snapshot.word := VecInit(stores.map(_._1.value))(from)

  private val wrapped = RegInit(false.B)
  private val flag    = io.counters.wrapped.get
  wrapped    := (wrapped && !flag.clear) || VecInit(stores.map(_._1.wraps)).asUInt.orR
  flag.value := wrapped
}
