// SPDX-License-Identifier: Apache-2.0
package weir.front

/** A burst as a manager asks for it; `kind` is AxBURST: 0 FIXED, 1 INCR, 2 WRAP, 3 reserved. */
case class Request(id: Int, address: BigInt, len: Int, size: Int, kind: Int) {
  override def toString: String =
    s"${Seq("FIXED", "INCR", "WRAP", "type 3")(kind)} of ${len + 1} x ${1 << size} bytes at 0x${address.toString(16)}, id $id"
}

/** One transfer of a burst: the addresses of the bytes that it carries, each with its byte lane. */
case class Transfer(bytes: Seq[(Int, BigInt)])

/** What AXI4 says of a burst, written from ARM IHI 0022, A3.4.1 (address structure), transfer by transfer and in that
  * section's names.
  */
class AxiReference(dataBusBytes: Int, addressBits: Int) {
  private val limit = BigInt(1) << addressBits

  /** A3.4.1: AxBURST 3 is reserved, a wrapping burst has 2, 4, 8 or 16 transfers and an aligned start, AxSIZE does not
    * exceed the bus; FIXED has at most 16 transfers.
    */
  def isLegal(request: Request): Boolean = {
    val numberBytes = 1 << request.size
    val length      = request.len + 1
    numberBytes <= dataBusBytes && (request.kind match {
      case 0 => length <= 16
      case 1 => true
      case 2 => Set(2, 4, 8, 16).contains(length) && request.address % numberBytes == 0
      case _ => false
    })
  }

  /** The transfers of a legal burst. */
  def transfers(request: Request): Seq[Transfer] = {
    require(isLegal(request), s"not legal: $request")
    val startAddress            = request.address
    val numberBytes             = BigInt(1 << request.size)
    val burstLength             = request.len + 1
    val alignedAddress          = startAddress / numberBytes * numberBytes
    val wrapBoundary            = startAddress / (numberBytes * burstLength) * (numberBytes * burstLength)
    def address(n: Int): BigInt = {
      val plain = if (n == 1) startAddress else alignedAddress + (n - 1) * numberBytes
      request.kind match {
        case 0 => startAddress
        case 1 => plain
        case 2 =>
          val end = wrapBoundary + numberBytes * burstLength
          if (plain >= end) startAddress + (n - 1) * numberBytes - numberBytes * burstLength else plain
      }
    }
    for (n <- 1 to burstLength) yield {
      val at       = address(n)
      val bus      = at / dataBusBytes * dataBusBytes
      val isFirst  = n == 1 || request.kind == 0
      val lowLane  = (at - bus).toInt
      val highLane = if (isFirst) (alignedAddress + numberBytes - 1 - bus).toInt else lowLane + numberBytes.toInt - 1
      Transfer(for (lane <- lowLane to highLane) yield (lane, (bus + lane) % limit))
    }
  }
}
