// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._
import chisel3.simulator.PeekPokeAPI._

/** Drives the AXI4-Lite port of a module in simulation, as a manager.
  *
  * @param axil  the port
  * @param clock the module's clock
  */
class AxiLiteDriver(axil: AxiLite, clock: Clock) {
  import AxiLiteDriver._

  axil.awvalid.poke(false)
  axil.wvalid.poke(false)
  axil.arvalid.poke(false)
  axil.bready.poke(false)
  axil.rready.poke(false)
  axil.awprot.poke(0)
  axil.arprot.poke(0)

  private def isHigh(bit: Bool): Boolean = bit.peek().litToBoolean

  /** Writes a word. Address and data are offered from the given cycles on, and the answer is taken from `takeAfter` on.
    *
    * @return the response
    */
  def write(
      address: Int,
      data: Long,
      strobe: Int = 15,
      addressAfter: Int = 0,
      dataAfter: Int = 0,
      takeAfter: Int = 0
  ): Int = {
    var addressTaken = false
    var dataTaken    = false
    answer(f"write 0x$address%x") { cycle =>
      val offerAddress = !addressTaken && cycle >= addressAfter
      val offerData    = !dataTaken && cycle >= dataAfter
      axil.awvalid.poke(offerAddress)
      axil.wvalid.poke(offerData)
      if (offerAddress) axil.awaddr.poke(address)
      if (offerData) {
        axil.wdata.poke(data)
        axil.wstrb.poke(strobe)
      }
      axil.bready.poke(cycle >= takeAfter)
      val early = !(addressTaken && dataTaken)
      addressTaken ||= offerAddress && isHigh(axil.awready)
      dataTaken ||= offerData && isHigh(axil.wready)
      val response = Option.when(cycle >= takeAfter && isHigh(axil.bvalid))(axil.bresp.peek().litValue.toInt)
      assert(response.isEmpty || !early, f"write 0x$address%x was answered before it was taken")
      clock.step()
      axil.awvalid.poke(false)
      axil.wvalid.poke(false)
      axil.bready.poke(false)
      response
    }
  }

  /** Reads a word, taking the answer from `takeAfter` cycles on.
    *
    * @return data and response
    */
  def read(address: Int, takeAfter: Int = 0): (Long, Int) = {
    var taken = false
    answer(f"read 0x$address%x") { cycle =>
      axil.arvalid.poke(!taken)
      axil.araddr.poke(address)
      val ready = cycle >= takeAfter
      axil.rready.poke(ready)
      taken ||= isHigh(axil.arready)
      val word =
        Option.when(ready && isHigh(axil.rvalid))((axil.rdata.peek().litValue.toLong, axil.rresp.peek().litValue.toInt))
      clock.step()
      axil.arvalid.poke(false)
      axil.rready.poke(false)
      word
    }
  }

  /** Runs cycle after cycle until one gives an answer. */
  private def answer[T](access: String)(cycle: Int => Option[T]): T =
    Iterator
      .range(0, patience)
      .map(cycle)
      .collectFirst { case Some(answer) => answer }
      .getOrElse(throw new AssertionError(s"$access was not answered in $patience cycles"))
}

object AxiLiteDriver {
  val okay   = 0
  val slverr = 2

  /** Cycles in which every access must be answered once it was offered and its answer may be taken. */
  private val patience = 40
}
