// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** A memory that synthesis puts into block RAM, with one read port and one write port: `readData` is what `readSlot` held
  * when `read` was last high, and undefined if the slot was written in that cycle.
  *
  * It is Verilog of its own because FIRRTL has no read port that keeps its data, nor attributes of memories. `no_rw_check`
  * tells Yosys that nothing depends on what a slot that is being written reads.
  */
class SlotMemory(slots: Int, width: Int) extends BlackBox with HasBlackBoxInline {
  override def desiredName = s"SlotMemory_${slots}x$width"
  private val slotBits     = log2Ceil(slots)
  val io                   = IO(new Bundle {
    val clock     = Input(Clock())
    val write     = Input(Bool())
    val writeSlot = Input(UInt(slotBits.W))
    val writeData = Input(UInt(width.W))
    val read      = Input(Bool())
    val readSlot  = Input(UInt(slotBits.W))
    val readData  = Output(UInt(width.W))
  })
  setInline(
    s"$desiredName.sv",
    s"""module $desiredName(
       |  input                      clock, write, read,
       |  input  [${slotBits - 1}:0] writeSlot, readSlot,
       |  input  [${width - 1}:0]    writeData,
       |  output reg [${width - 1}:0] readData
       |);
       |  (* ram_style = "block", no_rw_check *) reg [${width - 1}:0] memory[0:${slots - 1}];
       |  always @(posedge clock) begin
       |    if (write) memory[writeSlot] <= writeData;
       |    if (read) readData <= memory[readSlot];
       |  end
       |endmodule
       |""".stripMargin
  )
}
