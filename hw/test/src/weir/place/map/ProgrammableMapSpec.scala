// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Placement, Presets, WeirConfig}
import weir.device.Geometry

import scala.util.Random

/** The programmable map: which masks it takes, where it then leads each line, and what it shows of itself. */
class ProgrammableMapSpec extends AnyFunSpec with ChiselSim {

  private class Bench(val config: WeirConfig, broken: UInt => UInt = identity) extends Module {
    val choice = IO(Flipped(new MapChoice(config)))
    val line   = IO(Input(UInt(config.lineAddressBits.W)))
    val spot   = IO(Output(UInt(100.W)))
    val number = IO(Input(UInt(6.W)))
    val mask   = IO(Output(UInt(64.W)))

    private val registers = Module(new ProgrammableMap(config))
    registers.io.choice <> choice
    private val map = new MapOfRegisters(config, registers.io.state)
    spot := Spot.pack(map(broken(line)))
    mask := map.mask(number)
  }

  private val base    = Presets.all("paper-rank-assignment-8gb")
  private val configs = Seq(
    base.copy(geometry = Geometry(2, 2, 4, 9, 7, 64)),
    base.copy(channels = 1, geometry = Geometry(4, 1, 4, 8, 10, 16)),
    Presets.all("test-1rank-1phase"),
    base.copy(geometry = Geometry(4, 2, 2, 9, 7, 64), placement = Placement(map = Placement.rankOnTop))
  )

  private val (_, programmable) = AddressMaps.programmable

  private def bits(config: WeirConfig) = config.channelBits + config.geometry.rankBits + config.geometry.bankBits

  /** Offers a map; takes it if it may be taken.
    *
    * @return whether it may be taken
    */
  private def offer(bench: Bench, map: Int, masks: Seq[BigInt]): Boolean = {
    bench.choice.map.poke(map)
    bench.choice.masks.zip(masks).foreach { case (port, mask) => port.poke(mask) }
    bench.choice.take.poke(false)
    bench.choice.check.poke(true)
    val most   = bench.config.lineAddressBits + 2
    var waited = 0
    while (!bench.choice.checked.peek().litToBoolean && waited <= most) {
      bench.clock.step()
      waited += 1
    }
    assert(waited < most, "the check took longer than it says")
    val may = bench.choice.oneToOne.peek().litToBoolean
    bench.choice.take.poke(may)
    bench.clock.step()
    bench.choice.take.poke(false)
    bench.choice.check.poke(false)
    bench.clock.step(2)
    may
  }

  private def spot(bench: Bench, line: BigInt): Spot = {
    bench.line.poke(line)
    Spot.unpack(bench.spot.peek().litValue)
  }

  private def lines(config: WeirConfig, random: Random): Seq[BigInt] =
    (0 until config.lineAddressBits).map(BigInt(1) << _) ++ Seq.fill(40)(BigInt(config.lineAddressBits, random))

  /** Masks by chance, in half of the rounds with few bits, so that many depend on each other. */
  private def masks(config: WeirConfig, random: Random): Seq[BigInt] = {
    val width = if (random.nextBoolean()) config.lineAddressBits else bits(config) + 1
    Seq.fill(bits(config))(BigInt(width, random))
  }

  /** The bench leads lines where the model does. */
  private def follows(bench: Bench, model: BigInt => Spot, random: Random): Unit =
    for (line <- lines(bench.config, random)) assert(spot(bench, line) == model(line), s"line 0x${line.toString(16)}")

  /** Masks are taken just if they make the map one to one, and are followed then. */
  private def takesGoodMasks(bench: Bench, rounds: Int, random: Random): Unit = {
    val model           = new MapModel(bench.config)
    var inForce         = model.maps(bench.config.placement.map)
    var (took, refused) = (0, 0)
    for (_ <- 0 until rounds) {
      val chosen = masks(bench.config, random)
      val may    = offer(bench, programmable, chosen)
      assert(may == model.isOneToOne(chosen), s"${chosen.map(_.toString(2)).mkString(", ")}")
      if (may) {
        inForce = model.ofMasks(chosen)
        took += 1
      } else refused += 1
      follows(bench, inForce, random)
    }
    assert(took > rounds / 8 && refused > rounds / 8, s"$took taken, $refused refused")
  }

  /** The masks that are shown give each bit of each place. */
  private def showsMasks(bench: Bench, rounds: Int, random: Random): Unit = {
    val config   = bench.config
    val model    = new MapModel(config)
    val lineBits = Integer.numberOfTrailingZeros(config.geometry.dqBits) // a line has as many bytes as the bus has bits
    for (_ <- 0 until rounds) {
      val chosen = Iterator.continually(masks(config, random)).find(model.isOneToOne).get
      assert(offer(bench, programmable, chosen))
      val shown = (0 until 38).map { number =>
        bench.number.poke(number)
        bench.mask.peek().litValue
      }
      for (line <- lines(config, random)) {
        val at   = spot(bench, line)
        val beat = random.nextInt(8)
        val byte = (line << lineBits) + (BigInt(beat) << (lineBits - 3)) + random.nextInt(1 << (lineBits - 3))
        def value(first: Int, count: Int) =
          (0 until count).map(bit => ((shown(first + bit) & byte).bitCount % 2) << bit).sum
        assert(value(0, 1) == at.channel)
        assert(value(1, 2) == at.rank)
        assert(value(3, 2) * config.geometry.banksPerGroup + value(5, 4) == at.bank)
        assert(value(9, 11) == at.column * 8 + beat)
        assert(value(20, 18) == at.row)
      }
    }
  }

  for (config <- configs)
    it(s"chooses, checks and shows maps: ${config.channels} channels of ${config.geometry}") {
      simulate(new Bench(config)) { bench =>
        val random = new Random(3)
        val model  = new MapModel(config)
        follows(bench, model.maps(config.placement.map), random)
        for (map <- random.shuffle(AddressMaps.choosable(config.placement)).map(_.name)) {
          // whatever the masks of the programmable map are
          assert(offer(bench, AddressMaps.number(map), masks(config, random)))
          follows(bench, model.maps(map), random)
        }
        assert(offer(bench, AddressMaps.number(config.placement.map), masks(config, random)))
        takesGoodMasks(bench, 60, new Random(4))
        showsMasks(bench, 12, new Random(5))
      }
    }

  it("is found to be broken where a line's bit gets lost") {
    val loses = (line: UInt) => line & ~4.U(line.getWidth.W)
    assertThrows[TestFailedException](simulate(new Bench(configs.head, loses))(takesGoodMasks(_, 20, new Random(4))))
  }
}
