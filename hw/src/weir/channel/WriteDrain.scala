// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Decides which ranks write and which read: reads first, writes gathered for each rank and drained between a high and a
  * low water mark.
  *
  * A rank's drain starts when its queued writes reach `highWaterMark`, when the write queue is full, or when a read waits for
  * one of its writes or one of them has waited for the age limit (`cause`). It ends at `lowWaterMark`, unless
  * its cause still stands. With no read for [[quietCycles]] all ranks write.
  *
  * No class starves the other: drains end after `writeQueue` writes if reads wait, and then none starts before as many
  * reads as the read queue holds went out or none is left; and none starts while the oldest read is urgent.
  *
  * Latency: the outputs are registers, one cycle behind the inputs.
  */
class WriteDrain(config: WeirConfig) extends Module {
  private val ranks      = config.geometry.ranks
  private val policies   = config.policies
  private val writeLevel = UInt(log2Ceil(policies.writeQueue + 1).W)
  private val readLevel  = UInt(log2Ceil(policies.readQueue + 1).W)

  /** Read-free cycles after which writes below the high water mark may go: more than a read spends between queue and
    * requester, so that a requester that waits for each read before it sends the next is not slowed by bus turns.
    */
  private val quietCycles = 32

  val io = IO(new Bundle {
    val highWaterMark = Input(writeLevel)
    val lowWaterMark  = Input(writeLevel)
    val writes        = Input(Vec(ranks, writeLevel))
    val writesFull    = Input(Bool())
    val reads         = Input(readLevel)
    val readUrgent    = Input(Bool())

    /** A read waits for a write of the rank, or a write of it has waited too long. */
    val cause       = Input(Vec(ranks, Bool()))
    val writeIssued = Input(Bool())
    val readIssued  = Input(Bool())

    /** Ranks whose writes may have commands; the others' reads may. */
    val write = Output(Vec(ranks, Bool()))

    /** A drain begins. */
    val starts = Output(Vec(ranks, Bool()))
  })

  private val draining  = RegInit(VecInit(Seq.fill(ranks)(false.B)))
  private val issued    = RegInit(0.U(log2Ceil(policies.writeQueue + 1).W))
  private val readsTurn = RegInit(0.U(log2Ceil(policies.readQueue + 1).W))
  private val quiet     = RegInit(0.U(log2Ceil(quietCycles + 1).W))
  private val noReads   = io.reads === 0.U
  private val isQuiet   = quiet === quietCycles.U

  when(!noReads)(quiet := 0.U).elsewhen(!isQuiet)(quiet := quiet + 1.U)

  private val batchEnds = issued === policies.writeQueue.U && !noReads
  private val mayStart  = noReads || (readsTurn === 0.U && !io.readUrgent)

  for (rank <- 0 until ranks) {
    val cause = io.cause(rank)
    val any   = io.writes(rank) =/= 0.U
    val start = !draining(rank) && any && mayStart && !batchEnds &&
      (io.writes(rank) >= io.highWaterMark || io.writesFull || cause)
    val stop = draining(rank) && (batchEnds || !any || (io.writes(rank) <= io.lowWaterMark && !cause))
    when(start)(draining(rank) := true.B)
    when(stop)(draining(rank)  := false.B)
    io.starts(rank) := start
  }

  when(!draining.asUInt.orR)(issued := 0.U)
    .elsewhen(io.writeIssued && !batchEnds)(issued := issued + (issued =/= policies.writeQueue.U))
  when(noReads)(readsTurn := 0.U)
    .elsewhen(batchEnds && draining.asUInt.orR)(readsTurn := policies.readQueue.U)
    .elsewhen(io.readIssued && readsTurn =/= 0.U)(readsTurn := readsTurn - 1.U)

  for (rank <- 0 until ranks) io.write(rank) := draining(rank) || isQuiet
}
