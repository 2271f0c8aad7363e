// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._

/** Lets go of the DFI when another master wants it, and takes it back.
  *
  * What is promised when `released` rises: no command of the channel comes until `wanted` falls; all lines that were read
  * have come and all writes have ended; every bank of every rank is precharged and tRP, tRFC and tZQCS have passed; a refresh
  * that could wait no longer has gone out. Accesses wait meanwhile, and are neither lost nor answered with an error.
  *
  * When `wanted` falls nothing is assumed of the banks: the first command to each rank is a precharge of all. Whatever else
  * the other master's last commands ask for (tRAS and tWR before that precharge, tRFC, tMOD) it has waited for itself.
  *
  * A wish that is withdrawn too early is remembered until it was granted, so that the channel is never halfway.
  *
  * Latency: two cycles from the last rank's being closed, and the last line's coming, to `released`; two from the fall of
  * `wanted` to the choice of the first precharge.
  */
class DfiHandover extends Module {
  val io = IO(new Bundle {

    /** Another master wants the DFI. */
    val wanted = Input(Bool())

    /** No rank is to have another access, and all are to be closed. */
    val close = Output(Bool())

    /** All ranks are closed and stay so. */
    val closed = Input(Bool())

    /** No read is under way. */
    val quiet = Input(Bool())

    /** The other master may have the DFI. From registers. */
    val released = Output(Bool())
  })
  private val close = RegInit(false.B)
  private val done  = RegNext(close && io.closed && io.quiet, false.B)
  io.close    := close
  io.released := close && done
  close       := io.wanted || close && !done
}
