// SPDX-License-Identifier: Apache-2.0
package weir.device

/** A memory that some of the ranks behave like. For commands of its banks its constraints take the place of the DRAM's of the same
  * name, and are never shorter; the DRAM's others hold beside them. The room that plays it says at run time how late lines come,
  * how many may go, and whether refreshes are hidden ([[weir.channel.EmulatedPort]]).
  *
  * It has each of [[EmulatedDevice.constraints]], and beside them those that a `heldBack` names.
  */
trait EmulatedDevice extends Device {

  /** In messages, after "an". */
  def name: String

  /** Its ranks are all from this one on: 1 to the last, as rank 0 is always DRAM. */
  def firstRank: Int

  /** The timings that its constraints are made of, by name, after reset: DRAM clocks. */
  def timings: Map[String, Int]

  /** Bits of each of them. */
  def timingBits: Int

  /** Refuses what the channel could not keep.
    *
    * @param standard of the DRAM
    * @param dram     its timings
    * @param burst    clocks of a burst
    */
  def check(standard: Standard, dram: Timing, burst: Int): Unit = {
    val all                                                    = constraints(dram, burst)
    val names                                                  = all.map(_.name)
    def list(names: Iterable[String]): String                  = names.toSeq.sorted.mkString(", ")
    def difference(heldBack: Option[(String, String)]): String = heldBack.fold("nothing") { case (whole, part) =>
      s"$whole − $part"
    }

    for (name <- EmulatedDevice.constraints)
      require(
        names.contains(name),
        s"$name of the ${this.name} is missing: there must be ${list(EmulatedDevice.constraints)}"
      )
    for ((name, value) <- timings)
      require(
        value >= 0 && value < (1 << timingBits),
        s"$name = $value of the ${this.name}: must be 0 to ${(1 << timingBits) - 1} clocks, $timingBits bits"
      )
    val ofDram = standard.constraints(dram, burst).map(constraint => constraint.name -> constraint).toMap
    for ((constraint, number) <- all.zipWithIndex) {
      val where = s"${constraint.name} of the ${this.name}"
      require(names.count(_ == constraint.name) == 1, s"$where is there twice")
      require(
        EmulatedDevice.constraints.contains(constraint.name) ||
          all.flatMap(_.heldBack).exists { case (whole, part) => constraint.name == whole || constraint.name == part },
        s"$where is nothing that the channel keeps: known are ${list(EmulatedDevice.constraints)}"
      )
      // what is added to a timing goes into one bit more, with the phases of the two commands, of at most four
      val added = constraint.scaled + constraint.fixed + 2 * 4
      require(
        added <= (1 << timingBits),
        s"$where adds $added clocks to a timing of $timingBits bits: must be at most ${1 << timingBits}"
      )
      for (timing <- constraint.timing)
        require(timings.contains(timing), s"$where is made of $timing: known are ${list(timings.keys)}")
      for ((whole, part) <- constraint.heldBack; needed <- Seq(whole, part))
        require(names.take(number).contains(needed), s"$where is held back by $needed, which must come before it")
      for (its <- ofDram.get(constraint.name)) {
        require(
          constraint.from == its.from && constraint.to == its.to,
          s"$where is from ${constraint.from} to ${constraint.to.mkString(", ")}: must be from ${its.from} to " +
            s"${its.to.mkString(", ")} as the DRAM's"
        )
        require(
          constraint.heldBack == its.heldBack,
          s"$where is at least ${difference(constraint.heldBack)}: must be at least ${difference(its.heldBack)} as the DRAM's"
        )
        // of a time scale apart
        for (
          (clocks, least) <- Seq(
            constraint.multiplied(timings) -> its.multiplied(dram.clocks),
            constraint.fixed               -> its.fixed
          )
        )
          require(clocks >= least, s"$where = $clocks: must be at least the DRAM's $least clocks")
      }
    }
  }
}

object EmulatedDevice {

  /** The constraints that the channel keeps for an emulated memory: those of a bank, from a write to any command of its bank, and
    * from a write to a read of its rank. Each but the last two takes the place of the DRAM's.
    */
  val constraints: Seq[String] = Seq(
    "activateToRead",
    "activateToWrite",
    "activateToPrecharge",
    "prechargeToActivate",
    "readToPrecharge",
    "writeToPrecharge",
    "writeToAny",
    "writeToRead"
  )
}
