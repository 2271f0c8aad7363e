// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Presets, WeirConfig}
import weir.{LongRun, Seed}

import scala.collection.mutable

/** Random commands beside random accesses, against what memory should hold; every command's result against an own
  * account of which page is where; power cuts at any time. See [[MoveBench]].
  */
class PageMoverSpec extends AnyFunSpec with ChiselSim {
  private val preset = Presets.all("test-migration")

  private def config(dirtyLines: Boolean, window: Int = 4): WeirConfig = preset.copy(
    remapping = preset.remapping.map(_.copy(dirtyLines = dirtyLines)),
    migration = preset.migration.map(_.copy(window = window))
  )

  /** Gives commands, some of them bad ones, and checks what becomes of each. */
  private def run(bench: MoveBench, table: Boolean, commands: Int): Unit = {
    import bench.random
    val where = mutable.Map[Int, Int]()
    bench.reset()
    for (_ <- 0 until commands) {
      val page     = bench.usedPages(random.nextInt(bench.usedPages.size))
      val frame    = bench.frames(random.nextInt(bench.frames.size))
      val kind     = random.nextInt(20)
      val promotes = random.nextInt(2) == 0
      val badPage  = kind match {
        case 0          => Some(bench.firstPage - 1)
        case 1          => Some(1 << 20)
        case 2 if table => Some(bench.tablePage)
        case _          => None
      }
      val badFrame =
        if (kind == 3) Some(bench.frameBase - 1) else if (kind == 4) Some(bench.frameBase + bench.frameCount) else None
      val offset   = if (kind == 5) 1 + random.nextInt(4095) else 0
      val before   = bench.snapshot
      val expected = if (kind == 6 || kind == 7) {
        bench.give(MoveOperation.flush)
        MoveResult.done
      } else {
        val thePage  = badPage.getOrElse(page)
        val theFrame = badFrame.getOrElse(frame)
        bench.give(
          if (promotes) MoveOperation.promote else MoveOperation.evict,
          BigInt(thePage) * 4096 + offset,
          BigInt(theFrame) * 4096
        )
        if (offset != 0) MoveResult.misaligned
        else if (badPage.isDefined) MoveResult.outsideRegion
        else if (promotes && badFrame.isDefined) MoveResult.outsideFrames
        else if (where.contains(page) == promotes) MoveResult.alreadyThere
        else if (promotes && where.values.toSet(frame)) MoveResult.frameInUse
        else {
          if (promotes) where(page) = frame else where -= page
          MoveResult.done
        }
      }
      val number = bench.issued - 1
      // sometimes the next ones are given while this one is under way
      if (kind == 6 || kind == 7 || random.nextInt(2) == 0) {
        bench.complete()
        assert(bench.result(number) == expected.litValue.toInt, s"result of command $number, wanted $expected")
        assert(
          bench.mapping == where.toMap && bench.usedFrames == where.values.toSet,
          "pages are not where the commands brought them"
        )
        if (kind == 6 || kind == 7) bench.expectAllHome(before)
      }
    }
    bench.complete()
    assert(bench.mapping == where.toMap)
    // everything home, and nothing lost on the way
    for (page <- where.keys) bench.give(MoveOperation.evict, BigInt(page) * 4096)
    bench.complete()
    bench.demandShare = 0
    for (_ <- 0 until 60) bench.step()
    for ((line, words) <- bench.reference) assert(bench.newest(line).sameElements(words), s"line $line is not home")
    assert(bench.reads > 0)
  }

  private def trial(
      config: WeirConfig,
      table: Boolean,
      commands: Int,
      fault: MoveFault = MoveFault(),
      losses: Double = 0
  ): Unit = {
    val seed = Seed.value
    info(s"seed $seed")
    simulate(new PageMover(config)) { dut =>
      val bench = new MoveBench(dut, config, seed, table, fault, losses)
      run(bench, table, commands)
      assert((bench.linesLost > 0) == (losses > 0))
      info(
        s"${bench.reads} reads, ${bench.cuts} power cuts, ${bench.copied} lines copied, ${bench.linesLost} lost on their way"
      )
    }
  }

  for (table <- Seq(true, false); dirtyLines <- Seq(false, true))
    it(
      s"moves pages, pointers ${if (table) "in a table" else "at home"}, dirty ${if (dirtyLines) "lines" else "pages"}",
      LongRun.unless(table != dirtyLines): _*
    ) {
      trial(config(dirtyLines, if (dirtyLines) 2 else 8), table, commands = 30)
    }

  for (table <- Seq(true, false))
    it(
      s"reads again what was lost on its way, pointers ${if (table) "in a table" else "at home"}",
      LongRun.unless(table): _*
    ) {
      trial(config(dirtyLines = true), table, commands = 30, losses = 0.2)
    }

  it("finds lines that were lost and are taken") {
    val complaints =
      Seq("is stale", "has no pointer", "result of", "not at home", "power cut loses", "the commands brought")
    val error = intercept[Throwable](
      trial(config(dirtyLines = false), table = true, commands = 400, MoveFault(untold = true), losses = 0.2)
    )
    assert(complaints.exists(error.getMessage.contains(_)), error.getMessage)
  }

  for (
    (name, table, fault, complaints) <- Seq(
      ("accesses to locked lines", true, MoveFault(unlocked = true), Seq("is stale", "power cut loses", "is not")),
      (
        "accesses that were not waited for",
        true,
        MoveFault(unfenced = true),
        Seq("is stale", "power cut loses", "is not")
      ),
      ("what is said to be in memory and is not", true, MoveFault(unwritten = true), Seq("power cut loses", "at home")),
      (
        "pointers that are overwritten",
        false,
        MoveFault(wholeLines = true),
        Seq("has no pointer", "is stale", "result of", "not at home", "the commands brought")
      )
    )
  )
    it(s"finds $name") {
      val error = intercept[Throwable](trial(config(dirtyLines = false), table, commands = 400, fault))
      assert(complaints.exists(error.getMessage.contains(_)), error.getMessage)
    }
}
