// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util._
import weir.channel.ChannelEvents
import weir.config.WeirConfig
import weir.counters.EventCounter
import weir.front.BegunRead

/** Counts what happens in the channels and ports ([[EventCounters]] gathers what) and shows a snapshot of all counters.
  *
  * Events go through a register first, so that counting is on no path of the controller; so does the command to take a
  * snapshot, which therefore holds what happened before the cycle in which it was given.
  *
  * Counters of which only one can grow in a cycle share a store that has no more than memories ([[EventStore]]); all others
  * lie in one that takes any number of events in a cycle ([[TallyStore]]).
  *
  * Latency: [[Observe.latency]] cycles from the index of a word of the snapshot to the word, one word in each cycle.
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
  private case class Placed(counter: EventCounter[Observed], place: Seq[Int]) {
    val growth: UInt         = counter.growth(observed, place)
    val turn: Option[String] = counter.alone(place)
  }
  private val groups = EventCounters.groups(config).filter(_.counters.nonEmpty)
  private val all    = for {
    group   <- groups
    place   <- group.group.places
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

  private val bitsOfAll = log2Ceil(all.size).max(1)
  private val snapshot  = io.counters.snapshot.get

  /** The counter's number in `all`, of the word that is asked for: its place, and in it the order of those that there are. */
  private val index = {
    val starts = groups.scanLeft(0)(_ + _.size)
    val those  = groups.zip(starts).map { case (GatheredGroup(group, counters), start) =>
      val place = snapshot.index(group.wordBits + group.placeBits - 1, group.wordBits)
      val order = VecInit.tabulate(1 << group.wordBits)(number =>
        counters.indexWhere(_.number == number).max(0).U(log2Ceil(counters.size + 1).W)
      )
      val word = if (group.wordBits == 0) 0.U else order(snapshot.index(group.wordBits - 1, 0))
      val mine = (snapshot.index >> (group.wordBits + group.placeBits)) === (group.first / group.bytes).U
      mine -> (start.U + place * counters.size.U + word)
    }
    // a word of no group is no counter's, and what is given for it is not looked at
    RegNext(Mux1H(those.map { case (mine, number) => mine -> number.pad(bitsOfAll)(bitsOfAll - 1, 0) }))
  }

  /** A table of constants, one for each counter's number. */
  private def table(width: Int)(entry: Int => Int): UInt = VecInit(all.indices.map(entry(_).U(width.W)))(index)
  private val storeOf = all.indices.map(number => stores.indexWhere(_._2.contains(number)))
  private val at      = table(bitsOfAll)(number => stores(storeOf(number))._2.indexOf(number))
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

object Observe {

  /** Cycles from the index of a counter to its word. */
  val latency = 2
}
