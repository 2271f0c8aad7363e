// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.LongRun
import weir.config.{Presets, WeirConfig}
import weir.device.Geometry

import scala.util.Random

/** Every fixed map as gates, against arithmetic and against what it promises. */
class AddressMapSpec extends AnyFunSpec with ChiselSim {

  /** Some maps side by side, each with its place in one word. */
  private class Bench(config: WeirConfig, maps: Seq[AddressMap]) extends Module {
    val line  = IO(Input(UInt(config.lineAddressBits.W)))
    val spots = maps.map { map =>
      val spot = IO(Output(UInt(100.W))).suggestName(map.name)
      spot := Spot.pack(new FixedMap(config, map.masks(new PlaceBits(config)))(line))
      spot
    }
  }

  private def config(channels: Int, geometry: Geometry): WeirConfig =
    Presets.all("paper-rank-assignment-8gb").copy(channels = channels, geometry = geometry)

  /** Small enough to go through every line: lines of 8 and of 64 bytes, with and without bank groups. */
  private val small =
    Seq(
      config(2, Geometry(2, 1, 4, 8, 6, 8)),
      config(1, Geometry(2, 2, 2, 8, 6, 64)),
      config(2, Geometry(1, 4, 4, 8, 5, 16))
    )

  /** As wide as real ones: rows of 8 KiB and of 2 KiB, 16 banks. */
  private val real = Seq(
    config(2, Geometry(2, 1, 8, 14, 10, 64)),
    config(1, Geometry(1, 1, 8, 15, 10, 16)),
    config(2, Geometry(4, 4, 4, 17, 10, 64)),
    Presets.all("test-2channel")
  )

  /** Where each map leads each line. */
  private def simulated(config: WeirConfig, maps: Seq[AddressMap], lines: Seq[BigInt]): Seq[Map[BigInt, Spot]] = {
    var found = Seq.empty[Seq[Spot]]
    simulate(new Bench(config, maps)) { bench =>
      found = lines.map { line =>
        bench.line.poke(line)
        bench.spots.map(port => Spot.unpack(port.peek().litValue))
      }
    }
    found.transpose.map(spots => lines.zip(spots).toMap)
  }

  private def all(config: WeirConfig): Seq[BigInt] = (0 until 1 << config.lineAddressBits).map(BigInt(_))

  private def some(config: WeirConfig): Seq[BigInt] = {
    val random = new Random(1)
    (0 until 600).map(BigInt(_)) ++ Seq.fill(600)(BigInt(config.lineAddressBits, random)) :+
      ((BigInt(1) << config.lineAddressBits) - 1)
  }

  /** The map is the model's. */
  private def agrees(config: WeirConfig, name: String, spots: Map[BigInt, Spot]): Unit = {
    val model = new MapModel(config).maps(name)
    for ((line, spot) <- spots) assert(spot == model(line), s"$name, line 0x${line.toString(16)}")
  }

  private def title(config: WeirConfig) = s"${config.channels} channels of ${config.geometry}"

  it("lists the maps that the model has") {
    assert(AddressMaps.all.map(_.name).toSet == new MapModel(small.head).maps.keySet)
    assert(AddressMaps.all.map(_.name).distinct.size == AddressMaps.all.size)
  }

  it("numbers the maps as software was promised") {
    assert(
      AddressMaps.all.map(map => map.name -> AddressMaps.number(map.name)).toSet + AddressMaps.programmable == Set(
        "row_rank_bank_column" -> 0,
        "non_interleaved"      -> 1,
        "channel_interleaved"  -> 2,
        "bank_interleaved"     -> 3,
        "bank_xor"             -> 4,
        "programmable"         -> 5,
        "rank_row_bank_column" -> 6
      )
    )
  }

  it("keeps each rank in one range of addresses with the rank on top") {
    val config = small.head
    val lines  = all(config)
    val ranks  = lines.map(simulated(config, Seq(RankRowBankColumn), lines).head).filter(_.channel == 0).map(_.rank)
    assert(ranks == ranks.sorted && ranks.toSet == Set(0, 1))
  }

  it("refuses a config with a map that there is not") {
    val message = intercept[IllegalArgumentException](AddressMaps.number("diagonal")).getMessage
    assert(message.contains("Placement.map = diagonal") && message.contains("bank_xor"))
  }

  it("refuses masks that depend on each other") {
    val plain   = BankInterleaved.masks(new PlaceBits(small.head))
    val message = intercept[IllegalArgumentException](
      plain.copy(
        bank = plain.bank.updated(1, plain.bank(0) ^ plain.rank(0)),
        rank = Seq(plain.bank(1) ^ plain.rank(0)),
        channel = Seq(plain.bank(0) ^ plain.bank(1))
      )
    ).getMessage
    assert(message.contains("is the XOR of others"))
  }

  for (config <- small)
    it(
      s"leads every line to a place of its own, the model's: ${title(config)}",
      LongRun.unless(config == small.head): _*
    ) {
      val lines = all(config)
      for ((map, spots) <- AddressMaps.all.zip(simulated(config, AddressMaps.all, lines))) {
        agrees(config, map.name, spots)
        assert(spots.values.toSet.size == lines.size, map.name)
      }
    }

  for (config <- real)
    it(s"is the model's: ${title(config)}") {
      for ((map, spots) <- AddressMaps.all.zip(simulated(config, AddressMaps.all, some(config))))
        agrees(config, map.name, spots)
    }

  it("keeps what the paper says of each map") {
    val config = real.head // lines of 64 bytes, rows of 8 KiB
    val lines  = 4096 / 64
    val random = new Random(2)
    val pages  =
      Seq.fill(20)(BigInt(config.lineAddressBits, random) / lines).map(page => (0 until lines).map(page * lines + _))
    // the same line of eight consecutive rows
    val rows  = (0 until 8).map(_ * ((BigInt(1) << config.lineAddressBits) >> config.geometry.rowBits))
    val spots = AddressMaps.all.zip(simulated(config, AddressMaps.all, pages.flatten ++ rows)).toMap

    for (page <- pages) {
      // places an entire physical page in one DRAM row
      assert(page.map(spots(NonInterleaved)).map(_.copy(column = 0)).distinct.size == 1)
      // scatters a page across all the channels
      assert(page.map(spots(ChannelInterleaved)).map(_.channel) == Seq.tabulate(lines)(_ % 2))
      // four consecutive cache lines in one bank, the next four in the next bank of the same rank, and so on
      for (map <- Seq(BankInterleaved, BankXor)) {
        val groups = page.map(spots(map)).grouped(4).toSeq
        for (group <- groups) assert(group.map(_.copy(column = 0)).distinct.size == 1)
        for (eight <- groups.grouped(8)) assert(eight.map(_.head.bank).distinct.size == 8)
        assert(groups.flatten.map(spot => (spot.channel, spot.rank)).distinct.size == 1)
      }
      val banks = page.map(spots(BankInterleaved)).grouped(4).map(_.head.bank).toSeq
      assert(banks.zip(banks.tail).forall { case (one, next) => next == (one + 1) % 8 })
      // the bank by XOR-ing the row and bank pointed to by the address
      for (line <- page) {
        val plain = spots(BankInterleaved)(line)
        assert(spots(BankXor)(line) == plain.copy(bank = plain.bank ^ (plain.row & 7)))
      }
    }
    assert(rows.map(spots(BankInterleaved)).map(_.bank).distinct.size == 1)
    assert(rows.map(spots(BankXor)).map(_.bank).distinct.size == 8)
  }

  it(
    "is found to be broken where a bank is XORed with another row bit, two bank bits are swapped, or the rank lies low"
  ) {
    def broken(of: AddressMap)(change: Masks => Masks): AddressMap = new AddressMap {
      val name                   = of.name
      val description            = ""
      def masks(bits: PlaceBits) = change(of.masks(bits))
    }
    val maps = Seq(
      broken(BankXor)(masks => masks.copy(bank = masks.bank.init :+ (masks.bank.last ^ masks.row.head))),
      broken(RowRankBankColumn)(masks => masks.copy(bank = masks.bank.reverse)),
      broken(RankRowBankColumn)(_ => RowRankBankColumn.masks(new PlaceBits(small.head)))
    )
    for ((map, spots) <- maps.zip(simulated(small.head, maps, all(small.head))))
      assertThrows[TestFailedException](agrees(small.head, map.name, spots))
  }
}
