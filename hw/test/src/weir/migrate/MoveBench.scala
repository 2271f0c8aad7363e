// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import chisel3.simulator.PeekPokeAPI._
import weir.config.WeirConfig

import scala.collection.mutable

/** How a bench is broken on purpose. */
case class MoveFault(
    unlocked: Boolean = false,   // accesses to locked lines go on at the source
    unfenced: Boolean = false,   // accesses under way are not waited for
    unwritten: Boolean = false,  // all is said to be in memory at once
    wholeLines: Boolean = false, // bytes that a write masks are written
    untold: Boolean = false      // lines are lost on their way to the mover, which is not told
)

/** A memory that reorders and delays, around a [[PageMover]]: demand accesses at random, and what the mover is told of
  * them.
  *
  * Values of words of 8 bytes are numbers of writes, 0 where nothing was written, but for pointers (bit 63). `newest`
  * is what memory holds with all accepted writes, `cells` what it holds without those that wait: they leave in any
  * order, but for writes of a line. A read takes what is newest when it returns, a long time after it was sent.
  * Of what the mover reads a share of `losses` is lost on its way.
  * `reference` is by the region's lines, wherever they live. Everything here is in pages, lines and words of 8 bytes.
  */
class MoveBench(
    dut: PageMover,
    config: WeirConfig,
    seed: Long,
    table: Boolean,
    fault: MoveFault = MoveFault(),
    losses: Double = 0
) {
  val random              = new scala.util.Random(seed)
  private val wordsOfLine = config.geometry.lineBytes / 8
  private val linesOfPage = 4096 / config.geometry.lineBytes
  private val pages       = (config.memoryBytes / 4096).toInt
  val firstPage: Int      = pages / 2
  private val bitmapPage  = 3
  val tablePage: Int      = firstPage + 1
  val frameBase           = 32
  val frameCount          = 4
  val frames: Seq[Int]    = frameBase until frameBase + frameCount
  val usedPages: Seq[Int] = Seq(firstPage, firstPage + 63, firstPage + 64, firstPage + 511, firstPage + 512, pages - 1)
  type Line = Array[Long]
  private def blank: Line                                         = Array.fill(wordsOfLine)(0L)
  val newest: mutable.Map[Int, Line]                              = mutable.Map[Int, Line]()
  val cells: mutable.Map[Int, Line]                               = mutable.Map[Int, Line]()
  val reference: mutable.Map[Int, Line]                           = mutable.Map[Int, Line]()
  private def at(memory: mutable.Map[Int, Line], line: Int): Line = memory.getOrElseUpdate(line, blank)

  // the newest number that a word of the region had in the cells of its home, and in any cells
  private val seenAtHome, seenAnywhere = mutable.Map[(Int, Int), Long]().withDefaultValue(0L)
  private val homeOfNumber             = mutable.Map[Long, (Int, Int)]()

  private case class Write(line: Int, words: Int, data: Line)
  private val waiting = mutable.ArrayBuffer[(Write, Boolean)]() // accepted, not in the cells; marked
  private val sent    = mutable.Queue[(Write, Boolean)]()       // not accepted; whether the mover's

  private def accept(write: Write): Unit = {
    for (word <- 0 until wordsOfLine if (write.words >> word & 1) == 1) at(newest, write.line)(word) = write.data(word)
    waiting += write -> false
  }
  private def leaves(index: Int): Unit = {
    val (write, _) = waiting.remove(index)
    for (word <- 0 until wordsOfLine if (write.words >> word & 1) == 1) {
      val value = write.data(word)
      at(cells, write.line)(word) = value
      for (home <- homeOfNumber.get(value)) {
        seenAnywhere(home) = seenAnywhere(home).max(value)
        if (write.line == home._1) seenAtHome(home) = seenAtHome(home).max(value)
      }
    }
  }

  // ---- What place knows
  private val frameOfPage    = mutable.Map[Int, Int]()
  private val used           = mutable.Set[Int]()
  private val dirty          = mutable.Set[Int]()
  private val dirtyLines     = mutable.Set[(Int, Int)]()
  def mapping: Map[Int, Int] = frameOfPage.toMap
  def usedFrames: Set[Int]   = used.toSet.map((index: Int) => index + frameBase)

  private case class Demand(home: Int, line: Int, write: Option[(Int, Line)], var left: Int, sent: Int)
  private val demands    = mutable.ArrayBuffer[Demand]()
  private var writesSent = 0L
  private var cycle      = 0
  var reads, cuts        = 0
  var linesLost          = 0
  var demandShare        = 0.5
  private val internal   = mutable.ArrayBuffer[(Int, Int)]() // line, tag
  private var fenceSince = Option.empty[Int]
  private var updating   = Option.empty[(Int, Option[Int], Int)]
  private var answer     = Option.empty[(Boolean, Boolean, Boolean)]

  private def peek(bits: Data): BigInt = bits match {
    case bool: Bool => bool.peek().litValue
    case uint: UInt => uint.peek().litValue
    case other      => throw new IllegalArgumentException(s"$other")
  }
  private def high(bits: Bool): Boolean = bits.peek().litToBoolean
  private def number(bits: UInt): Int   = bits.peek().litValue.toInt

  private def toWords(data: BigInt): Line = Array.tabulate(wordsOfLine)(word => (data >> (64 * word)).toLong)
  private def toBits(line: Line): BigInt  =
    line.zipWithIndex.map { case (word, i) => (BigInt(word) & ((BigInt(1) << 64) - 1)) << (64 * i) }.reduce(_ | _)

  private val place = dut.io.place

  def reset(): Unit = {
    dut.io.control.enable.poke(true)
    dut.io.control.table.poke(table)
    dut.io.control.bitmapBase.poke(bitmapPage)
    dut.io.control.pointerBase.poke(tablePage)
    dut.io.control.frameBase.poke(frameBase)
    dut.io.control.frameCount.poke(frameCount)
    dut.io.registers.rate.lines.poke(1)
    dut.io.registers.rate.cycles.poke(1)
    dut.io.registers.gives.poke(false)
    dut.reset.poke(true)
    dut.clock.step()
    dut.reset.poke(false)
  }

  private def chance(share: Double): Boolean = random.nextDouble() < share

  /** Where an access to a line of a page goes in this cycle, unless it waits; and the frame. */
  private def whereIs(page: Int, line: Int): Option[(Int, Option[Int])] = {
    val window = place.window
    val frame  = frameOfPage.get(page)
    if (high(window.active) && number(window.page) == page) {
      val done      = number(window.done)
      val until     = if (fault.unlocked) done else number(window.lockedUntil)
      val toDram    = high(window.toDram)
      val itsFrame  = number(window.frame)
      val isInFrame = if (line < done) toDram else !toDram
      if (line >= done && line < until) None
      else if (isInFrame) Some(itsFrame * linesOfPage + line -> Some(itsFrame))
      else Some(page * linesOfPage + line                    -> None)
    } else if (updating.exists(_._1 == page)) None
    else Some(frame.getOrElse(page) * linesOfPage + line -> frame)
  }

  private def demand(): Unit = if (demands.size < 12 && chance(demandShare)) {
    // often the page that moves
    val page =
      if (high(place.window.active) && chance(0.7)) number(place.window.page)
      else usedPages(random.nextInt(usedPages.size))
    val line =
      if (chance(0.5)) random.nextInt(linesOfPage) else (number(place.window.done) + random.nextInt(6)) % linesOfPage
    for ((at, frame) <- whereIs(page, line)) {
      val home = page * linesOfPage + line
      if (chance(0.5)) {
        val words = 1 + random.nextInt((1 << wordsOfLine) - 1)
        val data  = Array.fill(wordsOfLine) { writesSent += 1; writesSent }
        for (word <- 0 until wordsOfLine) homeOfNumber(data(word)) = (home, word)
        for (frame <- frame) {
          dirty += frame - frameBase
          dirtyLines += ((frame - frameBase, line))
        }
        demands += Demand(home, at, Some(words -> data), 1 + random.nextInt(30), cycle)
      } else demands += Demand(home, at, None, 1 + random.nextInt(30), cycle)
    }
  }

  /** Demand accesses to a line keep their order, as they do in the controller's queues. */
  private def demandsEnd(): Unit = {
    demands.foreach(_.left -= 1)
    for (each <- demands.toSeq if each.left <= 0 && !demands.takeWhile(_ != each).exists(_.home == each.home)) {
      demands -= each
      each.write match {
        case Some((words, data)) =>
          accept(Write(each.line, words, data))
          for (word <- 0 until wordsOfLine if (words >> word & 1) == 1) at(reference, each.home)(word) = data(word)
        case None =>
          reads += 1
          val is     = at(newest, each.line)
          val should = at(reference, each.home)
          assert(
            is.sameElements(should),
            s"cycle $cycle: line ${each.home % linesOfPage} of page ${each.home / linesOfPage} is stale: read ${is.mkString(" ")}, " +
              s"wanted ${should.mkString(" ")}"
          )
      }
    }
  }

  /** What a power cut in this cycle leaves. */
  private def cutPower(): Unit = {
    cuts += 1
    for (page <- usedPages) {
      val index = page - firstPage
      val entry = at(cells, tablePage * linesOfPage + index / wordsOfLine)(index % wordsOfLine)
      for (line <- page * linesOfPage until (page + 1) * linesOfPage; word <- 0 until wordsOfLine) {
        val is = at(cells, line)(word)
        assert(is >= seenAtHome((line, word)), s"cycle $cycle: power cut loses what the home of page $page held")
        if (entry >= 0)
          assert(
            is >= seenAnywhere((line, word)),
            s"cycle $cycle: power cut loses what page $page held, which has no entry"
          )
      }
    }
  }

  /** The state of the reference that NVM alone must hold by now. */
  def expectAllHome(snapshot: Map[Int, Line]): Unit =
    for ((line, words) <- snapshot; word <- 0 until wordsOfLine if table || word > 0 || line % linesOfPage > 0)
      assert(at(cells, line)(word) >= words(word), s"after the flush line $line is not at home")

  def snapshot: Map[Int, Line] = reference.map { case (line, words) => line -> words.clone }.toMap

  def step(): Unit = {
    // ---- what is answered in this cycle
    place.returns()
    val taken = sent.headOption.filter(_ => chance(0.3))
    place.memory.accepted.poke(taken.exists(_._2))
    val fenced = fenceSince.exists(since => fault.unfenced || !demands.exists(_.sent <= since)) && chance(0.5)
    place.fence.ready.poke(fenced)
    place.updates.ready.poke(updating.isEmpty && chance(0.5))
    place.updated.poke(updating.exists(_._3 == 0))
    val framesReady = chance(0.5)
    place.frames.ready.poke(framesReady)
    place.memory.reads.ready.poke(chance(0.5))
    place.memory.writes.ready.poke(chance(0.5))
    place.frame.used.poke(answer.exists(_._1))
    place.frame.dirty.poke(answer.exists(_._2))
    place.frame.lineDirty.poke(answer.exists(_._3))
    dut.io.pending.poke(waiting.exists(_._2) && !fault.unwritten)

    // ---- what the mover does
    demand()
    if (high(place.memory.reads.valid) && high(place.memory.reads.ready)) {
      val tag = number(place.memory.reads.bits.tag)
      assert(!internal.exists(_._2 == tag), s"cycle $cycle: tag $tag is under way already")
      internal += number(place.memory.reads.bits.line) -> tag
    }
    if (high(place.memory.writes.valid) && high(place.memory.writes.ready)) {
      val strobe = peek(place.memory.writes.bits.strobe)
      val words  = (0 until wordsOfLine).map { word =>
        val bytes = ((strobe >> (8 * word)) & 0xff).toInt
        assert(bytes == 0 || bytes == 0xff)
        if (bytes == 0 && !fault.wholeLines) 0 else 1 << word
      }.sum
      sent.enqueue(
        Write(number(place.memory.writes.bits.line), words, toWords(peek(place.memory.writes.bits.data))) -> true
      )
    }
    if (high(place.fence.valid)) { if (fenceSince.isEmpty) fenceSince = Some(cycle) }
    if (fenced) fenceSince = None
    if (high(dut.io.mark))
      for (i <- waiting.indices) waiting(i) = waiting(i)._1 -> true
    answer = None
    if (high(place.frames.valid) && framesReady) {
      val request = place.frames.bits
      val index   = number(request.index)
      val line    = number(request.line)
      answer = Some((used(index), dirty(index), dirtyLines((index, line))))
      if (high(request.writeUsed)) if (high(request.state.used)) used += index else used -= index
      if (high(request.writeDirty)) if (high(request.state.dirty)) dirty += index else dirty -= index
      if (high(request.writeLine))
        if (high(request.state.lineDirty)) dirtyLines += ((index, line)) else dirtyLines -= ((index, line))
    }
    updating match {
      case Some((page, frame, 0)) =>
        updating = None
        frame match {
          case Some(frame) =>
            frameOfPage(page) = frame
            val index        = page - firstPage
            val (line, word) =
              if (table) (tablePage * linesOfPage + index / wordsOfLine, index % wordsOfLine)
              else (page * linesOfPage, 0)
            assert(
              at(newest, line)(word) == (frame | 1L << 63),
              s"cycle $cycle: page $page has no pointer to frame $frame"
            )
          case None => frameOfPage -= page
        }
        val index = page - firstPage
        val line  = bitmapPage * linesOfPage + index / 64 / wordsOfLine
        val words = at(newest, line).clone
        words(index / 64 % wordsOfLine) =
          words(index / 64 % wordsOfLine) & ~(1L << index) | (if (frame.isDefined) 1L << index else 0L)
        accept(Write(line, 1 << index / 64 % wordsOfLine, words))
      case Some((page, frame, left)) => updating = Some((page, frame, left - 1))
      case None                      =>
        if (high(place.updates.valid) && high(place.updates.ready)) {
          val update = place.updates.bits
          updating = Some(
            (number(update.page), Option.when(high(update.redirected))(number(update.frame)), 1 + random.nextInt(20))
          )
        }
    }

    // ---- time goes by
    if (taken.isDefined) accept(sent.dequeue()._1)
    demandsEnd()
    while (waiting.size > 16 || waiting.nonEmpty && chance(0.3)) {
      val index = random.nextInt(waiting.size)
      leaves(waiting.indexWhere(_._1.line == waiting(index)._1.line))
    }
    if (table && chance(0.02)) cutPower()
    dut.clock.step()
    cycle += 1
  }

  private implicit class Returns(port: weir.place.remap.MovePort) {

    /** Answers one of the mover's reads, or none. */
    def returns(): Unit = {
      val answers = internal.nonEmpty && chance(0.2)
      port.memory.returns.valid.poke(answers)
      if (answers) {
        val (line, tag) = internal.remove(random.nextInt(internal.size))
        val lost        = chance(losses)
        if (lost) linesLost += 1
        port.memory.returns.bits.tag.poke(tag)
        port.memory.returns.bits.lost.poke(lost && !fault.untold)
        port.memory.returns.bits.data.poke(
          if (lost) BigInt(64 * wordsOfLine, random) else toBits(at(newest, line))
        )
      }
    }
  }

  // ---- Commands
  var issued        = 0
  private def mover = dut.io.registers

  def give(operation: MoveOperation.Type, page: BigInt = 0, frame: BigInt = 0): Unit = {
    while (!high(mover.room)) step()
    mover.gives.poke(true)
    step()
    // the registers hold what was written a cycle later
    mover.gives.poke(false)
    mover.operation.poke(operation.litValue)
    for ((low, high, address) <- Seq((mover.pageLow, mover.pageHigh, page), (mover.frameLow, mover.frameHigh, frame))) {
      low.poke(address & 0xffffffffL)
      high.poke(address >> 32)
    }
    step()
    issued += 1
  }

  /** Waits until all commands are completed. */
  def complete(): Unit = {
    val begun = cycle
    while (number(mover.completed) != (issued & 0xffff)) {
      step()
      assert(
        cycle - begun < 100000,
        s"the mover does not come to an end: ${number(mover.completed)} of $issued commands"
      )
    }
  }

  def result(number: Int): Int = this.number(mover.results(number % MoveQueue.depth))
  def copied: Long             = mover.lines.peek().litValue.toLong
}
