// SPDX-License-Identifier: Apache-2.0
package weir.front

import org.scalatest.funspec.AnyFunSpec

/** The reference against bursts worked out by hand. */
class AxiReferenceSpec extends AnyFunSpec {
  private val bus4 = new AxiReference(dataBusBytes = 4, addressBits = 16)
  private val bus8 = new AxiReference(dataBusBytes = 8, addressBits = 16)

  private def lanes(spec: AxiReference, request: Request): Seq[(Range.Inclusive, BigInt)] =
    spec.transfers(request).map(t => (t.bytes.head._1 to t.bytes.last._1, t.bytes.head._2))

  it("starts INCR at an unaligned address and aligns from the second transfer on") {
    assert(
      lanes(bus4, Request(0, 0x07, 3, 2, 1)) == Seq((3 to 3, 0x07), (0 to 3, 0x08), (0 to 3, 0x0c), (0 to 3, 0x10))
    )
  }

  it("moves narrow transfers over the lanes") {
    assert(
      lanes(bus8, Request(0, 0x04, 4, 1, 1)) ==
        Seq((4 to 5, 0x04), (6 to 7, 0x06), (0 to 1, 0x08), (2 to 3, 0x0a), (4 to 5, 0x0c))
    )
  }

  it("wraps at the container's end") {
    assert(
      lanes(bus8, Request(0, 0x34, 7, 2, 2)) == Seq(
        (4 to 7, 0x34),
        (0 to 3, 0x38),
        (4 to 7, 0x3c),
        (0 to 3, 0x20),
        (4 to 7, 0x24),
        (0 to 3, 0x28),
        (4 to 7, 0x2c),
        (0 to 3, 0x30)
      )
    )
  }

  it("stays at the same lanes in FIXED") {
    assert(lanes(bus8, Request(0, 0x13, 2, 2, 0)) == Seq.fill(3)((3 to 3, 0x13)))
  }

  it("goes on at address 0 past the last address") {
    assert(lanes(bus8, Request(0, 0xfff8, 1, 3, 1)) == Seq((0 to 7, 0xfff8), (0 to 7, 0)))
  }

  it("knows what AXI4 forbids") {
    val legal     = Request(0, 0x20, 3, 2, 2)
    val forbidden = Seq(
      legal.copy(kind = 3),
      legal.copy(len = 2),
      legal.copy(len = 0),
      legal.copy(address = 0x22),
      legal.copy(size = 3),
      legal.copy(kind = 0, len = 16)
    )
    assert(
      bus4.isLegal(legal) && bus4.isLegal(legal.copy(kind = 1, len = 255)) && bus4.isLegal(
        legal.copy(kind = 0, len = 15)
      )
    )
    assert(forbidden.forall(!bus4.isLegal(_)))
  }
}
