// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import weir.PackedBench
import weir.config.WeirConfig

import scala.collection.mutable
import scala.util.Random

/** All around a `RemapUnit`: front with random accesses, a memory that reorders reads, software, and a mover that promotes and
  * evicts pages meanwhile. Every access must go where the page's lines are by the mover's account of it, and every read must
  * give the newest version that was accepted when it was sent, or a newer one.
  *
  * Nothing here is taken from the design but the names of its signals.
  *
  * @param moves whether pages move
  * @param memory how the memory is broken, if it is
  */
class RemapModel(
    config: WeirConfig,
    bench: PackedBench,
    seed: Int,
    table: Boolean,
    moves: Boolean = true,
    memory: RemapModel.Fault = RemapModel.Sound
) {
  import RemapModel._
  private val random    = new Random(seed)
  private val lineBytes = config.geometry.lineBytes
  private val perPage   = 4096 / lineBytes
  private val words     = lineBytes / 8
  private val ports     = config.axi.ports
  private val slots     = config.axi.readSlots
  private val pageCount = (config.memoryBytes / 4096).toInt
  private val firstPage = pageCount * config.nvm.get.firstRank / config.geometry.ranks

  private val bitmapBase  = 3
  private val pointerBase = firstPage + 5
  private val frameBase   = 40
  private val frameCount  = 6

  private def flip(chance: Double) = random.nextDouble() < chance

  // ---- what memory holds, by line
  private val stored                                                    = mutable.Map.empty[Int, Seq[BigInt]]
  private val none                                                      = Seq.fill(words)(BigInt(0))
  private def load(line: Int): Seq[BigInt]                              = stored.getOrElse(line, initial(line))
  private def store(line: Int, data: Seq[BigInt], strobe: BigInt): Unit =
    stored(line) = load(line).zip(data).zipWithIndex.map { case ((old, now), word) =>
      (0 until 8).map { byte =>
        val from = if (strobe.testBit(8 * word + byte)) now else old
        from & (BigInt(255) << (8 * byte))
      }.sum
    }

  /** Version 0 of every line; tables are empty. */
  private def initial(line: Int): Seq[BigInt] = {
    val page = line / perPage
    if (page >= bitmapBase && page < bitmapBase + 4 || page >= pointerBase && page < pointerBase + 32) none
    else version(line, 0)
  }
  private def version(line: Int, number: Int): Seq[BigInt] =
    (0 until words).map(word => (BigInt(line) << 32) | (BigInt(number) << 4) | word)
  private def pack(data: Seq[BigInt]): BigInt   = data.zipWithIndex.map { case (word, at) => word << (64 * at) }.sum
  private def unpack(data: BigInt): Seq[BigInt] =
    (0 until words).map(at => (data >> (64 * at)) & ((BigInt(1) << 64) - 1))

  // ---- who lives where
  private val pages =
    Seq(0, 1, 511, 512 + 7, 1024 + 64, 1536 + 200, 1536 + 201, pageCount - firstPage - 100).map(firstPage + 64 + _)
  private val at            = mutable.Map.empty[Int, Int] // frame by page
  private val lines         = Seq(0, 1, 2, perPage / 2, perPage - 1)
  private def someLine: Int =
    // around what is being copied things are most likely to go wrong
    if (window.active && flip(0.4))
      window.page * perPage + (window.done + random.nextInt(6) - 2).max(0).min(perPage - 1)
    else if (flip(0.25)) (60 + random.nextInt(4)) * perPage + random.nextInt(4)
    else if (flip(0.1)) (firstPage + 40 + random.nextInt(3 * 512)) * perPage
    else
      pages(random.nextInt(pages.size)) * perPage + (if (flip(0.7)) lines(random.nextInt(lines.size))
                                                     else random.nextInt(perPage))

  // ---- front
  private case class Read(line: Int, least: Int)
  private case class Write(line: Int, number: Int, port: Int)
  private val issued                          = mutable.Map.empty[Int, Int].withDefaultValue(0)
  private val accepted                        = mutable.Map.empty[Int, Int].withDefaultValue(0)
  private val free                            = mutable.Queue.from(0 until ports * slots)
  private val reading                         = mutable.Map.empty[Int, Read] // by tag
  private val toPlace                         = mutable.Queue.empty[Write]   // taken from front, not yet placed
  private val unacked                         = mutable.Queue.empty[Write]   // placed, not accepted
  private var offersRead: Option[(Int, Read)] = None
  private var offersWrite: Option[Write]      = None

  // ---- memory
  private case class Away(port: Int, slot: Int, line: Int, data: Option[Seq[BigInt]], due: Int)
  private val away   = mutable.ArrayBuffer.empty[Away]
  private val queued = mutable.Queue.empty[(Int, Int, Seq[BigInt], BigInt, Int)] // port, line, data, strobe, cycle

  // ---- the mover: steps one after the other, each done when it says so
  private trait Step {
    def drive(): Unit
    def watch(): Boolean
  }
  private val steps   = mutable.Queue.empty[Step]
  private var window  = Window(active = false, 0, 0, toDram = false, 0, 0)
  private val written = mutable.Map.empty[Int, mutable.Set[Int]] // lines written by demand, by frame
  private val used    = mutable.Set.empty[Int]
  var moved           = 0
  var readsChecked    = 0

  /** What takes no cycle. */
  private class Now(action: => Unit) extends Step {
    def drive(): Unit    = action
    def watch(): Boolean = true
  }
  private def fence(locked: Int): Step = new Step {
    def drive(): Unit = {
      window = window.copy(locked = locked)
      bench.set("move.fence.valid", 1)
    }
    def watch(): Boolean = {
      val done = bench.high("move.fence.ready")
      if (done) bench.set("move.fence.valid", 0)
      done
    }
  }
  private def frame(
      index: Int,
      write: Option[(Boolean, Boolean)],
      line: Int,
      expect: => Option[(Boolean, Boolean)]
  ): Step =
    new Step {
      private var taken = false
      def drive(): Unit = {
        bench.set("move.frames.valid", if (taken) 0 else 1)
        bench.set("move.frames.bits.index", index)
        bench.set("move.frames.bits.line", line)
        for (name <- Seq("Used", "Dirty", "Line"))
          bench.set(s"move.frames.bits.write$name", if (write.nonEmpty) 1 else 0)
        bench.set("move.frames.bits.state.used", write.fold(0)(_._1.compare(false)))
        bench.set("move.frames.bits.state.dirty", write.fold(0)(_._2.compare(false)))
        bench.set("move.frames.bits.state.lineDirty", 0)
      }
      def watch(): Boolean =
        if (!taken) {
          taken = bench.high("move.frames.ready")
          if (taken) bench.set("move.frames.valid", 0)
          taken && expect.isEmpty
        } else {
          for ((dirty, lineDirty) <- expect) {
            assert(bench.high("move.frame.used") == used(index), s"frame $index: used should be ${used(index)}")
            assert(bench.high("move.frame.dirty") == dirty, s"frame $index: dirty should be $dirty")
            if (config.remapping.get.dirtyLines && used(index))
              assert(
                bench.high("move.frame.lineDirty") == lineDirty,
                s"frame $index line $line: dirty should be $lineDirty"
              )
          }
          true
        }
    }
  private def copy(from: Int, to: Int, count: Int): Step = new Step {
    private var asked, done = 0
    private val arrived     = mutable.Queue.empty[(Int, Seq[BigInt])]
    private val tags        = mutable.Map.empty[Int, Int]
    def drive(): Unit       = {
      val tag = (0 until slots).find(!tags.contains(_))
      bench.set("move.memory.reads.valid", if (asked < count && tag.nonEmpty) 1 else 0)
      bench.set("move.memory.reads.bits.line", from + asked)
      bench.set("move.memory.reads.bits.tag", BigInt(tag.getOrElse(0)))
      bench.set("move.memory.writes.valid", if (arrived.nonEmpty) 1 else 0)
      for ((offset, data) <- arrived.headOption) {
        bench.set("move.memory.writes.bits.line", to + offset)
        bench.set("move.memory.writes.bits.data", pack(data))
        bench.set("move.memory.writes.bits.strobe", (BigInt(1) << lineBytes) - 1)
      }
    }
    def watch(): Boolean = {
      if (bench.driving("move.memory.reads.valid") == 1 && bench.high("move.memory.reads.ready")) {
        tags(bench.driving("move.memory.reads.bits.tag").toInt) = asked
        asked += 1
      }
      if (bench.driving("move.memory.writes.valid") == 1 && bench.high("move.memory.writes.ready")) arrived.dequeue()
      if (bench.high("move.memory.returns.valid"))
        arrived += (tags.remove(bench.get("move.memory.returns.bits.tag").toInt).get -> unpack(
          bench.get("move.memory.returns.bits.data")
        ))
      if (bench.high("move.memory.accepted")) done += 1
      if (done == count) for (way <- Seq("reads", "writes")) bench.set(s"move.memory.$way.valid", 0)
      done == count
    }
  }
  private def write(line: Int, word: Int, value: BigInt): Step = new Step {
    private var sent  = false
    def drive(): Unit = {
      bench.set("move.memory.writes.valid", if (sent) 0 else 1)
      bench.set("move.memory.writes.bits.line", line)
      bench.set("move.memory.writes.bits.data", value << (64 * word))
      bench.set("move.memory.writes.bits.strobe", BigInt(255) << (8 * word))
    }
    def watch(): Boolean = {
      sent ||= bench.high("move.memory.writes.ready")
      if (sent) bench.set("move.memory.writes.valid", 0)
      bench.high("move.memory.accepted")
    }
  }
  private def update(page: Int, to: Option[Int]): Step = new Step {
    private var sent  = false
    def drive(): Unit = {
      bench.set("move.updates.valid", if (sent) 0 else 1)
      bench.set("move.updates.bits.page", page)
      bench.set("move.updates.bits.redirected", to.size)
      bench.set("move.updates.bits.frame", BigInt(to.getOrElse(0)))
    }
    def watch(): Boolean = {
      sent ||= bench.high("move.updates.ready")
      if (sent) bench.set("move.updates.valid", 0)
      bench.high("move.updated")
    }
  }
  private def pause(cycles: Int): Step = new Step {
    private var left     = cycles
    def drive(): Unit    = ()
    def watch(): Boolean = { left -= 1; left <= 0 }
  }

  private def pointer(page: Int, value: BigInt): Step = {
    val index = page - firstPage
    if (table) write(pointerBase * perPage + index / words, index % words, value)
    else write(page * perPage, 0, value)
  }

  private def begin(page: Int): Unit = {
    val promotes = !at.contains(page)
    val to       = at.getOrElse(page, (frameBase until frameBase + frameCount).find(!at.values.toSeq.contains(_)).get)
    val index    = to - frameBase
    val (source, destination) = if (promotes) (page, to) else (to, page)
    if (promotes) {
      used += index
      written(index) = mutable.Set.empty
      for (line <- if (config.remapping.get.dirtyLines) 0 until perPage else Seq(0))
        steps += frame(index, Some(true -> false), line, None)
    }
    steps += new Now({ window = Window(active = true, page, to, promotes, 0, 0) })
    if (!promotes && flip(0.5)) {
      steps += fence(perPage)
      for (line <- Seq(0, 1, perPage - 1))
        steps += frame(index, None, line, Some(written(index).nonEmpty -> written(index).contains(line)))
    }
    var done = 0
    while (done < perPage) {
      val from = done
      val size = (1 + random.nextInt(perPage / 4)).min(perPage - done)
      done += size
      val next = done
      steps += fence(next)
      steps += copy(source * perPage + from, destination * perPage + from, size)
      steps += new Now({ window = window.copy(done = next) })
      if (flip(0.7)) steps += pause(random.nextInt(30))
    }
    if (promotes) steps += pointer(page, (BigInt(1) << 63) + to)
    else if (table) steps += pointer(page, 0)
    steps += update(page, Option.when(promotes)(to))
    steps += new Now({
      window = window.copy(active = false)
      if (promotes) at(page) = to else at.remove(page)
      moved += 1
    })
  }

  /** Where a line is for an access that is sent in this cycle. */
  private def place(line: Int): Int = {
    val (page, offset) = (line / perPage, line % perPage)
    val frame          =
      if (window.active && page == window.page) {
        assert(
          offset < window.done || offset >= window.locked,
          s"an access was sent to line $offset, which is locked: $window"
        )
        Option.when((offset < window.done) == window.toDram)(window.frame)
      } else at.get(page)
    frame.getOrElse(page) * perPage + offset
  }

  // ---- software
  private def software(): Unit = {
    bench.set("remap.control.table", if (table) 1 else 0)
    bench.set("remap.control.bitmapBase", bitmapBase)
    bench.set("remap.control.pointerBase", pointerBase)
    bench.set("remap.control.frameBase", frameBase)
    bench.set("remap.control.frameCount", frameCount)
    bench.set("remap.control.enable", 1)
  }

  /** Puts pages into DRAM by the tables alone, as firmware may before it enables remapping. */
  def prepare(count: Int): Unit =
    for ((page, index) <- random.shuffle(pages).take(count).zipWithIndex) {
      val (to, which) = (frameBase + index, page - firstPage)
      for (offset <- 0 until perPage) stored(to * perPage + offset) = initial(page * perPage + offset)
      val byte = which / 512 * 64 + which % 512 / 8
      val line = bitmapBase * perPage + byte / lineBytes
      store(
        line,
        load(line).map(_ | (0 until 8).map(at => BigInt(1 << which % 8) << (8 * at)).sum),
        BigInt(1) << (byte % lineBytes)
      )
      val value = (BigInt(1) << 63) + to
      if (table) {
        val line = pointerBase * perPage + which / words
        store(line, Seq.fill(words)(value), BigInt(255) << (8 * (which % words)))
      } else store(page * perPage, Seq.fill(words)(value), 255)
      at(page) = to
      written(index) = mutable.Set.empty
    }

  /** Goes on for so many cycles.
    *
    * @param sends how often front offers an access where it offers none
    * @param takes how often memory takes one
    */
  def run(cycles: Int, sends: Double, takes: Double): Unit = {
    software()
    for (_ <- 0 until cycles) cycle(sends, takes)
  }

  /** Lets everything end; all that is under way must end. */
  def finish(): Unit = {
    var cycles = 0
    while (
      reading.nonEmpty || offersRead.nonEmpty || offersWrite.nonEmpty || toPlace.nonEmpty || unacked.nonEmpty || steps.nonEmpty
    ) {
      cycle(0, 0.9, ends = true)
      cycles += 1
      assert(
        cycles < 20000,
        s"something never ends: reads $reading, writes $toPlace $unacked, steps ${steps.size}, $window"
      )
    }
    for (page <- pages; which = page - firstPage) {
      val byte = which / 512 * 64 + which % 512 / 8
      val word = load(bitmapBase * perPage + byte / lineBytes)(byte % lineBytes / 8)
      assert(word.testBit(8 * (byte % 8) + which % 8) == at.contains(page), s"the table's bit of page $page")
    }
  }

  def counters: Seq[BigInt] = RemapCounters.names.indices.map { index =>
    bench.set("remap.counterIndex", index)
    bench.settle()
    bench.get("remap.counter")
  }

  /** Accesses of pages that did not move, and fetches of bitmaps and of pointers, as seen from outside. */
  var lookedUp, redirected, bitmapFetches, pointerFetches = 0

  private var busyFor = 0

  private def cycle(sends: Double, takes: Double, ends: Boolean = false): Unit = {
    // front offers, and keeps its offer until it is taken
    if (offersRead.isEmpty && free.nonEmpty && flip(sends)) {
      val line = someLine
      offersRead = Some(free.dequeue() -> Read(line, accepted(line)))
    }
    if (offersWrite.isEmpty && flip(sends * 0.7)) {
      val line = someLine
      issued(line) += 1
      offersWrite = Some(Write(line, issued(line), random.nextInt(ports)))
    }
    bench.set("reads.valid", offersRead.size)
    for ((tag, read) <- offersRead) {
      bench.set("reads.bits.line", read.line)
      bench.set("reads.bits.tag.port", tag / slots)
      bench.set("reads.bits.tag.slot", tag % slots)
    }
    bench.set("writes.valid", offersWrite.size)
    for (write <- offersWrite) {
      bench.set("writes.bits.line", write.line)
      bench.set("writes.bits.port", write.port)
      bench.set("writes.bits.data", pack(version(write.line, write.number)))
      bench.set("writes.bits.strobe", (BigInt(1) << lineBytes) - 1)
    }
    // memory
    bench.set("placed.reads.ready", if (flip(takes)) 1 else 0)
    bench.set("placed.writes.ready", if (queued.size < 3 && flip(takes)) 1 else 0)
    val comes = away.indices.filter(away(_).due <= bench.cycle)
    val line  = Option.when(comes.nonEmpty && flip(0.5))(away.remove(comes(random.nextInt(comes.size))))
    bench.set("placed.returns.valid", line.size)
    for (each <- line) {
      bench.set("placed.returns.bits.tag.port", each.port)
      bench.set("placed.returns.bits.tag.slot", each.slot)
      val data = each.data.getOrElse(load(each.line))
      bench.set("placed.returns.bits.data", pack(if (memory == EmptyBitmaps && isBitmap(each.line)) none else data))
    }
    val accepts = Option.when(queued.nonEmpty && queued.head._5 < bench.cycle && flip(takes))(queued.dequeue())
    bench.set("placed.accepted.valid", accepts.size)
    for ((port, _, _, _, _) <- accepts) bench.set("placed.accepted.bits", port)
    // the mover
    if (moves && !ends && steps.isEmpty && flip(0.02)) {
      val page = pages(random.nextInt(pages.size))
      if (at.contains(page) || at.size < frameCount) begin(page)
    }
    var instant = true
    while (instant && steps.nonEmpty) {
      steps.head.drive()
      instant = steps.head.isInstanceOf[Now]
      if (instant) steps.dequeue()
    }
    drive(window)

    bench.settle()

    if (bench.high("remap.busy")) busyFor += 1 else busyFor = 0
    assert(busyFor < 200, "remapping stays busy")
    for ((port, to, data, strobe, _) <- accepts) store(to, data, strobe)
    if (line.exists(_.port < ports)) {
      val each = line.get
      assert(bench.high("returns.valid"), "a line that was read got lost")
      val tag  = each.port * slots + each.slot
      val read = reading.remove(tag).get
      free += tag
      val data   = unpack(bench.get("returns.bits.data"))
      val number = ((data.head >> 4) & 0xfffffff).toInt
      assert(
        data == version(read.line, number) && number >= read.least && number <= issued(read.line),
        s"cycle ${bench.cycle}: read of line ${read.line} (page ${read.line / perPage}), at least version ${read.least} of " +
          s"${issued(read.line)}, gave ${data.map(_.toString(16))}"
      )
      readsChecked += 1
    } else assert(!bench.high("returns.valid"), "front gets a line that no port asked for")
    if (accepts.exists(_._1 < ports)) {
      assert(bench.high("accepted.valid"), "an accepted write got lost")
      val write = unacked.dequeue()
      accepted(write.line) = write.number
      assert(bench.get("accepted.bits") == write.port, "accepted is the write of another port")
    } else assert(!bench.high("accepted.valid"), "front gets an accepted write that no port wrote")

    if (offersRead.nonEmpty && bench.high("reads.ready")) {
      reading += offersRead.get
      offersRead = None
    }
    if (offersWrite.nonEmpty && bench.high("writes.ready")) {
      toPlace += offersWrite.get
      offersWrite = None
    }
    if (bench.high("placed.reads.valid") && bench.driving("placed.reads.ready") == 1) {
      val port = bench.get("placed.reads.bits.tag.port").toInt
      val slot = bench.get("placed.reads.bits.tag.slot").toInt
      val to   = bench.get("placed.reads.bits.line").toInt
      if (port < ports) {
        val line = reading(port * slots + slot).line
        sent(line, to, "read")
      } else if (port > ports) { if (isBitmap(to)) bitmapFetches += 1 else pointerFetches += 1 }
      away += Away(
        port,
        slot,
        to,
        Option.when(flip(0.5))(load(to)),
        bench.cycle + 2 + random.nextInt(if (flip(0.02)) 500 else 20)
      )
    }
    if (bench.high("placed.writes.valid") && bench.driving("placed.writes.ready") == 1) {
      val port = bench.get("placed.writes.bits.port").toInt
      val to   = bench.get("placed.writes.bits.line").toInt
      if (port < ports) {
        val write = toPlace.dequeue()
        assert(write.port == port, "writes come in another order")
        sent(write.line, to, "write")
        if (to / perPage >= frameBase && to / perPage < frameBase + frameCount)
          written(to / perPage - frameBase) += to % perPage
        unacked += write
      }
      queued += ((
        port,
        to,
        unpack(bench.get("placed.writes.bits.data")),
        bench.get("placed.writes.bits.strobe"),
        bench.cycle
      ))
    }
    if (steps.nonEmpty && steps.head.watch()) steps.dequeue()
    bench.step()
  }

  private def isBitmap(line: Int) = line / perPage >= bitmapBase && line / perPage < bitmapBase + 4

  private def sent(line: Int, to: Int, what: String): Unit = {
    val expected = place(line)
    assert(
      to == expected,
      s"cycle ${bench.cycle}: the $what of line $line (page ${line / perPage}) went to line $to and not to $expected; $window"
    )
    if (line / perPage >= firstPage) {
      val moving = window.active && window.page == line / perPage
      if (!moving) lookedUp += 1
      if (to != line) redirected += 1
    }
  }

  private def drive(window: Window): Unit = {
    bench.set("move.window.active", if (window.active) 1 else 0)
    bench.set("move.window.page", window.page)
    bench.set("move.window.frame", window.frame)
    bench.set("move.window.toDram", if (window.toDram) 1 else 0)
    bench.set("move.window.done", window.done)
    bench.set("move.window.lockedUntil", window.locked)
  }
}

object RemapModel {

  /** The mover's window. */
  case class Window(active: Boolean, page: Int, frame: Int, toDram: Boolean, done: Int, locked: Int)

  /** How the memory is broken: not, or all bitmaps that are fetched are empty. */
  sealed trait Fault
  case object Sound        extends Fault
  case object EmptyBitmaps extends Fault
}
