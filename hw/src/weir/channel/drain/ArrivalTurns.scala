// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** Reads and writes have equal priority and take turns in the order in which they came: no drains, and the turn is of the
  * class of the oldest access, in all ranks. Within a class accesses go as in any other policy, those with an open row
  * first.
  *
  * The classes stand in a queue, a bit for each access that came. The first is taken off when its class has fewer accesses
  * waiting than bits in the queue, and so may be taken long after its access went out of its turn. Accesses that came while
  * the queue was full or another policy was in force have no bit, and go with others of their class; with no bit at all
  * reads come first. All of that is noticed nowhere but in the order, since:
  *
  * No class starves the other: a class keeps the turn for no more accesses than its queue holds while one of the other
  * class waits, as that one's bit stands behind those only; and a class of which an access is urgent has the turn, unless
  * both have one.
  *
  * Why a queue of classes: to compare the ages of the two queues' oldest accesses takes a second search for the oldest in
  * each, a matrix of as many bits as slots squared.
  */
private[drain] class ArrivalTurns(config: WeirConfig, view: DrainView) extends WriteDrainPolicy {
  private val policies = config.policies
  private val ranks    = config.geometry.ranks

  // both classes may come in one cycle, so even and odd places lie in memories of their own
  private val indexBits = log2Ceil(policies.readQueue + policies.writeQueue + 2)
  private val places    = Seq.fill(2)(Mem(1 << (indexBits - 1), Bool()))
  private val first     = RegInit(0.U(indexBits.W))
  private val end       = RegInit(0.U(indexBits.W))
  private val reads     = RegInit(0.U(indexBits.W))
  private val writes    = RegInit(0.U(indexBits.W))

  private val inForce   = new DrainChoice(config, view.control).equalPriority
  private val hasRoom   = reads +& writes <= ((1 << indexBits) - 3).U
  private val readCame  = view.readArrives && hasRoom && inForce
  private val writeCame = view.writeArrives && hasRoom && inForce

  for ((place, odd) <- places.zipWithIndex) {
    val isEnd = end(0) === (odd == 1).B
    when(Mux(isEnd, readCame || writeCame, readCame && writeCame)) {
      place.write((end + !isEnd) >> 1, Mux(isEnd, !readCame, true.B))
    }
  }

  private val queued     = reads =/= 0.U || writes =/= 0.U
  private val isWrite    = Mux(first(0), places(1).read(first >> 1), places(0).read(first >> 1))
  private val waitingAll = view.writes.reduce(_ +& _)
  private val readsStay  = view.reads - (view.readIssued && view.reads =/= 0.U)
  private val isServed   = Mux(isWrite, writes > waitingAll, reads > readsStay)
  private val takeOff    = queued && isServed
  private val takesRead  = takeOff && !isWrite
  private val takesWrite = takeOff && isWrite
  end    := Mux(inForce, end + (readCame +& writeCame), 0.U)
  first  := Mux(inForce, first + takeOff, 0.U)
  reads  := Mux(inForce, reads + readCame - takesRead, 0.U)
  writes := Mux(inForce, writes + writeCame - takesWrite, 0.U)

  /** The class in turn; while the first bit is one to be taken off, that before. */
  private val turnIsWrite = RegInit(false.B)
  when(view.readUrgent =/= view.writeUrgent)(turnIsWrite := view.writeUrgent)
    .elsewhen(!queued)(turnIsWrite := view.reads === 0.U && waitingAll =/= 0.U)
    .elsewhen(!isServed)(turnIsWrite := isWrite)

  val write: UInt  = VecInit(Seq.fill(ranks)(turnIsWrite)).asUInt
  val starts: UInt = 0.U(ranks.W)
}
