// SPDX-License-Identifier: Apache-2.0
package weir.front

import weir.PackedBench
import weir.config.WeirConfig

import scala.collection.mutable
import scala.util.Random

/** What all ports of a run share: the reference memory, and which lines accesses under way touch. AXI leaves open what an
  * access sees of another under way, so none is started that would overlap one, except writes of the same port and id.
  */
class Shared(config: WeirConfig) {
  val reference = new TestMemory

  /** The write burst that wrote a byte of the reference last. */
  val lastWriter      = mutable.HashMap.empty[BigInt, Int]
  private val reading = mutable.HashMap.empty[BigInt, Int].withDefaultValue(0)
  private val writing = mutable.HashMap.empty[BigInt, mutable.ArrayBuffer[(Int, Int)]]
  private var bursts  = 0

  def nextBurst(): Int = { bursts += 1; bursts }

  def mayRead(lines: Set[BigInt]): Boolean                      = !lines.exists(writing.contains)
  def mayWrite(lines: Set[BigInt], port: Int, id: Int): Boolean =
    !lines.exists(line => reading.contains(line) || writing.get(line).exists(_.exists(_ != (port, id))))

  def startRead(lines: Set[BigInt]): Unit = lines.foreach(line => reading(line) += 1)
  def endRead(lines: Set[BigInt]): Unit   = lines.foreach { line =>
    reading(line) -= 1
    if (reading(line) == 0) reading -= line
  }
  def startWrite(lines: Set[BigInt], port: Int, id: Int): Unit =
    lines.foreach(line => writing.getOrElseUpdate(line, mutable.ArrayBuffer.empty) += ((port, id)))
  def endWrite(lines: Set[BigInt], port: Int, id: Int): Unit = lines.foreach { line =>
    writing(line) -= ((port, id))
    if (writing(line).isEmpty) writing -= line
  }
}

/** A manager at one port: sends random bursts and checks every answer against AXI4 and the reference memory. */
class PortModel(
    config: WeirConfig,
    bench: PackedBench,
    channel: ChannelModel,
    shared: Shared,
    random: Random,
    pace: Pace,
    port: Int,
    var readsToSend: Int,
    var writesToSend: Int
) {
  private val axi         = config.axi
  private val lineBytes   = config.geometry.lineBytes
  private val blockBytes  = axi.dataBytes.max(lineBytes)
  private val spec        = new AxiReference(axi.dataBytes, axi.addressBits)
  private val okay        = 0
  private val slaveError  = 2
  private val decodeError = 3

  private case class Beat(bytes: Seq[(Int, Int)], response: Int, last: Boolean, endsBlock: Boolean)
  private case class ReadBurst(request: Request, beats: mutable.Queue[Beat], lines: Set[BigInt])
  private case class WriteBurst(request: Request, number: Int, response: Int, lines: Set[BigInt], bytes: Set[BigInt])
  private case class WriteBeat(data: BigInt, strobe: BigInt, last: Boolean)

  private val addressesToRead, addressesToWrite = mutable.Queue.empty[Request]
  private val dataToWrite                       = mutable.Queue.empty[WriteBeat]
  private val awaitedReads                      = Array.fill(1 << axi.idBits)(mutable.Queue.empty[ReadBurst])
  private val awaitedWrites                     = Array.fill(1 << axi.idBits)(mutable.Queue.empty[WriteBurst])

  /** The id of the burst whose beats are under way on R, and whether its last beat ended a block. */
  private var running    = Option.empty[Int]
  private var blockEnded = true

  /** Whether the answer now on B has been checked, when it came, and not yet been taken. */
  private var checkedResponse = false

  /** Handshakes so far. */
  var progress = 0

  def idle: Boolean = readsToSend == 0 && writesToSend == 0 && addressesToRead.isEmpty && addressesToWrite.isEmpty &&
    dataToWrite.isEmpty && !checkedResponse && awaitedReads.forall(_.isEmpty) && awaitedWrites.forall(_.isEmpty)

  private def field(name: String)         = s"axi.$port.$name"
  private def chance(share: Double)       = random.nextDouble() < share
  private def pick[T](options: Seq[T]): T = options(random.nextInt(options.size))

  // ---- Random bursts

  private def randomAddress(): BigInt = {
    val bytes = config.geometry.bytes
    random.nextInt(20) match {
      case n if n < 12 => axi.base + 0x400 + random.nextInt(64 * lineBytes)
      case n if n < 16 => axi.base + BigInt(32, random)                       % bytes
      case n if n < 18 => (axi.base + bytes - random.nextInt(4 * blockBytes)) % (BigInt(1) << axi.addressBits)
      case n if n < 19 =>
        (axi.base + (BigInt(1) << axi.addressBits) - 1 - random.nextInt(4 * blockBytes)) % (BigInt(
          1
        ) << axi.addressBits)
      case _ => BigInt(axi.addressBits, random)
    }
  }

  private def randomRequest(): Request = {
    val busSize = Integer.numberOfTrailingZeros(axi.dataBytes)
    val size    = if (chance(0.7)) busSize else random.nextInt(busSize + 1)
    val address = randomAddress()
    val aligned = address - address % (1 << size)
    val id      = if (chance(0.5)) random.nextInt(2) else random.nextInt(1 << axi.idBits)
    random.nextInt(20) match {
      case n if n < 14 =>
        val len = random.nextInt(20) match {
          case n if n < 9  => 0
          case n if n < 15 => random.nextInt(4)
          case n if n < 19 => random.nextInt(16)
          case _           => random.nextInt(256)
        }
        Request(id, if (chance(0.7)) aligned else address, len, size, 1)
      case n if n < 17 => Request(id, aligned, pick(Seq(1, 3, 7, 15)), size, 2)
      case n if n < 19 => Request(id, address, random.nextInt(16), size, 0)
      case _           =>
        random.nextInt(5) match {
          case 0 => Request(id, address, random.nextInt(256), random.nextInt(8), 3)
          case 1 => Request(id, aligned, pick(Seq(0, 2, 4, 14, 16, 31, 255)), size, 2)
          case 2 => Request(id, aligned / 2 * 2 + 1, pick(Seq(1, 3, 7, 15)), size.max(1), 2)
          case 3 =>
            Request(id, address, random.nextInt(20), (busSize + 1 + random.nextInt(3)).min(7), random.nextInt(3))
          case 4 => Request(id, address, 16 + random.nextInt(240), size, 0)
        }
    }
  }

  private def inMemory(address: BigInt) = address >= axi.base && address < axi.base + config.geometry.bytes
  private def source(id: Int)           = (port << (axi.sourceIdHigh - axi.sourceIdLow + 1)) |
    ((id >> axi.sourceIdLow) & ((1 << (axi.sourceIdHigh - axi.sourceIdLow + 1)) - 1))

  /** Consecutive transfers of a burst that lie in the same block, with their first address's line. */
  private def byBlock(transfers: Seq[Transfer]): Seq[Seq[Transfer]] =
    transfers.foldLeft(Vector.empty[Vector[Transfer]]) { (groups, transfer) =>
      def block(t: Transfer) = t.bytes.head._2 / blockBytes
      if (groups.nonEmpty && block(groups.last.last) == block(transfer)) groups.init :+ (groups.last :+ transfer)
      else groups :+ Vector(transfer)
    }

  private def linesOf(addresses: Iterable[BigInt]): Seq[BigInt] =
    addresses.filter(inMemory).map(address => (address - axi.base) / lineBytes).toSeq.distinct.sorted

  /** The transfers of a legal burst that are done, and those that are refused: behind a 4 KiB boundary, which no burst may
    * cross (A3.4.1).
    */
  private def doneAndRefused(request: Request): (Seq[Transfer], Seq[Transfer]) =
    if (spec.isLegal(request)) spec.transfers(request).span(_.bytes.head._2 / 4096 == request.address / 4096)
    else (Seq.empty, Seq.empty)

  private def sendRead(): Unit = {
    val request              = randomRequest()
    val (transfers, refused) = doneAndRefused(request)
    val lines                = linesOf(transfers.flatMap(_.bytes.map(_._2))).toSet
    if (shared.mayRead(lines)) {
      readsToSend -= 1
      shared.startRead(lines)
      val groups = byBlock(transfers)
      val beats  =
        if (!spec.isLegal(request))
          (0 to request.len).map(i => Beat(Seq.empty, slaveError, i == request.len, i == request.len))
        else {
          val all = groups.map(_ -> true) ++ byBlock(refused).map(_ -> false)
          for (((group, done), g) <- all.zipWithIndex; (transfer, t) <- group.zipWithIndex) yield {
            val endsBlock = t == group.size - 1
            val inside    = transfer.bytes.forall(byte => inMemory(byte._2))
            val bytes     =
              if (done && inside) transfer.bytes.map { case (lane, at) => (lane, shared.reference(at - axi.base)) }
              else Seq.empty
            val response = if (!done) slaveError else if (inside) okay else decodeError
            Beat(bytes, response, endsBlock && g == all.size - 1, endsBlock)
          }
        }
      for (group <- groups; line <- linesOf(group.flatMap(_.bytes.map(_._2))))
        channel.expectedReads(port) += ExpectedLine(line, source(request.id))
      addressesToRead += request
      awaitedReads(request.id) += ReadBurst(request, mutable.Queue.from(beats), lines)
    }
  }

  private def sendWrite(): Unit = {
    val request              = randomRequest()
    val (transfers, refused) = doneAndRefused(request)
    val lines                = linesOf(transfers.flatMap(_.bytes.map(_._2))).toSet
    if (shared.mayWrite(lines, port, request.id)) {
      writesToSend -= 1
      shared.startWrite(lines, port, request.id)
      val number                = shared.nextBurst()
      val sparse                = chance(0.3)
      val bytes                 = mutable.Set.empty[BigInt]
      def laneStrobe(): Boolean = !sparse || chance(0.3)
      for (group <- byBlock(transfers)) {
        val strobed = mutable.Set.empty[BigInt]
        val empty   = sparse && chance(0.3)
        for (transfer <- group) {
          val data  = BigInt(axi.dataBits, random)
          val lanes = transfer.bytes.filter(_ => !empty && laneStrobe())
          for ((lane, at) <- lanes if inMemory(at)) {
            shared.reference(at - axi.base) = ((data >> (8 * lane)) & 0xff).toInt
            shared.lastWriter(at - axi.base) = number
            bytes += at - axi.base
            strobed += at
          }
          dataToWrite += WriteBeat(data, lanes.foldLeft(BigInt(0))((word, lane) => word.setBit(lane._1)), chance(0.5))
        }
        for (line <- linesOf(strobed)) channel.expectedWrites(port) += ExpectedLine(line, source(request.id))
      }
      for (_ <- transfers.size to request.len)
        dataToWrite += WriteBeat(BigInt(axi.dataBits, random), BigInt(axi.dataBytes, random), chance(0.5))
      val response =
        if (transfers.isEmpty || refused.nonEmpty) slaveError
        else if (transfers.forall(_.bytes.forall(byte => inMemory(byte._2)))) okay
        else decodeError
      addressesToWrite += request
      awaitedWrites(request.id) += WriteBurst(request, number, response, lines, bytes.toSet)
    }
  }

  // ---- Signals

  private def driveAddress(channel: String, queue: mutable.Queue[Request]): Unit =
    if (bench.driving(field(s"${channel}valid")) == 0 && queue.nonEmpty && chance(pace.address)) {
      val request = queue.head
      bench.set(field(s"${channel}valid"), 1)
      bench.set(field(s"${channel}id"), request.id)
      bench.set(field(s"${channel}addr"), request.address)
      bench.set(field(s"${channel}len"), request.len)
      bench.set(field(s"${channel}size"), request.size)
      bench.set(field(s"${channel}burst"), request.kind)
      bench.set(field(s"${channel}lock"), random.nextInt(2))
      bench.set(field(s"${channel}cache"), random.nextInt(16))
      bench.set(field(s"${channel}prot"), random.nextInt(8))
      bench.set(field(s"${channel}qos"), random.nextInt(16))
    }

  /** Sets the inputs of the coming cycle. */
  def drive(): Unit = {
    if (readsToSend > 0 && addressesToRead.size < 4 && chance(0.7)) sendRead()
    if (writesToSend > 0 && addressesToWrite.size < 4 && dataToWrite.size < 32 && chance(0.7)) sendWrite()
    driveAddress("ar", addressesToRead)
    driveAddress("aw", addressesToWrite)
    if (bench.driving(field("wvalid")) == 0 && dataToWrite.nonEmpty && chance(pace.data)) {
      bench.set(field("wvalid"), 1)
      bench.set(field("wdata"), dataToWrite.head.data)
      bench.set(field("wstrb"), dataToWrite.head.strobe)
      bench.set(field("wlast"), if (dataToWrite.head.last) 1 else 0)
    }
    bench.set(field("rready"), if (chance(pace.readReady)) 1 else 0)
    bench.set(field("bready"), if (chance(pace.responseReady)) 1 else 0)
  }

  private var stalled = Map.empty[String, BigInt]

  /** A valid signal that was not taken must stay, with all that goes with it (A3.2.1). */
  private def checkStable(): Unit = {
    for ((name, value) <- stalled)
      assert(bench.get(field(name)) == value, s"cycle ${bench.cycle}: port $port: $name changed while it waited")
    stalled = Map.empty
    for (
      (channel, names) <- Seq(
        "r" -> Seq("rvalid", "rid", "rdata", "rresp", "rlast"),
        "b" -> Seq("bvalid", "bid", "bresp")
      )
    )
      if (bench.high(field(s"${channel}valid")) && bench.driving(field(s"${channel}ready")) == 0)
        stalled ++= names.map(name => name -> bench.get(field(name)))
  }

  /** Checks the settled cycle and takes what it hands over. */
  def observe(): Unit = {
    checkStable()
    for ((channel, queue) <- Seq("ar" -> addressesToRead, "aw" -> addressesToWrite, "w" -> dataToWrite))
      if (bench.driving(field(s"${channel}valid")) == 1 && bench.high(field(s"${channel}ready"))) {
        queue.dequeue()
        bench.set(field(s"${channel}valid"), 0)
        progress += 1
      }
    if (bench.high(field("rvalid")) && bench.driving(field("rready")) == 1) takeRead()
    if (bench.high(field("bvalid"))) {
      if (!checkedResponse) checkResponse()
      checkedResponse = bench.driving(field("bready")) == 0
    }
  }

  private def takeRead(): Unit = {
    progress += 1
    val id = bench.get(field("rid")).toInt
    assert(awaitedReads(id).nonEmpty, s"cycle ${bench.cycle}: port $port: an R beat of id $id that nobody asked for")
    val burst = awaitedReads(id).head
    val beat  = burst.beats.dequeue()
    val where = s"cycle ${bench.cycle}: port $port: ${burst.request}, ${burst.beats.size} beats before its end"
    if (running.exists(_ != id)) {
      assert(axi.interleave, s"$where: in the middle of a burst of id ${running.get}")
      assert(blockEnded, s"$where: in the middle of a block of id ${running.get}")
    }
    running = if (beat.last) None else Some(id)
    blockEnded = beat.endsBlock
    assert(
      bench.get(field("rresp")) == beat.response,
      s"$where: RRESP ${bench.get(field("rresp"))}, expected ${beat.response}"
    )
    assert(bench.high(field("rlast")) == beat.last, s"$where: RLAST is ${bench.high(field("rlast"))}")
    val data = bench.get(field("rdata"))
    if (beat.response != okay) assert(data == 0, s"$where: data with an error")
    for ((lane, value) <- beat.bytes) {
      val byte = ((data >> (8 * lane)) & 0xff).toInt
      assert(byte == value, f"$where: byte lane $lane is $byte%02x, expected $value%02x")
    }
    if (beat.last) {
      awaitedReads(id).dequeue()
      shared.endRead(burst.lines)
    }
  }

  private def checkResponse(): Unit = {
    progress += 1
    val id = bench.get(field("bid")).toInt
    assert(awaitedWrites(id).nonEmpty, s"cycle ${bench.cycle}: port $port: B of id $id that nobody waits for")
    val burst = awaitedWrites(id).dequeue()
    val where = s"cycle ${bench.cycle}: port $port: ${burst.request}"
    assert(
      bench.get(field("bresp")) == burst.response,
      s"$where: BRESP ${bench.get(field("bresp"))}, expected ${burst.response}"
    )
    for (at <- burst.bytes if shared.lastWriter(at) == burst.number)
      assert(
        channel.memory(at) == shared.reference(at),
        f"$where: answered, but byte 0x${at.toLong}%x reads ${channel.memory(at)}%02x, not ${shared.reference(at)}%02x"
      )
    shared.endWrite(burst.lines, port, id)
  }
}
