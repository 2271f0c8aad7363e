// SPDX-License-Identifier: Apache-2.0
package weir.ram

import chisel3._
import chisel3.util._

/** A memory that synthesis puts into block RAM, with one read port and one write port: `readData` is what `readAddress` held
  * when `read` was last high, and undefined if that was written in that cycle; 0 after `clear`, which comes before `read`.
  *
  * It is Verilog of its own because FIRRTL has no read port that keeps its data, nor attributes of memories. `no_rw_check`
  * tells Yosys that nothing depends on what a word that is being written reads.
  */
class BlockRam(depth: Int, width: Int) extends BlackBox with HasBlackBoxInline {
  override def desiredName = s"BlockRam_${depth}x$width"
  private val addressBits  = log2Ceil(depth)
  val io                   = IO(new Bundle {
    val clock        = Input(Clock())
    val write        = Input(Bool())
    val writeAddress = Input(UInt(addressBits.W))
    val writeData    = Input(UInt(width.W))
    val read         = Input(Bool())
    val clear        = Input(Bool())
    val readAddress  = Input(UInt(addressBits.W))
    val readData     = Output(UInt(width.W))
  })
  setInline(
    s"$desiredName.sv",
    s"""module $desiredName(
       |  input                      clock, write, read, clear,
       |  input  [${addressBits - 1}:0] writeAddress, readAddress,
       |  input  [${width - 1}:0]    writeData,
       |  output reg [${width - 1}:0] readData
       |);
       |  (* ram_style = "block", no_rw_check *) reg [${width - 1}:0] memory[0:${depth - 1}];
       |  always @(posedge clock) begin
       |    if (write) memory[writeAddress] <= writeData;
       |    if (clear) readData <= 0;
       |    else if (read) readData <= memory[readAddress];
       |  end
       |endmodule
       |""".stripMargin
  )
}
