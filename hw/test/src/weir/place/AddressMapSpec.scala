// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.Geometry

class AddressMapSpec extends AnyFunSpec with ChiselSim {

  private class Bench(geometry: Geometry, map: AddressMap) extends Module {
    val line     = IO(Input(UInt(geometry.lineAddressBits.W)))
    val location = IO(Output(new Location(geometry)))
    location := map(geometry, line)
  }

  for (geometry <- Seq(Geometry(2, 1, 4, 8, 5, 8), Geometry(4, 2, 4, 8, 6, 16), Geometry(1, 1, 8, 9, 5, 64)))
    it(s"RowRankBankColumn puts rows over ranks over banks over columns of $geometry") {
      simulate(new Bench(geometry, RowRankBankColumn)) { bench =>
        val columns = geometry.lineColumnBits match { case bits => 1 << bits }
        val lines   = BigInt(1) << geometry.lineAddressBits
        val random  = new scala.util.Random(1)
        val samples = (0 until 64).map(BigInt(_)) ++ Seq.fill(500)(BigInt(lines.bitLength - 1, random)) :+ (lines - 1)
        for (line <- samples) {
          bench.line.poke(line)
          bench.location.column.expect(line         % columns)
          bench.location.bank.expect(line / columns % geometry.banks)
          if (geometry.ranks > 1) bench.location.rank.expect(line / columns / geometry.banks % geometry.ranks)
          bench.location.row.expect(line / columns / geometry.banks / geometry.ranks)
        }
      }
    }
}
